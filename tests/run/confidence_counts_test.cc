// Confidences that answers state for their values, counted over a run.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

class ConfidenceCountsTest : public RunTest {};

std::string ConfigWith(const std::string& options) {
  return "evaluators:\n- {type: records, " + options + "}\n";
}

std::optional<Calibration> CalibrationOf(const FinishedRun& run) {
  return run.result.summary.Report().scorers[0].calibration;
}

TEST_F(ConfidenceCountsTest, AreThoseOfTheInnermostEnvelope) {
  // Right: a and the row B, which has the confidence of its list. Wrong: b, and the extra cells C and z.
  const std::string input =
      R"({"id": 1, "expected": {"a": 1, "b": "x", "r": [{"s": "A"}, {"s": "B"}]}, "actual": {)"
      R"("a": {"value": 1, "confidence": 0.9}, "b": {"value": "y", "confidence": 0.6}, "r": {"value": )"
      R"([{"s": "B"}, {"s": {"value": "C", "confidence": 0.2}}], "confidence": 0.8}, )"
      R"("z": {"value": 3, "confidence": 0.4}}})"
      "\n";
  const FinishedRun run = RunText(Plan::FromConfig(ConfigWith("confidence_key: confidence")), input);
  const std::optional<Calibration> figures = CalibrationOf(run);
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->values, 5u);
  EXPECT_EQ(figures->right, 2u);
  EXPECT_EQ(figures->without_confidence, 0u);
  EXPECT_EQ(figures->auroc, 1);
  EXPECT_DOUBLE_EQ(figures->brier_score, (0.01 + 0.04 + 0.36 + 0.04 + 0.16) / 5);
  EXPECT_EQ(figures->least_sure.errors_found, 1);
}

TEST_F(ConfidenceCountsTest, OnlyNumbersFromZeroToOneCount) {
  std::string input;
  for (const char* const confidence : {"0", "1", "0.25", "-0.1", "1.5", "95", "\"0.9\"", "null", "true"}) {
    input += std::string(R"({"expected": {"a": 1}, "actual": {"a": {"value": 1, "confidence": )") +
             confidence + "}}}\n";
  }
  input += R"({"expected": {"a": 1}, "actual": {"a": 1}})"
           "\n"
           R"({"expected": {"a": 1}, "actual": null})"
           "\n";
  const std::optional<Calibration> figures =
      CalibrationOf(RunText(Plan::FromConfig(ConfigWith("confidence_key: confidence")), input));
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->values, 3u);
  EXPECT_EQ(figures->without_confidence, 7u);
}

TEST_F(ConfidenceCountsTest, TheKeyMayHaveAnyName) {
  const std::string input =
      "{\"expected\": {\"a\": 1}, \"actual\": {\"a\": {\"value\": 1, \"how sure\": 0.5, \"page\": 3}}}\n";
  const FinishedRun run = RunText(Plan::FromConfig(ConfigWith("confidence_key: how sure")), input);
  EXPECT_EQ(run.result.summary.Report().scorers[0].figures.over_all.mean, 1.0);
  ASSERT_TRUE(CalibrationOf(run));
  EXPECT_EQ(CalibrationOf(run)->values, 1u);
  EXPECT_FALSE(CalibrationOf(RunText(Plan::FromConfig(ConfigWith("threshold: 0.5")), input)));
}

// An object that is expected to have the key `value` is no envelope.
TEST_F(ConfidenceCountsTest, ExpectedObjectsAreNoEnvelopes) {
  const std::string input =
      "{\"expected\": {\"a\": {\"value\": 1}}, \"actual\": {\"a\": {\"value\": 1, \"confidence\": 0.5}}}\n";
  EXPECT_FALSE(CalibrationOf(RunText(Plan::FromConfig(ConfigWith("confidence_key: confidence")), input)));
}

TEST_F(ConfidenceCountsTest, AreTheSameForAnyThreadsAndBatches) {
  std::string input;
  for (int i = 0; i < 600; ++i) {
    input += R"({"id": )" + std::to_string(i) +
             R"(, "expected": {"t": 1, "n": "x"}, "actual": {"t": {"value": )" + std::to_string(i % 3) +
             R"(, "confidence": 0.)" + std::to_string(1000 + i * 7 % 997) +
             R"(}, "n": {"value": "x", "confidence": 0.5}}})" + "\n";
  }
  FileOptions options;
  options.inputs = {Input("in.jsonl", input)};
  const Plan plan = Plan::FromConfig(ConfigWith("confidence_key: confidence"));
  const FinishedRun base = Run(plan, options);
  EXPECT_EQ(CalibrationOf(base)->values, 1200u);
  ExpectSameBytes(plan, options, base, {1, 4'000});
}

TEST_F(ConfidenceCountsTest, OptionsThatCannotWorkAreRefused) {
  const auto refusal = [](const std::string& options) {
    return ErrorOf(ErrorCode::kUsage, [&] { Plan::FromConfig(ConfigWith(options)); });
  };
  EXPECT_NE(refusal("confidence_key: value").find("name the one beside it"), std::string::npos);
  EXPECT_NE(refusal("confidence_key: confidence, unwrap: []").find("add value to unwrap"), std::string::npos);
  EXPECT_NE(refusal("confidence_key: confidence, revision: sob-2026-06").find("has no such option"),
            std::string::npos);
}

}  // namespace
}  // namespace leafscore::internal
