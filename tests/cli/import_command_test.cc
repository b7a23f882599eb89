// `leafscore check` and `leafscore import`, and files of UiPath's and AgentV's as configurations of score.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/schema.h"
#include "cli/subprocess.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

const std::string kUiPath = std::string(LEAFSCORE_TEST_DATA) + "/origins/uipath/";
const std::string kWeights = kUiPath + "evaluations/eval-sets/weights.json";
const std::string kOutputs = kUiPath + "outputs/weights.jsonl";

TEST(ImportCommand, AnImportedSetGivesTheSameScores) {
  const TempDir folder;
  const SubprocessResult theirs =
      RunCommand({"score", kOutputs, "-c", kWeights, "--actual-field", "output", "--details", "leaves"});
  EXPECT_EQ(theirs.exit_code, 0) << theirs.err;
  EXPECT_NE(theirs.err.find(
                "final: 0.6429 = (2 x 0.6667 ExactKey + 1 x 0.7500 JsonAll + 0.5 x 0.3333 HasKey) / 3.5"),
            std::string::npos)
      << theirs.err;
  const std::string config = folder / "scorers.yaml";
  const std::string gold = folder / "gold.jsonl";
  const SubprocessResult import = RunCommand({"import", kWeights, "-o", config, "--gold", gold});
  EXPECT_EQ(import.exit_code, 0) << import.err;
  EXPECT_EQ(import.err, "");
  const SubprocessResult ours = RunCommand(
      {"score", kOutputs, "-c", config, "--gold", gold, "--actual-field", "output", "--details", "leaves"});
  EXPECT_EQ(ours.exit_code, 0) << ours.err;
  EXPECT_EQ(ours.out, theirs.out);
}

TEST(ImportCommand, ReportsOfSetsFollowTheSchemas) {
  const TempDir folder;
  for (const std::string set : {"classes", "lines"}) {
    const SubprocessResult run =
        RunCommand({"score", kUiPath + "outputs/" + set + ".jsonl", "-c",
                    kUiPath + "evaluations/eval-sets/" + set + ".json", "--actual-field", "output",
                    "--summary", folder / "summary.json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    Schema("score_line").ExpectValidLines(run.out);
    EXPECT_EQ(Schema("summary").Fault(ReadFile(folder / "summary.json")), "");
  }
}

TEST(ImportCommand, GatesGoByTheFinalScore) {
  const std::vector<std::string> score = {"score",          kOutputs, "-c",           kWeights,
                                          "--actual-field", "output", "--max-errors", "9"};
  std::vector<std::string> passes = score;
  passes.insert(passes.end(), {"--fail-under", "final=0.64"});
  EXPECT_EQ(RunCommand(passes).exit_code, 0);
  std::vector<std::string> fails = score;
  fails.insert(fails.end(), {"--fail-under", "final=0.65"});
  const SubprocessResult run = RunCommand(fails);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find("the final score over all that was asked is 0.642857, 0.00714286 under 0.65"),
            std::string::npos)
      << run.err;
  std::vector<std::string> grouped = passes;
  grouped.insert(grouped.end(), {"--group-by", "kind", "--gate-by", "kind"});
  EXPECT_NE(RunCommand(grouped).err.find("the final score covers all records"), std::string::npos);
}

// Else a gate would pass by the part of the weight that can be scored here.
TEST(ImportCommand, NoGateIsHeldAgainstAPartOfAFinalScore) {
  const TempDir folder;
  const auto put = [&](const std::string& id, const std::string& type) {
    WriteFile(folder / ("evaluators/" + id + ".json"),
              R"({"version": "1.0", "id": ")" + id + R"(", "evaluatorTypeId": ")" + type +
                  R"(", "evaluatorConfig": {"name": ")" + id + R"(", "model": "m"}})");
  };
  std::filesystem::create_directories(folder / "evaluators");
  std::filesystem::create_directories(folder / "sets");
  put("exact", "uipath-exact-match");
  put("steps", "uipath-llm-judge-trajectory-similarity");
  WriteFile(folder / "sets/s.json",
            R"({"version": "1.0", "id": "s", "name": "S", "evaluatorRefs": ["exact", "steps"], "evaluations":
                [{"id": "1", "name": "1", "inputs": {}, "evaluationCriterias": {"exact": {"expectedOutput": {"a": 1}}}}]})");
  WriteFile(folder / "out.jsonl", R"({"id": "1", "output": {"a": 1}})");
  std::vector<std::string> score = {
      "score", folder / "out.jsonl", "-c", folder / "sets/s.json", "--actual-field", "output"};
  EXPECT_EQ(RunCommand(score).exit_code, 0) << RunCommand(score).err;
  score.insert(score.end(), {"--fail-under", "final=0.5"});
  const SubprocessResult run = RunCommand(score);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("cannot be done here (see above)"), std::string::npos) << run.err;
}

TEST(ImportCommand, ASetWithoutGoldFileSaysThatThereIsGold) {
  const SubprocessResult import = RunCommand({"import", kWeights});
  EXPECT_EQ(import.exit_code, 0);
  EXPECT_NE(import.err.find("5 gold records"), std::string::npos) << import.err;
  EXPECT_NE(import.out.find("    criteria_key: ExactKey\n"), std::string::npos) << import.out;
}

TEST(ImportCommand, WritesBothOutputsOrNone) {
  const TempDir folder;
  const std::string gold = folder / "gold.jsonl";
  for (const std::string& output : {std::string("/dev/full"), folder / "none/scorers.yaml"}) {
    EXPECT_EQ(RunCommand({"import", kWeights, "-o", output, "--gold", gold}).exit_code, 2) << output;
    EXPECT_FALSE(std::filesystem::exists(gold)) << output;
  }
  const std::string config = folder / "scorers.yaml";
  EXPECT_EQ(RunCommand({"import", kWeights, "-o", config, "--gold", "/dev/full"}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(config));
}

TEST(ImportCommand, RefusesWhatCheckRefusesOfOurs) {
  const TempDir folder;
  for (const std::string text : {"", "\n", "null\n", "a: 1\n"}) {
    WriteFile(folder / "c.yaml", text);
    const SubprocessResult import = RunCommand({"import", folder / "c.yaml"});
    EXPECT_EQ(import.exit_code, 2) << text;
    EXPECT_EQ(import.out, "") << text;
    EXPECT_EQ(RunCommand({"check", folder / "c.yaml"}).exit_code, 2) << text;
  }
}

TEST(ScoreCommand, SaysOfASetWhatItSkips) {
  const TempDir folder;
  std::filesystem::create_directories(folder / "evaluators");
  std::filesystem::create_directories(folder / "eval-sets");
  WriteFile(folder / "evaluators/a.json",
            "{\"version\": \"1.0\", \"id\": \"A\", \"evaluatorTypeId\": \"uipath-contains\"}");
  const std::string set = folder / "eval-sets/s.json";
  WriteFile(set,
            "{\"version\": \"1.0\", \"id\": \"s\", \"name\": \"S\", \"evaluatorRefs\": [\"A\"],\n"
            " \"evaluations\": [{\"id\": \"1\", \"name\": \"one\", \"inputs\": {},\n"
            "   \"evaluationCriterias\": {\"A\": {\"searchText\": \"x\"}, \"B\": null}}]}\n");
  WriteFile(folder / "out.jsonl", "{\"id\": \"1\", \"output\": \"X\"}\n");
  const SubprocessResult score =
      RunCommand({"score", folder / "out.jsonl", "-c", set, "--actual-field", "output", "--details", "none"});
  EXPECT_EQ(score.exit_code, 0) << score.err;
  EXPECT_NE(score.err.find("skipped of " + set + ", as UiPath does: criteria of \"B\""), std::string::npos)
      << score.err;
}

TEST(ScoreCommand, TakesOptionsOfGoldForATestThatHoldsItsOwn) {
  const TempDir folder;
  const std::string suite = folder / "s.eval.yaml";
  WriteFile(suite, "prompts: [p]\ntests: [{id: a, assert: [{type: equals, value: x}]}]\n");
  WriteFile(folder / "out.jsonl",
            "{\"key\": \"a\", \"actual\": \"x\"}\n{\"key\": \"a\", \"actual\": \"y\"}\n");
  const auto score = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"score", folder / "out.jsonl", "-q"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunCommand(arguments);
  };
  // The answers score 1 and 0.
  for (const auto& [repeats, mean] :
       {std::pair<std::string, double>{"first", 1}, {"last", 0}, {"all", 0.5}}) {
    const SubprocessResult run =
        score({"-c", suite, "--join", "key", "--gold-id-field", "id", "--repeats", repeats, "-o",
               folder / "scores.jsonl", "--summary", folder / "summary.json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const rapidjson::Document summary = ParseLine(ReadFile(folder / "summary.json"));
    EXPECT_EQ(summary["scorers"][0]["over_all"]["mean"].GetDouble(), mean) << repeats;
  }
  ExpectRefused(score({"-s", "exact_match", "--repeats", "all"}),
                "--repeats requires --gold, or a --config that holds gold of its own");
}

TEST(CheckCommand, SaysOfEachPartWhatItDoes) {
  const TempDir folder;
  std::filesystem::create_directories(folder / "evaluators");
  std::filesystem::create_directories(folder / "eval-sets");
  WriteFile(folder / "evaluators/a.json",
            "{\"version\": \"1.0\", \"id\": \"A\", \"evaluatorTypeId\": \"uipath-exact-match\",\n"
            " \"evaluatorConfig\": {\"name\": \"Same\",\n"
            "  \"ignoreCase\": true}}\n");
  WriteFile(folder / "evaluators/b.json",
            "{\"version\": \"1.0\", \"id\": \"B\", \"evaluatorTypeId\": "
            "\"uipath-llm-judge-trajectory-similarity\",\n"
            " \"evaluatorConfig\": {\"name\": \"Order\"}}\n");
  const std::string set = folder / "eval-sets/s.json";
  WriteFile(set,
            "{\"version\": \"1.0\", \"id\": \"s\", \"name\": \"S\", \"evaluatorRefs\": [\"A\", \"B\"],\n"
            " \"modelSettings\": [],\n"
            " \"evaluations\": [{\"id\": \"1\", \"name\": \"one\", \"inputs\": {},\n"
            "   \"evaluationCriterias\": {\"A\": {\"expectedOutput\": \"x\"}, \"B\": null}}]}\n");
  const SubprocessResult check = RunCommand({"check", set});
  EXPECT_EQ(check.exit_code, 1) << check.err;
  const std::string evaluators = (std::filesystem::path(std::string(folder / "evaluators"))).string();
  EXPECT_EQ(check.out,
            set + " is a file of UiPath\n" +  //
                evaluators + "/a.json:1: runs: evaluator \"Same\" (uipath-exact-match): exact_match\n" +
                evaluators +
                "/a.json:3: ignored: evaluator \"Same\" (uipath-exact-match), \"ignoreCase\": UiPath "
                "ignores it, too\n" +
                evaluators +
                "/b.json:1: cannot run here: evaluator \"Order\" (uipath-llm-judge-trajectory-similarity): "
                "it judges the steps of an agent's run, which a file of answers does not have; leave it to "
                "UiPath\n" +
                set +
                ":2: ignored: member \"modelSettings\": it describes how an agent is run, or nothing\n" +
                set + ":3: runs: evaluations: 1 gold records\n");

  WriteFile(folder / "out.jsonl", "{\"id\": \"1\", \"output\": \"X\"}\n");
  const SubprocessResult score =
      RunCommand({"score", folder / "out.jsonl", "-c", set, "--actual-field", "output", "--details", "none"});
  EXPECT_EQ(score.exit_code, 0) << score.err;
  EXPECT_NE(score.err.find("of " + set + ", this cannot be done here"), std::string::npos) << score.err;
  EXPECT_NE(score.out.find("\"scorer\": \"Same\", \"outcome\": \"scored\", \"score\": 1"), std::string::npos)
      << score.out;
}

TEST(CheckCommand, WhereNothingIsLeftItSaysSo) {
  const TempDir folder;
  std::filesystem::create_directories(folder / "evaluators");
  std::filesystem::create_directories(folder / "eval-sets");
  WriteFile(folder / "evaluators/a.json",
            "{\"version\": \"1.0\", \"id\": \"A\", \"evaluatorTypeId\": \"uipath-contains\"}");
  const std::string head = "{\"version\": \"1.0\", \"id\": \"s\", \"name\": \"S\", ";
  struct Case {
    std::string file;
    std::string text;
    std::string line;  // of check, and in the message of score
  };
  const Case cases[] = {
      {"eval-sets/e.json",
       head +
           "\"evaluatorConfigs\": [], \"evaluations\": [{\"id\": \"1\", \"name\": \"one\", \"inputs\": {}, "
           "\"evaluationCriterias\": {}}]}",
       "evaluators: the set refers to no evaluator"},
      {"eval-sets/n.json", head + "\"evaluatorRefs\": [\"A\"], \"evaluations\": []}",
       "evaluations: there are none"},
      {"none.eval.yaml", "tests: []\n", "tests: there are none"},
      {"none.eval.jsonl", "\n", "tests: there are none"},
      {"skipped.eval.yaml", "prompts: [p]\ntests: [{id: a}]\n", "test \"a\": it has no assert"},
  };
  WriteFile(folder / "out.jsonl", "{\"id\": \"1\", \"actual\": \"x\"}\n");
  for (const Case& each : cases) {
    const std::string file = folder / each.file;
    WriteFile(file, each.text);
    const SubprocessResult check = RunCommand({"check", file});
    EXPECT_EQ(check.exit_code, 1) << check.err;
    EXPECT_NE(check.out.find(": " + each.line + "\n"), std::string::npos) << check.out;
    const SubprocessResult score = RunCommand({"score", folder / "out.jsonl", "-c", file});
    EXPECT_EQ(score.exit_code, 2) << file;
    EXPECT_NE(score.err.find(" can" + std::string(each.line.starts_with("evaluations") ? "not" : "") +
                             " be done here: " + each.line),
              std::string::npos)
        << score.err;
  }
}

TEST(ImportCommand, RefusesASetThatCannotBeScored) {
  const TempDir folder;
  std::filesystem::create_directories(folder / "evaluators");
  std::filesystem::create_directories(folder / "eval-sets");
  for (const auto& [id, name] :
       {std::pair("A", "same"), std::pair("B", "same"), std::pair("C", "same (A)")}) {
    WriteFile(folder / ("evaluators/" + std::string(id) + ".json"),
              std::string("{\"version\": \"1.0\", \"id\": \"") + id +
                  "\", \"evaluatorTypeId\": \"uipath-contains\", \"evaluatorConfig\": {\"name\": \"" + name +
                  "\"}}");
  }
  const std::string set = folder / "eval-sets/s.json";
  WriteFile(
      set,
      "{\"version\": \"1.0\", \"id\": \"s\", \"name\": \"S\", \"evaluatorRefs\": [\"A\", \"B\", \"C\"], "
      "\"evaluations\": [{\"id\": \"1\", \"name\": \"one\", \"inputs\": {}, \"evaluationCriterias\": {}}]}");
  EXPECT_EQ(RunCommand({"check", set}).exit_code, 2);
  const SubprocessResult import = RunCommand({"import", set, "-o", folder / "ours.yaml"});
  EXPECT_EQ(import.exit_code, 2);
  EXPECT_NE(import.err.find("same (A)"), std::string::npos) << import.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "ours.yaml"));
}

TEST(CheckCommand, OursRunOrAreRefused) {
  const TempDir folder;
  WriteFile(folder / "c.yaml", "evaluators:\n  - type: contains\n  - {name: x, type: exact_match}\n");
  const SubprocessResult check = RunCommand({"check", folder / "c.yaml"});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  const std::string path = folder / "c.yaml";
  EXPECT_EQ(check.out, path + ":2: runs: scorer \"contains\": contains\n" + path +
                           ":3: runs: scorer \"x\": exact_match\n");
  WriteFile(folder / "d.yaml", "evaluators: [{type: contains, case_sensitve: true}]\n");
  const SubprocessResult wrong = RunCommand({"check", folder / "d.yaml"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("case_sensitive"), std::string::npos) << wrong.err;
}

const std::string kAgentV = std::string(LEAFSCORE_TEST_DATA) + "/origins/agentv/";

TEST(ImportCommand, AnImportedSuiteGivesTheSameScores) {
  const TempDir folder;
  const std::string answers = folder / "answers.jsonl";
  std::string lines;
  for (const char* const test : {"replies", "config", "shell", "folder", "document"}) {
    lines += "{\"id\": \"" + std::string(test) + "\", \"actual\": \"alpha\"}\n";
  }
  WriteFile(answers, lines);
  const std::string suite = kAgentV + "scripts.eval.yaml";
  const SubprocessResult theirs = RunCommand({"score", answers, "-c", suite});
  EXPECT_EQ(theirs.exit_code, 0) << theirs.err;
  const std::string config = folder / "scorers.yaml";
  const std::string gold = folder / "gold.jsonl";
  const SubprocessResult import = RunCommand({"import", suite, "-o", config, "--gold", gold});
  EXPECT_EQ(import.exit_code, 0) << import.err;
  EXPECT_EQ(import.err, "");
  const SubprocessResult ours = RunCommand({"score", answers, "-c", config, "--gold", gold});
  EXPECT_EQ(ours.exit_code, 0) << ours.err;
  EXPECT_EQ(ours.out, theirs.out);
  EXPECT_NE(
      ours.out.find("\"id\": \"config\", \"source\": \"answers\", \"scorer\": \"scripts\", \"outcome\": "
                    "\"scored\", \"score\": 0.5"),
      std::string::npos)
      << ours.out;
}

TEST(CheckCommand, SaysOfASuiteWhatRunsAndWhatDoesNot) {
  const TempDir folder;
  const std::string suite = folder / "x.eval.yaml";
  WriteFile(suite,
            "prompts: [p]\ntests:\n- id: a\n  assert: [{type: is-json}, {type: latency}]\n- id: b\n  assert: "
            "[{type: "
            "levenshtein}]\n");
  const SubprocessResult check = RunCommand({"check", suite});
  EXPECT_EQ(check.exit_code, 1);
  EXPECT_EQ(check.out,
            suite + " is a file of AgentV\n" + suite + ":3: runs: test \"a\": 2 asserts\n" + suite +
                ":4: cannot run here: 1 assert: latency needs a trace of the agent's run, which records do "
                "not have; check it where the agent runs; until then it scores 0\n" +
                suite + ":6: skipped: test \"b\": AgentV has no type levenshtein; write a script assert\n");
  WriteFile(folder / "out.jsonl", "{\"id\": \"a\", \"actual\": \"1\"}\n");
  const SubprocessResult score = RunCommand({"score", folder / "out.jsonl", "-c", suite});
  EXPECT_EQ(score.exit_code, 0) << score.err;
  EXPECT_NE(score.out.find("\"score\": 0.5"), std::string::npos) << score.out;
  EXPECT_NE(score.err.find("skipped of " + suite + ", as AgentV does: test \"b\""), std::string::npos)
      << score.err;
  EXPECT_NE(score.err.find("this cannot be done here: 1 assert: latency"), std::string::npos) << score.err;
}

TEST(ScoreCommand, ASuiteOfWhichNothingIsLeftSaysWhy) {
  const TempDir folder;
  const std::string suite = folder / "x.eval.yaml";
  WriteFile(suite, "prompts: [p]\ntests:\n- id: b\n  assert: [{type: levenshtein}]\n");
  WriteFile(folder / "out.jsonl", "{\"id\": \"a\", \"actual\": \"1\"}\n");
  const SubprocessResult score = RunCommand({"score", folder / "out.jsonl", "-c", suite});
  EXPECT_EQ(score.exit_code, 2);
  EXPECT_NE(
      score.err.find("nothing in " + suite + " can be done here: test \"b\": AgentV has no type levenshtein"),
      std::string::npos)
      << score.err;
}

}  // namespace
}  // namespace leafscore::internal
