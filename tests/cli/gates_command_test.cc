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
          "leafscore: gate failed: there is no pass rate of exact_match for model=m to compare with 0.5" +
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
      "records, 1 answers without gold, 1 rejected gold records, 1 gold records without id, 1 repeated gold "
      "ids\n");
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
  EXPECT_NE(run.err.find("1 records are in groups by g that gates cannot check"), std::string::npos)
      << run.err;
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
                "there is no gate for the groups by \"g\"");
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
  ExpectRefused(RunCommand({"score", file, "-s", "exact_match", "--sure"}), "no gate can be sure");
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

// Four models' answers to ten questions held what forty questions would, and passed.
TEST_F(GatesCommand, SeveralAnswersToOneQuestionAreNoSurerThanOne) {
  const std::string gold = folder_ / "gold.jsonl";
  std::string golds;
  std::string answers;
  std::string of_models;
  for (int i = 0; i < 10; ++i) {
    golds += fmt::format("{{\"id\": {}, \"expected\": 1}}\n", i);
    answers += fmt::format("{{\"id\": {}, \"actual\": 1}}\n", i);
    for (const char* model : {"a", "b", "c", "d"}) {
      of_models += fmt::format(
          "{{\"id\": {}, \"model\": \"{}\", \"topic\": \"{}\", \"expected\": 1, \"actual\": 1}}\n", i, model,
          i < 5 ? "low" : "high");
    }
  }
  WriteFile(gold, golds);
  std::vector<std::string> sources;
  for (const char* name : {"a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl"}) {
    WriteFile(sources.emplace_back(folder_ / name), answers);
  }
  const std::string asked_often = folder_ / "often.jsonl";
  WriteFile(asked_often, answers + answers + answers + answers);
  const std::string by_field = folder_ / "models.jsonl";
  WriteFile(by_field, of_models);
  const auto score = [&](std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.begin(), "score");
    arguments.insert(arguments.end(), {"-s", "exact_match", "-q", "--min-pass-rate", "0.9", "--sure"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunCommand(arguments);
  };
  const std::string failed =
      "leafscore: gate failed: the pass rate of exact_match over all that was asked is 1 (95% from 0.7225 to "
      "1.0000, over 40 records, as sure as 10), but it may be 0.1775 under 0.9\n";
  EXPECT_NE(ReadFile(LEAFSCORE_SOURCE_DIR "/docs/gates.md").find("\n" + failed), std::string::npos);
  const std::string summary = folder_ / "summary.json";
  EXPECT_EQ(score(sources, {"--gold", gold, "--summary", summary}).err, failed);
  const rapidjson::Document parsed = ParseLine(ReadFile(summary));
  EXPECT_EQ(Schema("summary").Fault(ReadFile(summary)), "");
  EXPECT_EQ(parsed["gates"][0]["records"].GetUint64(), 40u);
  EXPECT_EQ(parsed["gates"][0]["effective_records"].GetDouble(), 10);
  EXPECT_EQ(parsed["scorers"][0]["groups"][0]["effective_records"].GetDouble(), 10);  // one source
  EXPECT_EQ(score({asked_often}, {"--gold", gold, "--repeats", "all"}).err, failed);
  EXPECT_EQ(score({by_field}, {"--source-field", "model"}).err, failed);
  EXPECT_EQ(score({by_field}, {"--source-field", "model", "--gold", gold}).err, failed);
  // Groups of several sources, those of one, and ids that come again.
  const std::string groups = score({by_field}, {"--source-field", "model", "--group-by", "topic", "--gate-by",
                                                "topic", "--gate-by", "model", "--fail-under", "0"})
                                 .err;
  EXPECT_NE(groups.find("for topic=low over all that was asked is 1 (95% from 0.5655 to 1.0000, over 20 "
                        "records, as sure as 5)"),
            std::string::npos)
      << groups;
  EXPECT_NE(groups.find("for model=a over all that was asked is 1 (95% from 0.7225 to 1.0000, over 10 "
                        "records)"),
            std::string::npos)
      << groups;
  const std::string repeated = score({by_field}, {"--max-errors", "100%"}).err;
  EXPECT_NE(repeated.find("over 40 records, as sure as 1)"), std::string::npos) << repeated;
}

// The mean of a group of which all answers but one "yes" are right is 0.975; its F of "yes" is 0.
TEST_F(GatesCommand, GroupsAreHeldToTheirFigureByClasses) {
  const std::string config = folder_ / "scorers.yaml";
  WriteFile(config, "scorers: [{name: c, type: classification, positive_class: \"yes\"}]\n");
  const auto answers = [](const char* group, const char* right, const char* last) {
    std::string text;
    for (int i = 0; i < 40; ++i) {
      text += fmt::format(R"({{"id": "{0}{1}", "g": "{0}", "expected": "{2}", "actual": "{3}"}})", group, i,
                          i == 39 ? "yes" : right, i == 39 ? last : right);
      text += '\n';
    }
    return text;
  };
  const std::string all = folder_ / "all.jsonl";
  const std::string alone = folder_ / "alone.jsonl";
  WriteFile(all, answers("A", "yes", "yes") + answers("B", "no", "no"));
  WriteFile(alone, answers("B", "no", "no"));
  const auto score = [&](const std::string& file) {
    return RunCommand(
        {"score", file, "-c", config, "-q", "--fail-under", "0.9", "--group-by", "g", "--gate-by", "g"});
  };
  const SubprocessResult run = score(all);
  EXPECT_EQ(run.exit_code, 1);
  const std::string failed =
      "leafscore: gate failed: the figure by classes of c for g=B over all that was asked is 0 (over 40 "
      "records), 0.9 under 0.9; most often: score too low 1 (\"B39\")\n";
  EXPECT_NE(run.err.find(failed), std::string::npos) << run.err;
  EXPECT_NE(score(alone).err.find(failed), std::string::npos);
}

// A figure by classes has no interval: that it holds without a word would look sure.
TEST_F(GatesCommand, AFigureByClassesThatChanceMayHavePassedIsTold) {
  const std::string config = folder_ / "scorers.yaml";
  WriteFile(config, "scorers: [{name: c, type: classification, positive_class: \"yes\"}]\n");
  const std::string file = folder_ / "pairs.jsonl";
  WriteFile(file, "{\"expected\": \"yes\", \"actual\": \"yes\"}\n");
  const SubprocessResult run = RunCommand({"score", file, "-c", config, "-q", "--fail-under", "0.9"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(
      run.err,
      "leafscore: gate holds, but this figure has no interval to tell whether chance has passed it: the "
      "figure by classes of c over all that was asked is 1 (over 1 record); 0.9 was wanted\n");
}

TEST_F(GatesCommand, GroupsThatChanceMayHavePassedAreToldInOneLine) {
  std::string pairs;
  for (int i = 0; i < 100; ++i) {
    pairs += fmt::format("{{\"id\": {}, \"topic\": \"{}\", \"expected\": 1, \"actual\": 1}}\n", i,
                         i < 4    ? "small"
                         : i < 12 ? "middle"
                                  : "large");
  }
  const std::string file = folder_ / "pairs.jsonl";
  WriteFile(file, pairs);
  const SubprocessResult run = RunCommand({"score", file, "-s", "exact_match", "-q", "--group-by", "topic",
                                           "--gate-by", "topic", "--min-pass-rate", "0.9"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(
      run.err,
      "leafscore: gate holds, but chance may have passed it in 2 groups, in this one most easily: the "
      "pass rate of exact_match for topic=small over all that was asked is 1 (95% from 0.5101 to 1.0000, "
      "over 4 records); 0.9 was wanted; --sure asks for more\n");
}

// Records that scored 1 did not lower the mean, whatever was compared.
TEST_F(GatesCommand, OnlyWhatLoweredTheFigureIsACause) {
  std::string pairs = "{\"id\": \"wrong\", \"expected\": {\"x\": 1}, \"actual\": {}}\n";
  for (int i = 0; i < 6; ++i)
    pairs += fmt::format("{{\"id\": {}, \"expected\": {{}}, \"actual\": {{}}}}\n", i);
  const std::string file = folder_ / "pairs.jsonl";
  WriteFile(file, pairs);
  const SubprocessResult run = RunCommand(
      {"score", file, "-s", "json_similarity", "-q", "--fail-under", "0.95", "--max-errors", "100%"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find("under 0.95; most often: empty 1 (\"wrong\")\n"), std::string::npos) << run.err;
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
