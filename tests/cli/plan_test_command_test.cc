// leafscore plan-test from outside, and the example in docs/compare.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/schema.h"
#include "cli/subprocess.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

class PlanTestCommandTest : public ::testing::Test {
 protected:
  static SubprocessResult Plan(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "plan-test");
    return RunCommand(arguments);
  }

  static rapidjson::Document PlanInJson(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--format", "json"});
    const SubprocessResult run = Plan(std::move(arguments));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(Schema("plan_test").Fault(run.out), "") << run.out;
    return ParseLine(run.out);
  }

  // Scores a run over 200 records in two topics, of which those pass that are not multiples of `fails`.
  std::string Run(const std::string& name, int fails, const std::string& scorer) {
    std::string pairs;
    for (int i = 1; i <= 200; ++i) {
      pairs += fmt::format(R"({{"id": {}, "topic": "{}", "expected": "abcd", "actual": "{}"}})"
                           "\n",
                           i, i % 2 == 0 ? "even" : "odd", i % fails == 0 ? "abxx" : "abcd");
    }
    WriteFile(folder_ / "pairs.jsonl", pairs);
    const std::string scores = folder_ / (name + ".jsonl");
    const SubprocessResult run = RunCommand(
        {"score", folder_ / "pairs.jsonl", "-q", "-s", scorer, "--group-by", "topic", "-o", scores});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return scores;
  }

  TempDir folder_;
};

// The published numbers of records: 0.1 of the verdicts turn, and a drop of 0.03; a spread of 0.14, and 0.01.
TEST_F(PlanTestCommandTest, GivesThePublishedNumbersOfRecords) {
  std::ifstream file(LEAFSCORE_SOURCE_DIR "/tests/data/compare_vectors.jsonl");
  int plans = 0;
  for (std::string line; std::getline(file, line);) {
    const rapidjson::Document vector = ParseLine(line);
    if (std::string_view(vector["kind"].GetString()) != "plan") continue;
    const auto text = [&](const char* key) { return fmt::format("{}", vector[key].GetDouble()); };
    const std::string kind = vector.HasMember("churn") ? "churn" : "sd";
    const rapidjson::Document plan = PlanInJson({"--" + kind, text(kind.c_str()), "--drop", text("drop"),
                                                 "--power", text("power"), "--alpha", text("alpha")});
    const auto& ways = plan["plans"][0]["ways"];
    EXPECT_EQ(ways[0]["records"].GetUint64(), vector["want"]["records"].GetUint64()) << line;
    ++plans;
  }
  EXPECT_EQ(plans, 4);
}

TEST_F(PlanTestCommandTest, ASliceIsTestedAtItsShareOfAlpha) {
  const rapidjson::Document slices = PlanInJson({"--sd", "0.2", "--slices", "20", "--records", "500"});
  const rapidjson::Document alone = PlanInJson({"--sd", "0.2", "--alpha", "0.0025", "--records", "500"});
  for (const unsigned way : {0u, 1u}) {
    const auto& of_slice = slices["plans"][0]["ways"][way];
    const auto& of_all = alone["plans"][0]["ways"][way];
    EXPECT_EQ(of_slice["records_of_slice"].GetUint64(), of_all["records"].GetUint64());
    ASSERT_EQ(of_slice["drops"].Size(), 7u);
    EXPECT_EQ(of_slice["drops"][3]["records"].GetUint64(), 500u);
    for (unsigned i = 0; i < 7; ++i) {
      EXPECT_EQ(of_slice["drops"][i]["drop_of_slice"].GetDouble(), of_all["drops"][i]["drop"].GetDouble());
    }
  }
}

// Of 200 verdicts those of 20 multiples of 5 turned that are none of 10: 20 of 200.
TEST_F(PlanTestCommandTest, TwoRunsOfOneModelTellTheirChurnAndSpread) {
  const std::string run = Run("run", 5, "exact_match");
  const std::string again = Run("again", 10, "exact_match");
  const rapidjson::Document plan = PlanInJson({run, again, "--by", "topic"});
  EXPECT_EQ(plan["slices"].GetUint64(), 2u);
  ASSERT_EQ(plan["plans"].Size(), 1u);
  const auto& of_verdicts = plan["plans"][0];
  EXPECT_STREQ(of_verdicts["scorer"].GetString(), "exact_match");
  EXPECT_STREQ(of_verdicts["figure"].GetString(), "pass_rate");
  EXPECT_EQ(of_verdicts["churn"].GetDouble(), 0.1);
  EXPECT_EQ(of_verdicts["pilot_records"].GetUint64(), 200u);

  // levenshtein scores "abxx" 0.5, and passes or fails nothing: the differences are -0.5 in 20 of 200.
  const rapidjson::Document scores =
      PlanInJson({Run("run", 5, "levenshtein"), Run("again", 10, "levenshtein")});
  EXPECT_STREQ(scores["plans"][0]["figure"].GetString(), "mean");
  EXPECT_NEAR(scores["plans"][0]["sd"].GetDouble(), std::sqrt(200.0 / 199 * (0.1 * 0.25 - 0.05 * 0.05)),
              1e-12);
}

// Of one run it is known how far two can differ at most: 160 of 200 passed, so the pass rate is 0.7391 at
// least (Wilson), and 2 * 0.7391 * 0.2609 of the verdicts turn.
TEST_F(PlanTestCommandTest, OneRunTellsTheMostThatTwoCanDiffer) {
  const rapidjson::Document plan = PlanInJson({Run("run", 5, "exact_match")});
  EXPECT_TRUE(plan["plans"][0]["at_most"].GetBool());
  EXPECT_NEAR(plan["plans"][0]["churn"].GetDouble(), 0.38567, 1e-4);
}

// A run that passes all, or nothing, was told to turn 0% of its verdicts at most.
TEST_F(PlanTestCommandTest, ARunWithoutAFailureIsNoProofThatNothingTurns) {
  const std::string all = Run("all", 1000, "exact_match");
  // All of 200: the pass rate is 0.98115 at least.
  EXPECT_NEAR(PlanInJson({all})["plans"][0]["churn"].GetDouble(), 0.03699, 1e-4);
  EXPECT_NE(Plan({all}).out.find("at most 3.7% of the verdicts"), std::string::npos) << Plan({all}).out;
  // Ten scores of 1, which nothing judged: as far as a mean of 0.72247 lets.
  std::string scores;
  for (int i = 0; i < 10; ++i) {
    scores += fmt::format(R"({{"id": {}, "scorer": "s", "outcome": "scored", "score": 1}})"
                          "\n",
                          i);
  }
  WriteFile(folder_ / "equal.jsonl", scores);
  EXPECT_NEAR(PlanInJson({folder_ / "equal.jsonl", "--unverified"})["plans"][0]["sd"].GetDouble(), 0.63326,
              1e-4);
}

// A plan promised what compare then says is impossible.
TEST_F(PlanTestCommandTest, PromisesNothingBelowWhatTheExactTestNeeds) {
  const rapidjson::Document plan = PlanInJson({"--sd", "0.01", "--drop", "0.05", "--slices", "20"});
  const auto& all_a_little = plan["plans"][0]["ways"][0];
  EXPECT_EQ(all_a_little["records"].GetUint64(), 6u);
  EXPECT_EQ(all_a_little["records_of_slice"].GetUint64(), 10u);
}

TEST_F(PlanTestCommandTest, NoFigureFallsByMoreThanItIs) {
  const std::string run = Run("run", 5, "exact_match");
  const std::string again = Run("again", 10, "exact_match");
  ExpectRefused(Plan({run, again, "--drop", "0.95"}), "cannot fall by 0.95");
  ExpectRefused(Plan({run, "--drop", "0.9"}), "the pass rate of \"exact_match\" is 0.8");
  const rapidjson::Document plan = PlanInJson({"--pass-rate", "0.1"});
  EXPECT_TRUE(plan["plans"][0]["ways"][0]["drops"][0]["drop"].IsNull());  // 30 records find 0.25
  EXPECT_NE(Plan({"--sd", "0.2", "--drop", "0.4999999"}).out.find("a drop of 0.4999999 "), std::string::npos);
  // Two runs that do not differ at all find any drop.
  const std::string same = Run("same", 5, "levenshtein");
  const SubprocessResult found = Plan({same, same});
  EXPECT_NE(found.out.find("200 records find a drop of <0.0001 "), std::string::npos) << found.out;
}

// A model that answers the same each time: what turns is what fell, and six falls are the fewest that tell.
TEST_F(PlanTestCommandTest, RunsThatDoNotDifferAreNoDivisionByZero) {
  const std::string run = Run("run", 5, "exact_match");
  const rapidjson::Document plan = PlanInJson({run, run, "--drop", "0.05"});
  EXPECT_EQ(plan["plans"][0]["churn"].GetDouble(), 0);
  const std::uint64_t records = plan["plans"][0]["ways"][0]["records"].GetUint64();
  EXPECT_GT(records, 120u);  // 6 / 0.05
  EXPECT_LT(records, 180u);
}

TEST_F(PlanTestCommandTest, RefusesWhatContradictsItself) {
  ExpectRefused(Plan({}), "give two files of scores of one model");
  ExpectRefused(Plan({"--churn", "0.02", "--drop", "0.05"}), "give a --churn of 0.05 at least");
  ExpectRefused(Plan({"--pass-rate", "0.9", "--churn", "0.5"}), "differ in 0.18 of them at most");
  ExpectRefused(Plan({"--pass-rate", "0.2", "--drop", "0.3"}), "cannot fall by 0.3");
  ExpectRefused(Plan({"--sd", "0.1", "--power", "0.05"}), "give a --power above --alpha");
  ExpectRefused(Plan({"--sd", "0.1", "--by", "topic"}), "--by requires files");
  ExpectRefused(Plan({"--sd", "0.1", "-s", "exact_match"}), "--scorer requires files");
  ExpectRefused(Plan({"--sd", "0.1", "--repeats", "all"}), "--repeats requires files");
  ExpectRefused(Plan({"--sd", "nan"}), "does not lie between");
  ExpectRefused(Plan({"a.jsonl", "b.jsonl", "--sd", "0.1"}), "give two files");
}

// Each block of docs/compare.md that begins with a plan-test says what the command prints.
TEST_F(PlanTestCommandTest, TheDocumentationShowsWhatItPrints) {
  const std::string documentation = ReadFile(LEAFSCORE_SOURCE_DIR "/docs/compare.md");
  const std::string begin = "```\n$ leafscore plan-test ";
  int blocks = 0;
  for (std::size_t at = documentation.find(begin); at != std::string::npos;
       at = documentation.find(begin, at + 1)) {
    const std::size_t line = at + begin.size();
    const std::size_t output = documentation.find('\n', line) + 1;
    std::vector<std::string> arguments;
    std::istringstream words(documentation.substr(line, output - line));
    for (std::string word; words >> word;) arguments.push_back(word);
    EXPECT_EQ(Plan(arguments).out, documentation.substr(output, documentation.find("```", output) - output));
    ++blocks;
  }
  EXPECT_GE(blocks, 1);
}

}  // namespace
}  // namespace leafscore::internal
