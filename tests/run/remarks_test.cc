// What a scorer remarks on records, counted over a run; and answers in envelopes, which are what is expected.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

class RemarksTest : public RunTest {};

std::vector<std::string> RemarksIn(const FinishedRun& run) {
  std::vector<std::string> remarks;
  const RunReport report = run.result.summary.Report();
  for (const RemarkCount& remark : report.scorers[0].remarks) {
    remarks.push_back(remark.remark + " " + std::to_string(remark.records));
  }
  return remarks;
}

// Answers in every envelope, all of them right.
const char* const kEnvelopes =
    R"({"id": 1, "expected": {"a": 1, "r": [{"b": 2}]}, "actual": [{"a": 1, "r": [{"b": 2}]}]})"
    "\n"
    R"({"id": 2, "expected": {"a": 1, "b": 2}, "actual": {"a": {"value": 1, "confidence": 0.5, "page": 3, "bbox": [1, 2, 3, 4]}, "b": 2}})"
    "\n"
    R"({"id": 3, "expected": {"r": [{"b": 2}, {"b": 3}]}, "actual": [{"b": 2}, {"b": 3}]})"
    "\n"
    R"({"id": 4, "expected": {"a": 1}, "actual": {"a": 1, "a_citations": [1, 2, 3]}})"
    "\n"
    R"({"id": 5, "expected": [1, 2], "actual": {"value": [1, 2], "confidence": 1}})"
    "\n"
    R"({"id": 6, "expected": {"a": 1}, "actual": {"a": 1}})"
    "\n";
const char* const kEnvelopeRules =
    "evaluators:\n- {type: records, unwrap: [single, value, rows, sidecars]}\n";

TEST_F(RemarksTest, CountRecordsThatWereUnwrapped) {
  const FinishedRun run = RunText(Plan::FromConfig(kEnvelopeRules), kEnvelopes);
  EXPECT_EQ(RemarksIn(run), (std::vector<std::string>{"unwrapped_single 1", "unwrapped_value 2",
                                                      "unwrapped_rows 1", "unwrapped_sidecars 1"}));
}

TEST_F(RemarksTest, RightAnswersInEnvelopesAreOfTheExpectedKindAndExpected) {
  const FinishedRun run = RunText(Plan::FromConfig(kEnvelopeRules), kEnvelopes);
  const Figures figures = run.result.summary.Report().scorers[0].figures;
  EXPECT_EQ(figures.over_all.mean, 1.0);
  EXPECT_EQ(figures.of_other_kind, 0u);
  EXPECT_EQ(figures.unexpected_share, 0.0);
}

// Answers in each envelope that is around a whole value, all of them right, and one that is wrong.
const char* const kWholeEnvelopes =
    R"({"id": 1, "expected": {"a": 1, "b_c": 2}, "actual": [{"a": 1, "b_c": 2}]})"
    "\n"
    R"({"id": 2, "expected": {"a": 1, "b_c": 2}, "actual": [{"a": 1}, {"b_c": 2}]})"
    "\n"
    R"({"id": 3, "expected": {"a": 1, "b_c": 2}, "actual": {"A": 1, "B C": 2}})"
    "\n"
    R"({"id": 4, "expected": {"a": 1, "b_c": 2}, "actual": {"result": {"a": 1, "b_c": 2}}})"
    "\n"
    R"({"id": 5, "expected": {"a": 1, "b_c": 2}, "actual": "{\"result\": {\"A\": 1, \"bC\": 2}}"})"
    "\n"
    R"({"id": 6, "expected": {"a": 1, "b_c": 2}, "actual": {"result": {"a": 7, "b_c": 8}}})"
    "\n"
    R"({"id": 7, "expected": {"a": 1, "b_c": 2}, "actual": {"result": {"other": 7}}})"
    "\n";

TEST_F(RemarksTest, ScorersOfStructureTakeOffWhatIsAroundAnswers) {
  for (const std::string scorer :
       {"json_similarity", "json_diff", "strict_json", "exact_match",
        "field_accuracy, fields: [{path: a, match: exact}, {path: b_c, match: exact}]"}) {
    const std::string config =
        "evaluators:\n- {unwrap: [single, merge, fold_keys, wrapper], type: " + scorer + "}\n";
    const FinishedRun run = RunText(Plan::FromConfig(config), kWholeEnvelopes);
    const bool reads_texts = scorer != "exact_match";
    EXPECT_EQ(RemarksIn(run),
              (std::vector<std::string>{"unwrapped_single 1", "unwrapped_merge 1",
                                        reads_texts ? "unwrapped_fold_keys 2" : "unwrapped_fold_keys 1",
                                        reads_texts ? "unwrapped_wrapper 3" : "unwrapped_wrapper 2"}))
        << scorer;
    const ScorerReport report = run.result.summary.Report().scorers[0];
    EXPECT_GE(report.figures.over_all.mean, (reads_texts ? 5.0 : 4.0) / 7) << scorer;
    if (!reads_texts) continue;
    for (const FailureCause& cause : report.causes) {
      EXPECT_NE(CauseName(cause), "wrapped") << scorer;
    }
  }
}

TEST_F(RemarksTest, LinesNameWhatWasTakenOff) {
  const std::string unwrap =
      "evaluators:\n- {type: json_similarity, unwrap: [single, merge, fold_keys, wrapper]}\n";
  const FinishedRun run = RunText(Plan::FromConfig(unwrap), kWholeEnvelopes);
  EXPECT_NE(run.lines[0].find("\"score\": 1, \"unwrapped\": [\"single\"], \"details\""), std::string::npos)
      << run.lines[0];
  EXPECT_NE(run.lines[4].find("\"unwrapped\": [\"fold_keys\", \"wrapper\"]"), std::string::npos)
      << run.lines[4];
  EXPECT_EQ(run.lines[6].find("unwrapped"), std::string::npos) << run.lines[6];
}

// Answers to records whose whole expected value is a set of accepted ones.
TEST_F(RemarksTest, AcceptedValuesAreSearchedForTheOneThatAnAnswerIsAround) {
  const std::pair<const char*, const char*> kAnswers[] = {
      {R"({"$any": [{"a": 1}, {"b_c": 2}]})", R"([{"b_c": 2}])"},            // a list of one
      {R"({"$any": [{"a": 1}, {"b_c": 2}]})", R"({"result": {"b_c": 2}})"},  // a wrapper
      {R"({"$any": [{"a": 1}, [1, 2]]})", R"({"list": [1, 2]})"},            // a wrapper of an array
      {R"({"$any": [{"a": 1}, {"b_c": {"$any": [{"d": 2}, null]}}]})", R"({"bC": {"D": 2}})"},  // other keys
      {R"({"$any": [{"a": 1}, [{"a": 1}]]})", R"([{"a": 1}])"},  // accepted as it is
      {R"({"$any": [{"a": 1}, {"result": {"a": 1}}]})", R"({"result": {"a": 1}})"},
  };
  std::string input;
  for (int id = 1; const auto& [expected, actual] : kAnswers) {
    input += "{\"id\": " + std::to_string(id++) + ", \"expected\": " + expected + ", \"actual\": " + actual +
             "}\n";
  }
  for (const std::string scorer : {"json_similarity", "exact_match"}) {
    const FinishedRun run = RunText(
        Plan::FromConfig("evaluators:\n- {any_of_key: $any, unwrap: [single, fold_keys, wrapper], type: " +
                         scorer + "}\n"),
        input);
    EXPECT_EQ(RemarksIn(run), (std::vector<std::string>{"unwrapped_single 1", "unwrapped_fold_keys 1",
                                                        "unwrapped_wrapper 2"}))
        << scorer;
    EXPECT_EQ(run.result.summary.Report().scorers[0].figures.over_all.mean, 1.0) << scorer;
  }
}

// Each has an expected key, and is still neither a part of the answer nor the answer.
TEST_F(RemarksTest, SeveralAnswersErrorsAndSchemasAreNotTakenForTheAnswer) {
  const char* const kAnswers[] = {
      R"([{"a": 1, "b": 2}, {"a": 7, "b": 2}])", R"([{"a": 1, "b": [2]}, {"b": 2}])",
      R"([{"a": 1, "b": {"c": 1}}, {"b": {"d": 1}}])", R"({"error": {"a": 1, "b": 2}})",
      R"({"properties": {"a": {"type": "number"}, "b": {"enum": [2]}}})"};
  std::string input;
  for (int id = 1; const char* const answer : kAnswers) {
    input +=
        "{\"id\": " + std::to_string(id++) + R"(, "expected": {"a": 1, "b": 2}, "actual": )" + answer + "}\n";
  }
  input += R"({"id": 9, "expected": {"a": 1, "b": 2}, "actual": [{"a": 1.0, "b": null}, {"a": 1, "b": 2}]})";
  for (const std::string scorer : {"json_similarity", "exact_match", "records"}) {
    const FinishedRun run =
        RunText(Plan::FromConfig("evaluators:\n- {unwrap: [merge, wrapper], type: " + scorer + "}\n"), input);
    EXPECT_EQ(RemarksIn(run), std::vector<std::string>{"unwrapped_merge 1"}) << scorer;
    EXPECT_EQ(run.result.summary.Report().scorers[0].figures.over_all.mean, 1.0 / 6) << scorer;
  }
}

TEST_F(RemarksTest, RevisionsOfOtherToolsTakeNothingOff) {
  for (const std::string scorer : {"exact_match, revision: 2026-08", "json_similarity, revision: 2025-06",
                                   "field_accuracy, revision: 2026-07, fields: [{path: a}]"}) {
    EXPECT_THROW(Plan::FromConfig("evaluators:\n- {unwrap: [single], type: " + scorer + "}\n"), Error);
    EXPECT_NO_THROW(Plan::FromConfig("evaluators:\n- {type: " + scorer + "}\n"));
  }
}

TEST_F(RemarksTest, WhatIsUnexpectedWithoutEnvelopesIsSoStill) {
  const FinishedRun run = RunText(Plan::FromConfig("evaluators:\n- {type: records, unwrap: []}\n"),
                                  "{\"id\": 1, \"expected\": {\"a\": 1}, \"actual\": [{\"a\": 1}]}\n"
                                  "{\"id\": 2, \"expected\": {\"a\": 1}, \"actual\": {\"a\": 1, \"b\": 2}}\n"
                                  "{\"id\": 3, \"expected\": {\"a\": 1}, \"actual\": \"none\"}\n");
  const Figures figures = run.result.summary.Report().scorers[0].figures;
  EXPECT_EQ(figures.of_other_kind, 2u);
  EXPECT_EQ(figures.unexpected_share, (1 + 0.5 + 0) / 3);
}

TEST_F(RemarksTest, CountRecordsWhoseRowsCouldMatchMore) {
  // Too many texts to compare each with each.
  std::string expected;
  std::string actual;
  for (int i = 0; i < 600; ++i) {
    expected += (i == 0 ? "\"" : ",\"") + std::to_string(i) + " left\"";
    actual += (i == 0 ? "\"" : ",\"") + std::to_string(i) + " right\"";
  }
  const FinishedRun run =
      RunText(Plan::FromConfig("evaluators:\n- {type: records, fields: [{path: '[*]', similarity: 0.9}]}\n"),
              "{\"id\": 1, \"expected\": [" + expected + "], \"actual\": [" + actual +
                  "]}\n{\"id\": 2, \"expected\": [\"a\"], \"actual\": [\"b\"]}\n");
  EXPECT_EQ(RemarksIn(run), std::vector<std::string>{"near 1"});
}

TEST_F(RemarksTest, CountRecordsWhoseArraysWerePairedGreedily) {
  std::string expected;
  std::string actual;
  for (int i = 0; i < 300; ++i) {
    expected += (i == 0 ? "" : ",") + std::to_string(i);
    actual += (i == 0 ? "" : ",") + std::to_string(1000 - i);
  }
  const FinishedRun run = RunText(
      Plan::FromConfig("evaluators:\n- {type: json_similarity, array_match: any_order, unwrap: [single]}\n"),
      "{\"id\": 1, \"expected\": {\"a\": [" + expected + "]}, \"actual\": {\"a\": [" + actual +
          "]}}\n{\"id\": 2, \"expected\": {\"a\": [1, 2]}, \"actual\": [{\"a\": [2, 1]}]}\n");
  EXPECT_EQ(RemarksIn(run), (std::vector<std::string>{"unwrapped_single 1", "greedy 1"}));
  const RunReport report = run.result.summary.Report();
  EXPECT_NE(
      report.ToTable().find("json_similarity: long arrays of 1 of 2 scored records were paired greedily"),
      std::string::npos)
      << report.ToTable();
}

TEST_F(RemarksTest, AreTheSameForAnyThreadsBatchesAndParts) {
  std::string input;
  for (int i = 0; i < 40; ++i) {
    std::string records = kEnvelopes;
    const std::string id = "\"id\": ";
    for (std::size_t at = records.find(id); at != std::string::npos; at = records.find(id, at + 1)) {
      records.insert(at + id.size(), std::to_string(i + 1));
    }
    input += records;
  }
  FileOptions options;
  options.inputs = {Input("in.jsonl", input)};
  const Plan plan = Plan::FromConfig(kEnvelopeRules);
  const FinishedRun base = Run(plan, options);
  EXPECT_EQ(RemarksIn(base).size(), 4u);
  ExpectSameBytes(plan, options, base, {1, 4'000});
}

}  // namespace
}  // namespace leafscore::internal
