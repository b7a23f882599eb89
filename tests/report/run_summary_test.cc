#include "engine/report/run_summary.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/summary_testing.h"

namespace leafscore::internal {
namespace {

// Adds a scored record under every scorer to a field's group and overall.
void AddRecord(RunSummary& summary, std::string_view value) {
  const std::uint32_t group = summary.GroupIndex(0, value);
  ++summary.totals().records_read;
  for (std::size_t scorer = 0; scorer < summary.scorer_names().size(); ++scorer) {
    Add(summary, scorer, Scored(1), {group});
  }
}

std::vector<std::string> NamesToReport(const RunSummary& summary, std::size_t field) {
  std::vector<std::string> names;
  for (const std::uint32_t group : summary.GroupsToReport(field)) {
    names.push_back(summary.group_name(field, group));
  }
  return names;
}

TEST(RunSummary, GroupsAreNumberedPerField) {
  RunSummary summary({"exact_match"}, {"model", "language"}, 10);
  const std::uint32_t a = summary.GroupIndex(0, "a");
  const std::uint32_t b = summary.GroupIndex(0, "b");
  EXPECT_NE(a, b);
  EXPECT_GT(a, kOtherGroup);
  EXPECT_EQ(summary.GroupIndex(0, "a"), a);
  EXPECT_EQ(summary.group_name(0, b), "b");
  EXPECT_EQ(summary.group_name(1, summary.GroupIndex(1, "b")), "b");
  EXPECT_EQ(summary.group_name(1, kNoneGroup), "(none)");
  EXPECT_EQ(summary.group_name(1, kOtherGroup), "(other)");
  // A value that reads like a special group is still a value.
  EXPECT_GT(summary.GroupIndex(0, "(none)"), kOtherGroup);
  EXPECT_GT(summary.GroupIndex(0, ""), kOtherGroup);
}

// Records of two scorers, one of which judges fields, by number.
void AddNumbered(std::uint32_t i, std::span<const std::uint32_t> groups, RunSummary& overall,
                 RunSummary& in_groups) {
  const double score = (i * 37 % 101) / 101.0;
  const std::vector<RecordScore> scores = {
      i % 5 == 0 ? RecordScore{.outcome = Outcome::kError, .reason = RejectReason::kBadCriteria}
                 : RecordScore{.score = score, .nothing_compared = i % 3 == 0},
      i % 5 == 0 ? RecordScore{.outcome = Outcome::kNotAsked} : RecordScore{.score = score / 3}};
  const std::vector<FieldOutcome> fields = {i % 2 == 0 ? FieldOutcome::kTruePositive : FieldOutcome::kWrong};
  for (std::size_t s = 0; s < 2; ++s) {
    const std::span<const FieldOutcome> judged =
        s == 0 && i % 5 != 0 ? std::span(fields) : std::span(fields).first(0);
    if (&overall == &in_groups) {
      overall.Add(s, scores[s], groups, judged);
    } else {
      overall.Add(s, scores[s], {}, judged);
      in_groups.AddToGroups(s, {&scores[s], 1}, groups, judged);
    }
  }
  overall.AddWholeRecord(scores);
}

TEST(RunSummary, PartsInAnyOrderGiveTheSameReport) {
  const auto make = [] {
    RunSummary summary({"a", "b"}, {"f"}, 10);
    summary.traits(0).judged_fields = {"x"};
    summary.traits(0).final_weight = 2;
    summary.totals().records_read = 300;
    return summary;
  };
  RunSummary whole = make();
  RunSummary in_parts = make();
  std::vector<RunSummary> parts(3, in_parts.Part());
  const std::vector<std::uint32_t> groups = {whole.GroupIndex(0, "g"), whole.GroupIndex(0, "h")};
  ASSERT_EQ(in_parts.GroupIndex(0, "g"), groups[0]);
  ASSERT_EQ(in_parts.GroupIndex(0, "h"), groups[1]);
  for (std::uint32_t i = 0; i < 300; ++i) {
    const std::span group = std::span(groups).subspan(i % 2, 1);
    AddNumbered(i, group, whole, whole);
    AddNumbered(i, group, parts[i % 4 == 0 ? 0 : 2], in_parts);
  }
  RunSummary other = in_parts;
  for (const std::size_t part : {0, 1, 2}) in_parts.AddPart(parts[part]);
  for (const std::size_t part : {2, 0, 1}) other.AddPart(parts[part]);
  EXPECT_TRUE(in_parts.CountsAddUp());
  EXPECT_EQ(in_parts.Report().ToJson(), whole.Report().ToJson());
  EXPECT_EQ(other.Report().ToJson(), whole.Report().ToJson());
}

TEST(RunSummary, GroupLimit) {
  const std::vector<std::string> values = {"a", "b", "c", "d"};
  for (const std::size_t max_groups : {3u, 4u, 5u}) {
    RunSummary summary({"s"}, {"f"}, max_groups);
    for (int round = 0; round < 2; ++round) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(summary.GroupIndex(0, values[i]) == kOtherGroup, i >= max_groups)
            << max_groups << values[i];
      }
    }
  }
  RunSummary none({"s"}, {"f"}, 0);
  EXPECT_EQ(none.GroupIndex(0, "a"), kOtherGroup);
}

TEST(RunSummary, ValueLengthLimit) {
  RunSummary summary({"s"}, {"f"}, 10);
  EXPECT_NE(summary.GroupIndex(0, std::string(kMaxGroupValueBytes - 1, 'x')), kOtherGroup);
  EXPECT_NE(summary.GroupIndex(0, std::string(kMaxGroupValueBytes, 'x')), kOtherGroup);
  EXPECT_EQ(summary.GroupIndex(0, std::string(kMaxGroupValueBytes + 1, 'x')), kOtherGroup);
}

TEST(RunSummary, StatisticsKeepTheirPlaceAsGroupsAreMade) {
  RunSummary summary({"s", "t"}, {"f"}, 1000);
  const ScoreStatistics& first = summary.Statistics(1, 0, summary.GroupIndex(0, "first"));
  for (int i = 0; i < 1000; ++i) summary.GroupIndex(0, std::to_string(i));
  Add(summary, 1, kInError, {summary.GroupIndex(0, "first")});
  EXPECT_EQ(first.counts().errors, 1u);
  EXPECT_EQ(summary.Statistics(0, 0, summary.GroupIndex(0, "first")).counts().errors, 0u);
}

TEST(RunSummary, ReportsLargestGroupsFirst) {
  RunSummary summary({"s"}, {"f"}, 3);
  for (const char* value : {"c", "b", "b", "a", "beyond", "beyond", "beyond"}) AddRecord(summary, value);
  Add(summary, 0, kInError, {kNoneGroup});
  EXPECT_EQ(NamesToReport(summary, 0), (std::vector<std::string>{"b", "a", "c", "(none)", "(other)"}));
}

TEST(RunSummary, LeavesOutEmptyGroups) {
  RunSummary summary({"s"}, {"f"}, 3);
  summary.GroupIndex(0, "never added to");
  EXPECT_EQ(NamesToReport(summary, 0), std::vector<std::string>{});
}

TEST(RunSummary, CountsAddUp) {
  RunSummary summary({"s", "t"}, {"f"}, 1);
  EXPECT_TRUE(summary.CountsAddUp());
  for (const char* value : {"a", "b", "a"}) AddRecord(summary, value);
  EXPECT_TRUE(summary.CountsAddUp());

  RunSummary lost_record = summary;
  ++lost_record.totals().records_read;
  EXPECT_FALSE(lost_record.CountsAddUp());

  RunSummary counted_twice = summary;
  Add(counted_twice, 1, kInError, {kNoneGroup});
  EXPECT_TRUE(counted_twice.CountsAddUp(0));
  EXPECT_FALSE(counted_twice.CountsAddUp(1));
  EXPECT_FALSE(counted_twice.CountsAddUp());

  RunSummary lost_in_groups = summary;
  ++lost_in_groups.totals().records_read;
  for (const std::size_t scorer : {0u, 1u}) Add(lost_in_groups, scorer, kUnparsed, {});
  EXPECT_FALSE(lost_in_groups.CountsAddUp());
  RunSummary in_groups = summary;
  ++in_groups.totals().records_read;
  for (const std::size_t scorer : {0u, 1u}) Add(in_groups, scorer, kUnparsed, {kNoneGroup});
  EXPECT_TRUE(in_groups.CountsAddUp());
}

// With gold, what was asked for is every id of it, of every source.
TEST(RunSummary, CountsOfAJoinAddUp) {
  RunSummary summary({"s"}, {}, 1);
  summary.totals() = {.records_read = 6, .rejected = 3};
  JoinSummary& join = summary.join().emplace();
  join.gold.ids = 2;
  join.sources.resize(2);
  join.sources[0] = {.records = 6, .matched = 3, .rejected = 1};
  join.sources[0].without_gold.count = 2;
  join.sources[0].duplicates.count = 1;
  join.sources[1].unanswered.count = 2;
  const RecordScore unanswered = Unscored(Outcome::kUnanswered, RejectReason::kNoAnswer);
  for (const RecordScore& record : {Scored(1), kInError, unanswered, unanswered}) Add(summary, 0, record, {});
  EXPECT_TRUE(summary.CountsAddUp());

  RunSummary lost_answer = summary;
  ++lost_answer.join()->sources[0].matched;
  EXPECT_FALSE(lost_answer.CountsAddUp());
  RunSummary lost_reject = summary;
  ++lost_reject.totals().rejected;
  EXPECT_FALSE(lost_reject.CountsAddUp());
  RunSummary lost_id = summary;
  --lost_id.join()->sources[1].unanswered.count;
  EXPECT_FALSE(lost_id.CountsAddUp());
  Add(summary, 0, unanswered, {});
  EXPECT_FALSE(summary.CountsAddUp());
}

TEST(RunSummary, TellsWhyRecordsHaveNoScore) {
  RunSummary summary({"s"}, {}, 1);
  for (const RecordScore& record : {kInError, kUnparsed, Scored(1), kUnparsed}) Add(summary, 0, record, {});
  const std::vector<ReasonCount> reasons = summary.Report().scorers[0].reasons;
  ASSERT_EQ(reasons.size(), 2u);
  EXPECT_EQ(reasons[0].outcome, Outcome::kUnreadable);
  EXPECT_EQ(reasons[0].reason, RejectReason::kInvalidActualJson);
  EXPECT_EQ(reasons[0].records, 2u);
  EXPECT_EQ(reasons[1].reason, RejectReason::kMissingExpected);
  EXPECT_EQ(reasons[1].records, 1u);
}

TEST(RunSummary, CountsFieldsForEachGroup) {
  RunSummary summary({"s"}, {"f"}, 10);
  summary.traits(0).judged_fields = {"total", "date"};
  const std::uint32_t a = summary.GroupIndex(0, "a");
  const FieldOutcome right[] = {FieldOutcome::kTruePositive, FieldOutcome::kTrueNegative};
  const FieldOutcome wrong[] = {FieldOutcome::kWrong, FieldOutcome::kFalsePositive};
  const FieldOutcome missing[] = {FieldOutcome::kFalseNegative, FieldOutcome::kTrueNegative};
  summary.Add(0, Scored(1), std::span(&a, 1), right);
  summary.Add(0, kUnparsed, std::span(&a, 1), missing);
  summary.Add(0, Scored(0), std::span(&kNoneGroup, 1), wrong);
  summary.Add(0, kInError, std::span(&kNoneGroup, 1));
  const ScorerReport report = summary.Report().scorers[0];
  const auto numbers = [](const FieldCounts& counts) {
    return std::vector<std::uint64_t>{counts.true_positives, counts.false_positives, counts.false_negatives,
                                      counts.true_negatives};
  };
  ASSERT_EQ(report.fields.size(), 2u);
  EXPECT_EQ(report.fields[0].field, "total");
  EXPECT_EQ(numbers(report.fields[0]), (std::vector<std::uint64_t>{1, 1, 2, 0}));
  EXPECT_EQ(numbers(report.fields[1]), (std::vector<std::uint64_t>{0, 1, 0, 2}));
  ASSERT_EQ(report.groups.size(), 2u);
  EXPECT_EQ(numbers(report.groups[0].fields[0]), (std::vector<std::uint64_t>{1, 0, 1, 0}));
  EXPECT_EQ(numbers(report.groups[1].fields[0]), (std::vector<std::uint64_t>{0, 1, 1, 0}));
}

}  // namespace
}  // namespace leafscore::internal
