// Paths in the options of scorers that lead nowhere in any expected value, and records of which nothing was
// compared.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

constexpr char kPairs[] =
    R"({"id": 1, "expected": {"total": 1, "meta": {"made": 5}}, "actual": {"total": 2}})"
    "\n"
    R"({"id": 2, "expected": {"total": 1, "rows": [1, 2]}, "actual": {"total": 1, "totl": 1}})"
    "\n";

Plan PlanOf(const std::string& evaluator) {
  return Plan::FromConfig("evaluators:\n- {name: f, " + evaluator + "}\n");
}

class AbsentPathsTest : public RunTest {
 protected:
  // Returns why a run over the pairs ended; "fine" when it came to its end.
  std::string EndOf(const std::string& evaluator, const std::string& pairs = kPairs) {
    const FinishedRun run = RunText(PlanOf(evaluator), pairs);
    if (!run.result.error) return "fine";
    EXPECT_EQ(run.result.error->code(), ErrorCode::kInput);
    return run.result.error->what();
  }
};

TEST_F(AbsentPathsTest, AMistypedFieldEndsTheRun) {
  EXPECT_EQ(
      EndOf("type: field_accuracy, fields: [{path: totl}, {path: total}]"),
      "no expected value has the field \"totl\" (fields of the scorer \"f\"; did you mean \"total\"?); "
      "the first one has: \"total\", \"meta\", \"meta.made\" (--allow-absent-paths continues without them)");
  // A field that some expected values lack is a hit there, as in the origin.
  EXPECT_EQ(EndOf("type: field_accuracy, fields: [{path: meta.made}, {path: 'rows[1]'}]"), "fine");
}

TEST_F(AbsentPathsTest, AnAnswerThatHasTheFieldDoesNotMakeItMeant) {
  EXPECT_NE(EndOf("type: field_accuracy, fields: [{path: totl}]"), "fine");
}

TEST_F(AbsentPathsTest, APathRuleThatLeadsNowhereEndsTheRun) {
  EXPECT_EQ(EndOf("type: json_similarity, ignore_paths: ['**.mad'], weights: {'rows[2]': 2}"),
            "no expected value has the field \"**.mad\" (ignore_paths of the scorer \"f\"; did you mean "
            "\"meta.made\"?), \"rows[2]\" (weights of the scorer \"f\"); the first one has: \"total\", "
            "\"meta\", \"meta.made\" (--allow-absent-paths continues without them)");
  EXPECT_EQ(EndOf("type: json_similarity, ignore_paths: ['**.made', 'rows[*]'], weights: {total: 0}"),
            "fine");
  EXPECT_EQ(EndOf("type: json_similarity, ignore_paths: ['meta.*', '**']"), "fine");
}

// A rule for what another rule ignores is of no use, but nothing is mistyped.
TEST_F(AbsentPathsTest, ARuleWithinAnIgnoredPlaceIsNotAbsent) {
  EXPECT_EQ(EndOf("type: json_similarity, ignore_paths: [meta], weights: {meta.made: 2}"), "fine");
}

TEST_F(AbsentPathsTest, WhatIsExpectedOfMissingAnswersCounts) {
  const std::string pairs = std::string(kPairs) + R"({"id": 3, "expected": {"late": {"made": 1}}})" + "\n";
  EXPECT_EQ(EndOf("type: json_similarity, ignore_paths: [late.made]", pairs), "fine");
  EXPECT_EQ(EndOf("type: field_accuracy, fields: [{path: late.made}]", pairs), "fine");
  EXPECT_NE(EndOf("type: json_similarity, ignore_paths: [late.mode]", pairs), "fine");
}

TEST_F(AbsentPathsTest, WhatIsExpectedOfUnansweredIdsCounts) {
  FileOptions options;
  options.inputs = {Input("answers.jsonl", "{\"id\": 1, \"actual\": {\"a\": 1}}\n")};
  options.gold =
      Input("gold.jsonl", "{\"id\": 1, \"expected\": {\"a\": 1}}\n{\"id\": 2, \"expected\": {\"b\": 1}}\n");
  EXPECT_FALSE(Run(PlanOf("type: json_similarity, ignore_paths: [b]"), options).result.error);
  EXPECT_FALSE(Run(PlanOf("type: field_accuracy, fields: [{path: b}]"), options).result.error);
  EXPECT_STREQ(Run(PlanOf("type: exact_match, target_output_key: b"), options).result.error->what(),
               "not one record was scored; the output (or the table above) says why, record by record");
  EXPECT_TRUE(Run(PlanOf("type: json_similarity, ignore_paths: [c]"), options).result.error);
}

TEST_F(AbsentPathsTest, ATargetKeyThatNoExpectedValueHasEndsTheRun) {
  EXPECT_EQ(EndOf("type: exact_match, target_output_key: [total, mta.made]"),
            "no expected value has the field \"mta.made\" (target_output_key of the scorer \"f\"; did you "
            "mean \"meta.made\"?); the first one has: \"total\", \"meta\", \"meta.made\" "
            "(--allow-absent-paths continues without them)");
  // What the answers lack is their failure.
  EXPECT_EQ(EndOf("type: contains, search_text: x, target_output_key: nope"),
            "not one record was scored; the output (or the table above) says why, record by record");
}

TEST_F(AbsentPathsTest, AKeyOfAcceptedValuesThatNoExpectedValueHasEndsTheRun) {
  constexpr char kAccepted[] = R"({"expected": {"rows": [{"$any": [1, 2]}]}, "actual": {"rows": [2]}})"
                               "\n"
                               R"({"expected": {"total": 1}, "actual": {"total": 1}})"
                               "\n";
  for (const std::string type : {"exact_match", "json_similarity", "records"}) {
    EXPECT_EQ(EndOf("type: " + type + ", any_of_key: $any", kAccepted), "fine");
    EXPECT_EQ(EndOf("type: " + type + ", any_of_key: $anny", kAccepted),
              "no expected value has the field \"$anny\" (any_of_key of the scorer \"f\"; did you mean "
              "\"$any\"?); the first one has: \"rows\", \"$any\" "
              "(--allow-absent-paths continues without them)");
  }
}

TEST_F(AbsentPathsTest, CanBeAllowedAndAreTold) {
  FileOptions options;
  options.allow_absent_paths = true;
  const FinishedRun run =
      RunText(PlanOf("type: field_accuracy, fields: [{path: totl}, {path: total}]"), kPairs, options);
  EXPECT_FALSE(run.result.error);
  const RunReport report = run.result.summary.Report();
  EXPECT_EQ(report.scorers[0].absent_paths, std::vector<std::string>{"totl"});
  EXPECT_NE(report.ToTable().find("f: no expected value has \"totl\", which its options name\n"),
            std::string::npos);
  EXPECT_NE(run.summary.find("\"absent_paths\": [\n        \"totl\"\n      ]"), std::string::npos);
}

TEST_F(AbsentPathsTest, DependOnNeitherThreadsNorBatches) {
  std::string pairs;
  for (int i = 0; i < 50; ++i)
    pairs += R"({"expected": {"a": 1}, "actual": {"a": 1}})"
             "\n";
  pairs += R"({"expected": {"b": 1}, "actual": {"b": 1}})"
           "\n";
  FileOptions options;
  options.allow_absent_paths = true;
  const Plan plan = PlanOf("type: json_similarity, ignore_paths: [b, c]");
  const FinishedRun base = RunText(plan, pairs, options);
  EXPECT_EQ(base.result.summary.Report().scorers[0].absent_paths, std::vector<std::string>{"c"});
  options.inputs = {folder_ / "in.jsonl"};
  ExpectSameBytes(plan, options, base, {1, 100, 1 << 20});
}

constexpr char kEmptyPairs[] =
    "{\"id\": 1, \"expected\": {}, \"actual\": 1, \"model\": \"m\"}\n"
    "{\"id\": 2, \"expected\": {\"a\": 1}, \"actual\": {\"a\": 1}, \"model\": \"n\"}\n"
    "{\"id\": 3, \"expected\": {}, \"model\": \"m\"}\n";

TEST_F(AbsentPathsTest, RecordsOfWhichNothingWasComparedAreCounted) {
  FileOptions options;
  options.group_by = {"model"};
  const FinishedRun run = RunText(PlanOf("type: json_similarity"), kEmptyPairs, options);
  const ScorerReport report = run.result.summary.Report().scorers[0];
  EXPECT_EQ(report.figures.scored, 2u);
  EXPECT_EQ(report.figures.nothing_compared, 1u);
  EXPECT_EQ(report.groups[0].value, "m");
  EXPECT_EQ(report.groups[0].figures.nothing_compared, 1u);
  EXPECT_EQ(report.groups[1].figures.nothing_compared, 0u);
  EXPECT_NE(run.result.summary.Report().ToTable().find(
                "f: nothing was compared in 1 of 2 scored records; their expected "
                "values have nothing that counts, whatever the answer\n"),
            std::string::npos);
  EXPECT_EQ(
      run.lines[0],
      R"({"id": 1, "scorer": "f", "groups": {"model": "m"}, "outcome": "scored", "score": 1, )"
      R"("nothing_compared": true, "of_other_kind": true, "details": {"matched_leaves": 0, "total_leaves": 0}})");
  EXPECT_EQ(run.lines[1].find("nothing_compared"), std::string::npos);
}

// A record whose score says nothing of the answer is an error for gates, as damaged gold is.
TEST_F(AbsentPathsTest, NoGatePassesWhereNothingWasCompared) {
  FileOptions options;
  options.group_by = {"model"};
  const FinishedRun run = RunText(PlanOf("type: json_similarity"), kEmptyPairs, options);
  const RunReport report = run.result.summary.Report();
  Gates gates{.fail_under = {{"f", 0.1}}};
  EXPECT_EQ(FailedGates(report, gates),
            std::vector<std::string>{
                "1 errors of f in 3 records asked for are more than 0, 1 records with nothing compared"});
  gates.max_errors = ErrorLimit{.count = 2};
  EXPECT_TRUE(FailedGates(report, gates).empty());
  gates.by = {"model"};
  EXPECT_EQ(FailedGates(report, gates),
            std::vector<std::string>{"f for model=m compared nothing: the expected values of all 1 "
                                     "scored records have nothing that counts"});
  const FinishedRun all = RunText(PlanOf("type: json_similarity, ignore_paths: ['**']"), kEmptyPairs);
  EXPECT_EQ(FailedGates(all.result.summary.Report(), {.min_coverage = 0.1, .max_errors = gates.max_errors}),
            std::vector<std::string>{
                "f compared nothing: the expected values of all 2 scored records have nothing that counts"});
}

// Of several answers to one id, as many as count.
TEST_F(AbsentPathsTest, OnlyAnswersThatCountAreCounted) {
  FileOptions options;
  options.inputs = {
      Input("answers.jsonl", "{\"id\": 1, \"actual\": 1}\n{\"id\": 1, \"actual\": 2}\n{\"id\": 2}\n")};
  options.gold =
      Input("gold.jsonl", "{\"id\": 1, \"expected\": {}}\n{\"id\": 2, \"expected\": {\"a\": 1}}\n");
  const Plan plan = PlanOf("type: json_similarity");
  EXPECT_EQ(Run(plan, options).result.summary.Report().scorers[0].figures.nothing_compared, 1u);
  options.repeats = Repeats::kAll;
  EXPECT_EQ(Run(plan, options).result.summary.Report().scorers[0].figures.nothing_compared, 2u);
}

}  // namespace
}  // namespace leafscore::internal
