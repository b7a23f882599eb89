#include "engine/report/run_summary.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {
namespace {

// Adds a scored record under every scorer to a field's group and overall.
void AddRecord(RunSummary& summary, std::string_view value) {
  const std::uint32_t group = summary.GroupIndex(0, value);
  ++summary.totals().records_read;
  for (std::size_t scorer = 0; scorer < summary.scorer_names().size(); ++scorer) {
    summary.Overall(scorer).AddScored(1, std::nullopt);
    summary.Statistics(scorer, 0, group).AddScored(1, std::nullopt);
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
  ScoreStatistics& first = summary.Statistics(1, 0, summary.GroupIndex(0, "first"));
  for (int i = 0; i < 1000; ++i) summary.GroupIndex(0, std::to_string(i));
  first.AddError();
  EXPECT_EQ(summary.Statistics(1, 0, summary.GroupIndex(0, "first")).counts().errors, 1u);
  EXPECT_EQ(summary.Statistics(0, 0, summary.GroupIndex(0, "first")).counts().errors, 0u);
}

TEST(RunSummary, ReportsLargestGroupsFirst) {
  RunSummary summary({"s"}, {"f"}, 3);
  for (const char* value : {"c", "b", "b", "a", "beyond", "beyond", "beyond"}) AddRecord(summary, value);
  summary.Statistics(0, 0, kNoneGroup).AddError();
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
  counted_twice.Overall(1).AddError();
  EXPECT_TRUE(counted_twice.CountsAddUp(0));
  EXPECT_FALSE(counted_twice.CountsAddUp(1));
  EXPECT_FALSE(counted_twice.CountsAddUp());

  RunSummary lost_in_groups = summary;
  ++lost_in_groups.totals().records_read;
  for (const std::size_t scorer : {0u, 1u}) lost_in_groups.Overall(scorer).AddUnreadable();
  EXPECT_FALSE(lost_in_groups.CountsAddUp());
  for (const std::size_t scorer : {0u, 1u}) lost_in_groups.Statistics(scorer, 0, kNoneGroup).AddUnreadable();
  EXPECT_TRUE(lost_in_groups.CountsAddUp());

  RunSummary other_outcome_in_groups = summary;
  ++other_outcome_in_groups.totals().records_read;
  for (const std::size_t scorer : {0u, 1u}) {
    other_outcome_in_groups.Overall(scorer).AddUnreadable();
    other_outcome_in_groups.Statistics(scorer, 0, kNoneGroup).AddError();
  }
  EXPECT_FALSE(other_outcome_in_groups.CountsAddUp());
}

}  // namespace
}  // namespace leafscore::internal
