// Precision, recall and F1 by field of a scorer that counts values: over all records, whatever the threads,
// batches and parts, with gold and without.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

class CellCountsTest : public RunTest {};

const char* const kCellRecords = "evaluators:\n- {type: records}\n";

std::string CountsOf(const FieldCounts& field) {
  return field.field + " " + std::to_string(field.true_positives) + " " +
         std::to_string(field.false_positives) + " " + std::to_string(field.false_negatives);
}

std::vector<std::string> CountsOf(const std::vector<FieldCounts>& fields) {
  std::vector<std::string> figures;
  for (const FieldCounts& field : fields) figures.push_back(CountsOf(field));
  return figures;
}

TEST_F(CellCountsTest, AddUpOverRecordsWithAndWithoutAnswers) {
  const std::string input =
      R"({"id": 1, "g": "x", "expected": {"t": 1, "r": [{"a": 1}, {"a": 2}]}, "actual": {"t": 2, "r": [{"a": 2}]}})"
      "\n"
      R"({"id": 2, "g": "y", "expected": {"t": 1}, "actual": {"t": 1, "u": 3}})"
      "\n"
      R"({"id": 3, "g": "y", "expected": {"t": 1, "r": [{"a": 5}]}, "actual": null})"
      "\n"
      R"({"id": 4, "g": "y", "expected": {"t": 1, "r": [{"a": 5}]}})"
      "\n"
      R"({"id": 5, "actual": {"t": 7}})"
      "\n";
  FileOptions options;
  options.group_by = {"g"};
  const FinishedRun run = RunText(Plan::FromConfig(kCellRecords), input, options);
  const RunReport report = run.result.summary.Report();
  // The fifth is an error, as nothing says what is expected.
  EXPECT_EQ(report.scorers[0].figures.errors, 1u);
  EXPECT_EQ(CountsOf(report.scorers[0].fields),
            (std::vector<std::string>{"r[*].a 1 0 3", "t 1 1 3", "u 0 1 0"}));
  for (const GroupFigures& group : report.scorers[0].groups) {
    if (group.value == "x") {
      EXPECT_EQ(CountsOf(group.fields), (std::vector<std::string>{"r[*].a 1 0 1", "t 0 1 1"}));
    }
    if (group.value == "y") {
      EXPECT_EQ(CountsOf(group.fields), (std::vector<std::string>{"r[*].a 0 0 2", "t 1 0 2", "u 0 1 0"}));
    }
  }
}

TEST_F(CellCountsTest, AreTheSameForAnyThreadsAndBatches) {
  std::string input;
  for (int i = 0; i < 400; ++i) {
    const std::string key = "k" + std::to_string(i % 37);
    input +=
        R"({"id": )" + std::to_string(i) + R"(, "expected": {"t": [{")" + key +
        R"(": 1}], "n": "x"}, "actual": )" +
        (i % 7 == 0 ? std::string("null") : R"({"t": [{")" + key + R"(": )" + std::to_string(i % 3) + "}]}") +
        "}\n";
  }
  FileOptions options;
  options.inputs = {Input("in.jsonl", input)};
  const Plan plan = Plan::FromConfig(kCellRecords);
  const FinishedRun base = Run(plan, options);
  EXPECT_EQ(base.result.summary.Report().scorers[0].fields.size(), 38u);
  ExpectSameBytes(plan, options, base, {1, 4'000});
}

TEST_F(CellCountsTest, CountWhatGoldExpectsOfUnansweredIds) {
  FileOptions options;
  options.gold =
      Input("gold.jsonl",
            "{\"id\": 1, \"expected\": {\"a\": 1}}\n{\"id\": 2, \"expected\": {\"a\": 1, \"b\": 2}}\n");
  const FinishedRun run =
      RunText(Plan::FromConfig(kCellRecords), "{\"id\": 1, \"actual\": {\"a\": 1}}\n", options);
  EXPECT_EQ(CountsOf(run.result.summary.Report().scorers[0].fields),
            (std::vector<std::string>{"a 1 0 1", "b 0 0 1"}));
}

TEST_F(CellCountsTest, OfFieldsWithASimilarityAreThoseOfTheDistances) {
  const std::string config = "evaluators:\n- {type: records, fields: [{path: n, similarity: 0.7}]}\n";
  const FinishedRun run =
      RunText(Plan::FromConfig(config),
              "{\"id\": 1, \"expected\": {\"n\": \"abcd\"}, \"actual\": {\"n\": \"abcx\"}}\n"
              "{\"id\": 2, \"expected\": {\"n\": \"abcd\"}, \"actual\": null}\n");
  EXPECT_EQ(CountsOf(run.result.summary.Report().scorers[0].fields), (std::vector<std::string>{"n 1 0 1"}));
}

}  // namespace
}  // namespace leafscore::internal
