// Every situation under every gate: the exit statuses, which docs/gates.md shows as a table.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/schema.h"
#include "cli/subprocess.h"
#include "run/run_testing.h"
#include "sanitized.h"

namespace leafscore::internal {
namespace {

constexpr int kRecords = 100;

struct Situation {
  std::string name;
  std::string pairs;
  std::string gold = {};  // empty: the pairs hold what is expected
  std::string scorer = "{type: exact_match}";
};

// Records of which `good` are right, and the rest as the format string says, with the number of each.
std::string Pairs(int good, const std::string& rest) {
  std::string text;
  for (int i = 0; i < kRecords; ++i) {
    text += i < good ? fmt::format(R"({{"id": {}, "expected": {{"x": 1}}, "actual": {{"x": 1}}}})", i)
                     : fmt::format(fmt::runtime(rest), i);
    text += '\n';
  }
  return text;
}

// Answers that are right.
std::string Answers(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format("{{\"id\": {}, \"actual\": 1}}\n", i);
  return text;
}

std::string Gold(const std::string& more = {}) {
  std::string text;
  for (int i = 0; i < kRecords; ++i) text += fmt::format("{{\"id\": {}, \"expected\": 1}}\n", i);
  return text + more;
}

std::vector<Situation> Situations() {
  const std::string wrong_then_right =
      Answers(kRecords) + "{\"id\": 0, \"actual\": 2}\n{\"id\": 0, \"actual\": 1}\n";
  const std::string one_right_often = Answers(1) + Answers(kRecords);
  std::string repeated;
  for (int i = 0; i < kRecords; ++i) repeated += Answers(1);
  return {
      {"all right", Pairs(100, "")},
      {"5 of 100 wrong", Pairs(95, R"({{"id": {}, "expected": {{"x": 1}}, "actual": {{"x": 2}}}})")},
      {"99 of 100 wrong", Pairs(1, R"({{"id": {}, "expected": {{"x": 1}}, "actual": {{"x": 2}}}})")},
      {"99 of 100 answers missing", Pairs(1, R"({{"id": {}, "expected": {{"x": 1}}}})")},
      {"99 of 100 answers are refusals",
       Pairs(1, R"({{"id": {}, "expected": {{"x": 1}}, "actual": "I cannot help with that."}})"),
       {},
       "{type: field_accuracy, fields: [{path: x, match: exact}]}"},
      {"99 of 100 answers lack the target key",
       Pairs(1, R"({{"id": {}, "expected": {{"x": 1}}, "actual": {{"y": 1}}}})"),
       {},
       "{type: exact_match, target_output_key: x}"},
      {"gold: 99 of 100 ids unanswered", Answers(1), Gold()},
      {"gold: one id answered 100 times", repeated, Gold()},
      {"gold: an answer corrected later", wrong_then_right, Gold()},
      {"1 of 100 expected values missing", Pairs(99, R"({{"id": {}, "actual": {{"x": 1}}}})")},
      {"levenshtein: 1 of 100 expected values missing",
       Pairs(99, R"({{"id": {}, "actual": {{"x": 1}}}})"),
       {},
       "{type: levenshtein}"},
      {"1 of 100 expected values holds nothing that counts",
       Pairs(99, R"({{"id": {}, "expected": {{}}, "actual": "Sorry"}})"),
       {},
       "{type: json_similarity}"},
      {"1 of 100 records has the id of another", Pairs(99, R"({{"id": 0, "expected": 1, "actual": 1}})")},
      {"1 of 100 lines broken", Pairs(99, R"({{"id": {}, "expected)")},
      {"the first of 100 lines an array", "[1, 2]\n" + Pairs(99, "")},
      {"nothing compared, as all paths are ignored",
       Pairs(0, R"({{"id": {}, "expected": {{"x": 1}}, "actual": {{"x": 2}}}})"),
       {},
       "{type: json_similarity, ignore_paths: ['**']}"},
      {"no expected value has the field of the scorer",
       Pairs(0, R"({{"id": {}, "expected": {{"x": 1}}, "actual": {{"x": 2}}}})"),
       {},
       "{type: field_accuracy, fields: [{path: y}]}"},
      {"no record has the field of the answer",
       Pairs(0, R"({{"id": {}, "expected": {{"x": 1}}, "answer": 1}})")},
      {"gold: 1 line broken", Answers(kRecords), Gold("{\"id\": 100, \"expected\n")},
      {"gold: 1 answer without gold", Answers(kRecords + 1), Gold()},
      {"gold: 1 id twice", Answers(kRecords), Gold("{\"id\": 0, \"expected\": 1}\n")},
  };
}

const std::vector<std::vector<std::string>> kGates = {
    {},
    {"--fail-under", "0.9"},
    {"--min-pass-rate", "0.9"},
    {"--min-coverage", "0.9"},
    {"--max-errors", "0"},
    {"--fail-under", "0.9", "--max-errors", "5%"},
    {"--strict"},
};

class GatesCommand : public ::testing::Test {
 protected:
  int ExitStatus(const Situation& situation, const std::vector<std::string>& gate) {
    const std::string pairs = folder_ / "pairs.jsonl";
    const std::string config = folder_ / "scorers.yaml";
    const std::string gold = folder_ / "gold.jsonl";
    WriteFile(pairs, situation.pairs);
    WriteFile(config, "scorers: [" + situation.scorer + "]\n");
    std::vector<std::string> arguments = {"score", "-q", pairs, "-c", config, "-o", folder_ / "out.jsonl"};
    if (!situation.gold.empty()) {
      WriteFile(gold, situation.gold);
      arguments.insert(arguments.end(), {"--gold", gold});
    }
    arguments.insert(arguments.end(), gate.begin(), gate.end());
    return RunCommand(arguments).exit_code;
  }

  TempDir folder_;
};

// When the behaviour changes on purpose, the table that this prints belongs in docs/gates.md.
TEST_F(GatesCommand, ExitStatusesAreThoseOfTheDocumentation) {
  if (kSanitized) GTEST_SKIP() << "hundreds of runs, of what other tests run, too";
  std::string table = "| situation |";
  for (const std::vector<std::string>& gate : kGates) {
    std::string text = gate.empty() ? "no gate" : "`";
    for (const std::string& argument : gate) text += argument + " ";
    if (!gate.empty()) text.back() = '`';
    table += " " + text + " |";
  }
  table += "\n|---|";
  for (std::size_t i = 0; i < kGates.size(); ++i) table += ":---:|";
  table += "\n";
  for (const Situation& situation : Situations()) {
    table += "| " + situation.name + " |";
    for (const std::vector<std::string>& gate : kGates) {
      table += fmt::format(" {} |", ExitStatus(situation, gate));
    }
    table += "\n";
  }
  const std::string documentation = ReadFile(LEAFSCORE_SOURCE_DIR "/docs/gates.md");
  EXPECT_NE(documentation.find("\n" + table + "\n"), std::string::npos) << table;
}

// A sentence for each gate that failed: which, by how much, on how many records, and why.
TEST_F(GatesCommand, SaysWhatFailed) {
  const std::string pairs = folder_ / "pairs.jsonl";
  WriteFile(pairs, Pairs(1, R"({{"id": {}, "expected": {{"x": 1}}, "model": "m"}})"));
  const SubprocessResult run = RunCommand({"score", "-q", pairs, "-s", "exact_match", "--group-by", "model",
                                           "--fail-under", "exact_match=0.9", "--min-pass-rate", "0.5",
                                           "--min-coverage", "0.02", "--gate-by", "model"});
  EXPECT_EQ(run.exit_code, 1);
  const std::string all = "; 99 of 100 records have no score; most often: missing_actual 99 (\"1\")\n";
  const std::string group = "; 99 of 99 records have no score; most often: missing_actual 99 (\"1\")\n";
  const std::string lead = "leafscore: gate failed: the ";
  EXPECT_EQ(
      run.err,
      lead +
          "mean of exact_match over all that was asked is 0.01 (95% from 0.0002 to 0.0545, over 100 "
          "records), 0.89 under 0.9" +
          all +  //
          lead +
          "pass rate of exact_match over all that was asked is 0.01 (95% from 0.0018 to 0.0545, over 100 "
          "records), 0.49 under 0.5" +
          all + lead +
          "coverage of exact_match over all that was asked is 0.01 (over 100 records), 0.01 under 0.02" +
          all + lead +
          "mean of exact_match for model=m over all that was asked is 0 (95% from 0.0000 to 0.0367, over 99 "
          "records), 0.9 under 0.9" +
          group +
          "leafscore: gate failed: there is no pass rate of exact_match for model=m to hold against 0.5" +
          group + lead +
          "coverage of exact_match for model=m over all that was asked is 0 (over 99 records), 0.02 under "
          "0.02" +
          group);
}

TEST_F(GatesCommand, ErrorsAreCountedWithTheirReasons) {
  const std::string pairs = folder_ / "pairs.jsonl";
  WriteFile(pairs, Pairs(97, R"({{"id": {}, "actual": 1}})") + "{broken\n");
  const auto score = [&](const std::string& limit) {
    return RunCommand({"score", "-q", pairs, "-s", "exact_match", "--max-errors", limit});
  };
  EXPECT_EQ(score("4").exit_code, 0);
  EXPECT_EQ(score("4%").exit_code, 0);  // of 101
  const SubprocessResult run = score("3");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.err,
            "leafscore: gate failed: 4 errors of exact_match in 101 records asked for are more than 3: "
            "missing_expected 3 (\"97\"), invalid_json 1 (record 101)\n");
  EXPECT_EQ(score("3.9%").exit_code, 1);
  for (const std::string value : {"-1", "x", "", "%", "101%", "nan%", "1.5"}) {
    ExpectRefused(score(value), "--max-errors");
  }
}

// With gold, what cannot be told apart from a lost answer is an error beside what was asked.
TEST_F(GatesCommand, FlawsBesideWhatWasAskedAreErrors) {
  const std::string gold = folder_ / "gold.jsonl";
  const std::string answers = folder_ / "m.jsonl";
  WriteFile(gold, Gold("{broken\n{\"expected\": 1}\n{\"id\": 0, \"expected\": 1}\n"));
  WriteFile(answers, Answers(kRecords + 1) + "{broken\n");
  const SubprocessResult run =
      RunCommand({"score", "-q", answers, "--gold", gold, "-s", "exact_match", "--fail-under", "1"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(
      run.err,
      "leafscore: gate failed: 5 errors of exact_match in 100 records asked for are more than 0, 1 rejected "
      "records, 1 answers without gold, 1 rejected gold records, 1 gold records without id, 1 gold ids "
      "that come again\n");
}

// Many answers to one id cover no other id, and make no room for errors.
TEST_F(GatesCommand, RepeatedAnswersDiluteNothing) {
  const std::string gold = folder_ / "gold.jsonl";
  const std::string answers = folder_ / "m.jsonl";
  WriteFile(gold, Gold("{\"id\": 100}\n{\"id\": 101}\n"));
  std::string text = Answers(60) + "{\"id\": 100, \"actual\": 1}\n{\"id\": 101, \"actual\": 1}\n";
  for (int i = 0; i < 1000; ++i) text += Answers(1);
  WriteFile(answers, text);
  const auto score = [&](const std::vector<std::string>& gate) {
    std::vector<std::string> arguments = {"score",
                                          "-q",
                                          answers,
                                          "--gold",
                                          gold,
                                          "-s",
                                          "exact_match",
                                          "--repeats",
                                          "all",
                                          "-o",
                                          folder_ / "out.jsonl"};
    arguments.insert(arguments.end(), gate.begin(), gate.end());
    return RunCommand(arguments);
  };
  EXPECT_EQ(score({"--min-coverage", "0.58", "--max-errors", "2%"}).exit_code, 0);  // 60 and 2 of 102 ids
  EXPECT_EQ(score({"--min-coverage", "0.6", "--max-errors", "2%"}).exit_code, 1);
  EXPECT_EQ(score({"--max-errors", "1.9%"}).exit_code, 1);
  ExpectRefused(RunCommand({"leaderboard", folder_ / "out.jsonl"}), "was scored with --repeats all");
  EXPECT_EQ(RunCommand({"leaderboard", folder_ / "out.jsonl", "--repeats", "all"}).exit_code, 0);
}

// A gate that is asked to hold in every group must not pass over those that have no figures of their own.
TEST_F(GatesCommand, GroupsWithoutFiguresOfTheirOwnFail) {
  const std::string pairs = folder_ / "pairs.jsonl";
  std::string text;
  for (int i = 0; i < 5; ++i) text += fmt::format("{{\"expected\": 1, \"actual\": 1, \"g\": {}}}\n", i);
  WriteFile(pairs, text + "{\"expected\": 1, \"actual\": 2, \"g\": \"bad\"}\n");
  const auto score = [&](const std::string& groups) {
    return RunCommand({"score", "-q", pairs, "-s", "exact_match", "--group-by", "g", "--gate-by", "g",
                       "--fail-under", "0", "--max-groups", groups});
  };
  EXPECT_EQ(score("6").exit_code, 0);
  const SubprocessResult run = score("5");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find("1 records are in groups by g that are too many"), std::string::npos) << run.err;
}

TEST_F(GatesCommand, UnknownNamesAreRefusedBeforeTheRun) {
  const std::string pairs = folder_ / "pairs.jsonl";
  WriteFile(pairs, Pairs(100, ""));
  ExpectRefused(RunCommand({"score", pairs, "-s", "exact_match", "--fail-under", "exact_mach=0.9"}),
                "no scorer \"exact_mach\"");
  ExpectRefused(
      RunCommand({"score", pairs, "-s", "exact_match", "--fail-under", "0.9", "--gate-by", "model"}),
      "no groups by \"model\"");
  ExpectRefused(RunCommand({"score", pairs, "-s", "exact_match", "--fail-under", "=0.9"}), "--fail-under");
}

TEST_F(GatesCommand, GroupsToHoldGatesByWithoutAnyGateAreRefused) {
  const std::string pairs = folder_ / "pairs.jsonl";
  WriteFile(pairs, Pairs(100, ""));
  ExpectRefused(RunCommand({"score", pairs, "-s", "exact_match", "--group-by", "g", "--gate-by", "g"}),
                "there is no gate to hold for each group by \"g\"");
}

// Ten records of which the last is wrong, as docs/gates.md has them: chance alone may have passed them.
TEST_F(GatesCommand, TheDocumentationShowsHowSureAGateIs) {
  std::string pairs;
  for (int i = 1; i <= 10; ++i) {
    pairs += fmt::format("{{\"id\": \"q{}\", \"expected\": 1, \"actual\": {}}}\n", i, i == 10 ? 2 : 1);
  }
  const std::string file = folder_ / "answers.jsonl";
  const std::string summary = folder_ / "summary.json";
  WriteFile(file, pairs);
  std::vector<std::string> arguments = {
      "score",           file,  "-s",        "exact_match", "-o", folder_ / "s.jsonl",
      "--min-pass-rate", "0.9", "--summary", summary};
  const SubprocessResult run = RunCommand(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  arguments.insert(arguments.end(), {"-q", "--sure"});
  const SubprocessResult sure = RunCommand(arguments);
  EXPECT_EQ(sure.exit_code, 1);
  const std::string documentation = ReadFile(LEAFSCORE_SOURCE_DIR "/docs/gates.md");
  const std::string held = run.err.substr(run.err.find("leafscore: gate holds"));
  EXPECT_NE(documentation.find("\n" + held), std::string::npos) << held;
  EXPECT_NE(documentation.find("\n" + sure.err), std::string::npos) << sure.err;

  const std::string json = ReadFile(summary);
  EXPECT_EQ(Schema("summary").Fault(json), "");
  const rapidjson::Document parsed = ParseLine(json);
  const auto& gate = parsed["gates"][0];
  EXPECT_STREQ(gate["gate"].GetString(), "min-pass-rate 0.9");
  EXPECT_FALSE(gate["passed"].GetBool());
  EXPECT_TRUE(gate["sure"].GetBool());
  EXPECT_EQ(gate["figure"].GetDouble(), 0.9);
  EXPECT_NEAR(gate["interval"]["low"].GetDouble(), 0.5958, 5e-5);
  EXPECT_EQ(gate["records"].GetUint64(), 10u);
  const auto& cause = parsed["scorers"][0]["causes"][0];
  EXPECT_STREQ(cause["cause"].GetString(), "other");
  EXPECT_STREQ(cause["example"].GetString(), "q10");
  ExpectRefused(RunCommand({"score", file, "-s", "exact_match", "--sure"}), "no gate that could be sure");
}

// Whole groups, too, and in a merge as in one run.
TEST_F(GatesCommand, SureHoldsForEachGroup) {
  std::string pairs;
  for (int i = 1; i <= 60; ++i) {
    pairs += fmt::format("{{\"id\": {}, \"topic\": \"{}\", \"expected\": 1, \"actual\": 1}}\n", i,
                         i <= 4 ? "small" : "large");
  }
  const std::string file = folder_ / "pairs.jsonl";
  WriteFile(file, pairs);
  const std::vector<std::string> gates = {"-q", "--fail-under", "0.9", "--sure", "--gate-by", "topic"};
  std::vector<std::string> arguments = {"score", file, "-s", "json_similarity", "--group-by", "topic"};
  const std::string scores = folder_ / "scores.jsonl";
  for (const char* shard : {"1/2", "2/2"}) {
    std::vector<std::string> part = arguments;
    part.insert(part.end(), {"-q", "--shard", shard, "-o", scores});
    EXPECT_EQ(RunCommand(part).exit_code, 0);
  }
  arguments.insert(arguments.end(), gates.begin(), gates.end());
  const SubprocessResult run = RunCommand(arguments);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(
      run.err,
      "leafscore: gate failed: the mean of json_similarity for topic=small over all that was asked is 1 "
      "(95% from 0.3953 to 1.0000, over 4 records), but it may be 0.5047 under 0.9\n");
  std::vector<std::string> merge = {"merge", scores + ".shard-1-of-2", scores + ".shard-2-of-2", "-o",
                                    folder_ / "merged.jsonl"};
  merge.insert(merge.end(), gates.begin(), gates.end());
  EXPECT_EQ(RunCommand(merge).err, run.err);
}

// The options, and the values of options, that are nearly right.
TEST_F(GatesCommand, SaysWhatWasProbablyMeant) {
  const std::string pairs = folder_ / "pairs.jsonl";
  WriteFile(pairs, Pairs(100, ""));
  const auto score = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"score", pairs, "-s", "exact_match"});
    return RunCommand(arguments);
  };
  ExpectRefused(score({"--fail-under", "exact_mach=0.5"}), "did you mean \"exact_match\"?");
  ExpectRefused(score({"--group-by", "topic", "--gate-by", "topics", "--fail-under", "0"}),
                "did you mean \"topic\"?");
  ExpectRefused(score({"--fail-undr", "0.5"}), "did you mean \"--fail-under\"?");
  ExpectRefused(score({"--repeats", "al"}), "did you mean \"all\"?");
}

}  // namespace
}  // namespace leafscore::internal
