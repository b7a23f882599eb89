#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/pseudo_terminal.h"
#include "cli/subprocess.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

class LintCommandTest : public ::testing::Test {
 protected:
  LintCommandTest() {
    WriteFile(gold_,
              "{\"id\": 1, \"expected\": \"apple\"}\n"
              "{\"id\": 2, \"expected\": \"quince\"}\n"
              "{\"id\": 3, \"expected\": \"fog\"}\n");
  }

  SubprocessResult Lint(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), "lint");
    return RunCommand(arguments, input);
  }

  TempDir folder_;
  const std::string gold_ = folder_ / "gold.jsonl";
};

TEST_F(LintCommandTest, SoundGoldIsFineAlsoStrictly) {
  const SubprocessResult run = Lint({gold_, "-s", "exact_match", "--strict"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("fine: 0 errors, 0 warnings, 0 notes in 3 gold records")) << run.out;
  EXPECT_EQ(run.err, "");
}

TEST_F(LintCommandTest, StrictFailsOnWarningsAndErrors) {
  WriteFile(gold_, ReadFile(gold_) + "{\"id\": 3, \"expected\": \"fog\"}\n");
  EXPECT_EQ(Lint({gold_, "-s", "exact_match"}).exit_code, 0);
  const SubprocessResult warned = Lint({gold_, "-s", "exact_match", "--strict"});
  EXPECT_EQ(warned.exit_code, 1);
  EXPECT_TRUE(warned.out.starts_with("doubtful: 0 errors, ")) << warned.out;
  WriteFile(gold_, ReadFile(gold_) + "{\"id\": 3, \"expected\": \"rain\"}\n");
  EXPECT_EQ(Lint({gold_, "-s", "exact_match"}).exit_code, 0);
  const SubprocessResult unfit = Lint({gold_, "-s", "exact_match", "--strict"});
  EXPECT_EQ(unfit.exit_code, 1);
  EXPECT_TRUE(unfit.out.starts_with("unfit: 1 error, ")) << unfit.out;
}

TEST_F(LintCommandTest, CallsMayHaveAFieldOfTheirOwn) {
  WriteFile(gold_, "{\"id\": 1, \"expected\": [\"f\"]}\n");
  const std::string wrong = folder_ / "wrong.jsonl";
  WriteFile(wrong, "{\"id\": 1, \"actual\": [\"f\"], \"run\": []}\n");
  const std::string silent = folder_ / "silent.jsonl";
  WriteFile(silent, "{\"id\": 1, \"run\": [\"g\"]}\n");
  const std::vector<std::string> command = {gold_, wrong, silent, "-s", "tool_calls"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), command.begin(), command.end());
    return Lint(more);
  };
  EXPECT_EQ(with({}).out.find("failed_by_all"), std::string::npos);
  const SubprocessResult run = with({"--calls-field", "run"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("warning: failed_by_all (tool_calls)"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("unanswered_gold"), std::string::npos) << run.out;
  ExpectRefused(with({"--calls-field", "runs"}),
                "no record of the answers has the field \"runs\" (--calls-field; did you mean \"run\"?)");
}

TEST_F(LintCommandTest, AcceptedFindingsDoNotFailStrictly) {
  WriteFile(gold_, ReadFile(gold_) +
                       "{\"id\": 3, \"expected\": \"fog\"}\n{\"id\": \"03\", \"expected\": \"ice\"}\n");
  const std::vector<std::string> strict = {gold_, "-s", "exact_match", "--strict"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), strict.begin(), strict.end());
    return Lint(more);
  };
  EXPECT_EQ(with({"--accept", "repeated_id"}).exit_code, 1);
  const SubprocessResult run =
      with({"--accept", "repeated_id", "--accept", "similar_id", "--accept", "rare_path"});
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_TRUE(run.out.starts_with("fine: 0 errors, 0 warnings, 0 notes, 2 accepted in 5 gold records"))
      << run.out;
  EXPECT_NE(run.out.find("\nwarning (accepted): repeated_id\n"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\nwarning (accepted): similar_id\n"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("Accepted (--accept), but not found: rare_path\n"), std::string::npos) << run.out;
  ExpectRefused(with({"--accept", "repeated_ids"}),
                "unknown finding \"repeated_ids\"; did you mean \"repeated_id\"?");
  ExpectRefused(with({"--accept", "easy_answer:supreset"}), "did you mean \"superset\"?");
  ExpectRefused(with({"--accept", "easy_answer:"}), "--accept");
}

TEST_F(LintCommandTest, AnAcceptedEasyAnswerIsThatOfItsScorerOnly) {
  WriteFile(gold_,
            "{\"id\": 1, \"expected\": {\"a\": \"apple\"}}\n"
            "{\"id\": 2, \"expected\": {\"a\": \"quince\"}}\n"
            "{\"id\": 3, \"expected\": {\"a\": \"fog\"}}\n");
  const std::string config = folder_ / "c.yaml";
  WriteFile(config,
            "scorers:\n  - {name: \"a:b\", type: json_similarity}\n  - {name: c, type: json_similarity}\n");
  const auto strict = [&](const std::string& accept) {
    return Lint({gold_, "-c", config, "--strict", "--accept", accept});
  };
  const SubprocessResult one = strict("easy_answer:a:b:superset");
  EXPECT_EQ(one.exit_code, 1);
  EXPECT_NE(one.out.find("\nwarning (accepted): easy_answer (a:b, superset)\n"), std::string::npos)
      << one.out;
  EXPECT_NE(one.out.find("\nwarning: easy_answer (c, superset)\n"), std::string::npos) << one.out;
  EXPECT_EQ(strict("easy_answer:superset").exit_code, 0);
  EXPECT_EQ(strict("easy_answer:null").exit_code, 1);
}

TEST_F(LintCommandTest, AnswersWhoseIdsArePaddedOtherwiseAreTold) {
  WriteFile(gold_,
            "{\"id\": \"t034\", \"expected\": \"apple\"}\n"
            "{\"id\": \"t035\", \"expected\": \"quince\"}\n");
  const std::string answers = folder_ / "answers.jsonl";
  WriteFile(answers, "{\"id\": \"t34\", \"actual\": \"apple\"}\n{\"id\": \"z\", \"actual\": \"x\"}\n");
  const SubprocessResult run = Lint({gold_, answers, "-s", "exact_match"});
  EXPECT_NE(run.out.find("2 records have an id in answers that the gold lacks; ignoring case, blanks and "
                         "leading zeros, it has 1 of them (\"t34\" is \"t034\" there)."),
            std::string::npos)
      << run.out;
}

TEST_F(LintCommandTest, GroupsOfOneRecordAreTold) {
  WriteFile(gold_,
            "{\"id\": 1, \"task\": \"a\", \"expected\": \"apple\"}\n"
            "{\"id\": 2, \"task\": \"a\", \"expected\": \"quince\"}\n"
            "{\"id\": 3, \"task\": \"b\", \"expected\": \"fog\"}\n");
  const SubprocessResult run = Lint({gold_, "-s", "exact_match", "--strict", "--group-by", "task"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.out.find("1 of 2 groups of \"task\" has a single record; the first is \"b\"."),
            std::string::npos)
      << run.out;
  ExpectRefused(Lint({gold_, "-s", "exact_match", "--group-by", "tasks"}), "did you mean \"task\"?");
}

TEST_F(LintCommandTest, WhatCannotBeLintedIsRefused) {
  ExpectRefused(Lint({gold_}), "no scorer was named");
  ExpectRefused(Lint({folder_ / "none.jsonl", "-s", "exact_match"}), "cannot read");
  ExpectRefused(Lint({gold_, "-s", "exact_match", "--gold-id-field", "idd"}), "did you mean \"id\"?");
  ExpectRefused(Lint({gold_, "-s", "exact_match", "-o", gold_}), "gold.jsonl");
  ExpectRefused(Lint({gold_, "-s", "exact_match", "-o", folder_ / "out.csv"}), "known are .json, .md, .txt");
  ExpectRefused(Lint({"-", "-", "-s", "exact_match"}), "standard input");
  ExpectRefused(Lint({gold_, "-s", "exact_match", "--pass-score", "2"}), "--pass-score");
  WriteFile(gold_, "{broken\n");
  ExpectRefused(Lint({gold_, "-s", "exact_match"}), "no record");
}

TEST_F(LintCommandTest, GoldThatTakesTooMuchMemoryIsRefused) {
  std::string gold;
  for (int i = 0; i < 1000; ++i) {
    gold += "{\"id\": " + std::to_string(i) + ", \"expected\": \"" + std::string(60'000, 'x') +
            std::to_string(i) + "\"}\n";
  }
  WriteFile(gold_, gold);
  const SubprocessResult run = Lint({gold_, "-s", "exact_match", "--memory", "134217728"});
  ExpectRefused(
      run, "more than three quarters of the memory for the run, 134217728 bytes; give more with --memory");
}

TEST_F(LintCommandTest, ShowsProgressOnATerminal) {
  PseudoTerminal terminal(100);
  EXPECT_EQ(
      RunCommand({"lint", gold_, "-s", "exact_match"}, {}, {.error_terminal = terminal.terminal()}).exit_code,
      0);
  EXPECT_NE(terminal.Read().find(" records/s"), std::string::npos);
}

TEST_F(LintCommandTest, GoldAndAnswersComeFromFilesAndStandardInput) {
  const std::string answers = "{\"id\": 1, \"out\": \"x\"}\n{\"id\": 7, \"out\": \"x\"}\n";
  const SubprocessResult run = Lint({gold_, "-", "-s", "exact_match", "--actual-field", "out"}, answers);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("warning: answer_without_gold"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("ids: 7\n"), std::string::npos) << run.out;
  EXPECT_EQ(Lint({"-", "-s", "exact_match"}, ReadFile(gold_)).out, Lint({gold_, "-s", "exact_match"}).out);
}

TEST_F(LintCommandTest, WhatDataHoldDoesNotSteerTheTerminal) {
  // An id, the most common gold and a key with an escape, a mark of direction and markup.
  const std::string hostile = "\\u001b[31m\\u202e|*<b>";
  WriteFile(gold_, "{\"id\": \"" + hostile + "\", \"expected\": {\"" + hostile + "\": \"" + hostile +
                       "\"}}\n" + "{\"id\": \"" + hostile + "\", \"expected\": {\"" + hostile + "\": \"" +
                       hostile + "\"}}\n" + "{\"id\": 3, \"expected\": {\"" + hostile + "\": \"" + hostile +
                       "\"}}\n");
  for (const char* format : {"table", "md", "json"}) {
    const SubprocessResult run = Lint({gold_, "-s", "json_similarity", "--format", format});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(run.out.find("repeated"), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find('\x1b'), std::string::npos) << run.out;
    if (std::string(format) == "json") continue;  // which is for programs
    EXPECT_EQ(run.out.find("\xE2\x80\xAE"), std::string::npos) << run.out;
    if (std::string(format) == "md") {
      EXPECT_EQ(run.out.find("<b>"), std::string::npos) << run.out;
    }
  }
}

TEST_F(LintCommandTest, TheNameOfTheOutputDecidesItsFormat) {
  const std::vector<std::string> base = {gold_, "-s", "exact_match"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), base.begin(), base.end());
    return Lint(more);
  };
  const SubprocessResult json = with({"-o", folder_ / "lint.json"});
  EXPECT_EQ(json.exit_code, 0);
  EXPECT_EQ(json.out, "");
  EXPECT_TRUE(json.err.starts_with("leafscore: fine: ")) << json.err;
  EXPECT_EQ(ReadFile(folder_ / "lint.json"), with({"--format", "json"}).out);
  with({"-o", folder_ / "lint.md"});
  EXPECT_EQ(ReadFile(folder_ / "lint.md"), with({"--format", "md"}).out);
  with({"-o", folder_ / "lint.txt"});
  EXPECT_EQ(ReadFile(folder_ / "lint.txt"), with({}).out);
  const SubprocessResult both = with({"-o", folder_ / "both.json", "-o", folder_ / "both.md", "-o", "-"});
  EXPECT_EQ(both.out, with({}).out);
  EXPECT_EQ(both.err, "");
  EXPECT_EQ(ReadFile(folder_ / "both.json"), ReadFile(folder_ / "lint.json"));
  EXPECT_EQ(ReadFile(folder_ / "both.md"), ReadFile(folder_ / "lint.md"));
  with({"-o", folder_ / "other.md", "--format", "table"});
  EXPECT_EQ(ReadFile(folder_ / "other.md"), with({}).out);
}

TEST_F(LintCommandTest, TheExamplesOfTheDocumentation) {
  std::string page = ReadFile(LEAFSCORE_SOURCE_DIR "/docs/lint.md");
  const auto block = [&](const std::string& begin) {
    const std::size_t at = page.find(begin);
    EXPECT_NE(at, std::string::npos);
    return page.substr(at + begin.size(), page.find("```\n", at + begin.size()) - at - begin.size());
  };
  WriteFile(gold_, block("```jsonl\n"));
  EXPECT_EQ(Lint({gold_, "-s", "static_json"}).out, block("```text\n"));
  page.erase(0, page.find("## Accepted findings"));
  WriteFile(gold_, block("```jsonl\n"));
  const SubprocessResult accepted =
      Lint({gold_, "-s", "json_similarity", "--group-by", "task", "--accept", "easy_answer:superset"});
  EXPECT_TRUE(accepted.out.starts_with(block("```text\n") + "\nWhat easy answers get:\n")) << accepted.out;
}

TEST_F(LintCommandTest, AJudgeIsAskedOnlyOnRequestAndAsOftenAsHelpTells) {
  WriteFile(folder_ / "judge.py", R"(import json, sys
for line in sys.stdin:
    with open(sys.argv[0] + ".log", "a") as log:
        log.write(".")
    print(json.dumps({"score": 0.5, "sequence": json.loads(line)["sequence"]}), flush=True)
)");
  const std::string config = folder_ / "judge.yaml";
  WriteFile(config, "scorers:\n  - type: code_judge\n    process: persistent\n    script: [python3, " +
                        (folder_ / "judge.py") + "]\n");
  const std::string log = folder_ / "judge.py.log";
  // Gold that every easy answer can be put to.
  WriteFile(gold_,
            "{\"id\": 1, \"question\": \"p\", \"expected\": \"[5]\"}\n"
            "{\"id\": 2, \"question\": \"q\", \"expected\": \"[5]\"}\n"
            "{\"id\": 3, \"question\": \"r\", \"expected\": \"[5]\"}\n");
  const SubprocessResult unasked = Lint({gold_, "-c", config});
  EXPECT_EQ(unasked.exit_code, 0) << unasked.err;
  EXPECT_EQ(ReadFile(log), "");
  EXPECT_NE(unasked.out.find("(--ask-judges): code_judge\n"), std::string::npos) << unasked.out;
  const std::string answers = folder_ / "answers.jsonl";
  WriteFile(answers, "{\"id\": 1, \"actual\": 1}\n{\"id\": 2, \"actual\": 1}\n");
  const SubprocessResult asked = Lint({gold_, answers, "-c", config, "--ask-judges"});
  EXPECT_EQ(asked.exit_code, 0) << asked.err;
  EXPECT_EQ(ReadFile(log).size(), 3 * 13 + 2);
  EXPECT_NE(asked.out.find("code_judge  number_in_prose "), std::string::npos) << asked.out;
}

}  // namespace
}  // namespace leafscore::internal
