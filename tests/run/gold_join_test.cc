#include "engine/run/gold_join.h"

#include <string>
#include <vector>

#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

TEST(ListedIds, HoldTheFirstAndCountTheRest) {
  ListedIds ids;
  for (std::size_t i = 0; i < kMaxListedIds - 1; ++i) AddId(std::to_string(i), ids);
  EXPECT_EQ(ids.first.size(), kMaxListedIds - 1);
  ListedIds later;
  for (const char* id : {"x", "y", "z"}) AddId(id, later);
  later.count += 5;  // not listed
  AddIds(later, ids);
  EXPECT_EQ(ids.count, kMaxListedIds - 1 + 8);
  ASSERT_EQ(ids.first.size(), kMaxListedIds);
  EXPECT_EQ(ids.first.front(), "0");
  EXPECT_EQ(ids.first.back(), "x");
  AddId("more", ids);
  EXPECT_EQ(ids.first.size(), kMaxListedIds);
}

TEST(ListedIds, CutLongOnesAtACodePoint) {
  ListedIds ids;
  AddId(std::string(kMaxListedIdBytes, 'x'), ids);
  AddId(std::string(kMaxListedIdBytes + 1, 'x'), ids);
  AddId(std::string(kMaxListedIdBytes - 1, 'x') + "é", ids);
  EXPECT_EQ(ids.first[0], std::string(kMaxListedIdBytes, 'x'));
  EXPECT_EQ(ids.first[1], std::string(kMaxListedIdBytes, 'x') + "…");
  EXPECT_EQ(ids.first[2], std::string(kMaxListedIdBytes - 1, 'x') + "…");
}

class GoldJoinTest : public RunTest {};

TEST_F(GoldJoinTest, CountsSourceBySource) {
  FileOptions options;
  options.gold = Input("gold.jsonl", "{\"id\": \"a\"}\n{\"id\": \"b\"}\n{\"id\": \"c\"}\n");
  const GoldTable gold(options);
  const std::vector<std::string> sources = {"m", "empty", "n", "last"};
  RunSummary counted({"s"}, {}, 10);
  GoldJoin join(gold, sources, ResultLayout{{0, 0}}, /*groups=*/0, Repeats::kLast);
  const auto add = [&](const std::vector<std::uint32_t>& entries, const std::vector<double>& scores,
                       const ListedIds& without_gold) {
    ResultRows results;
    for (const double score : scores) results.scores.push_back({.score = score});
    results.hashes.resize(scores.size());
    join.Add(entries, without_gold, results, {});
  };
  constexpr std::uint32_t kNone = GoldTable::kNone;
  ListedIds unknown;
  AddId("z", unknown);
  add({1, kNone, kNone, 1}, {0.25, 0.75, 0.75, 0.5}, unknown);
  add({1, 2}, {1, 0}, {});
  EXPECT_EQ(counted.Overall(0).counts().asked(), 0u);  // a later answer may count
  EXPECT_EQ(join.EndSource(counted), std::vector<std::uint32_t>{0});
  EXPECT_EQ(counted.Overall(0).counts().scored, 2u);
  EXPECT_EQ(counted.Overall(0).Mean(Over::kScored), 0.5);  // of 1 and 0, the last answers
  EXPECT_EQ(join.EndSource(counted), (std::vector<std::uint32_t>{0, 1, 2}));
  add({0, 1, 2}, {0.5, 0.5, 0.5}, {});
  EXPECT_TRUE(join.EndSource(counted).empty());
  EXPECT_FALSE(join.ended());
  EXPECT_EQ(join.EndSource(counted).size(), 3u);
  EXPECT_TRUE(join.ended());
  EXPECT_EQ(counted.Overall(0).counts().scored, 5u);
  const JoinSummary& summary = join.summary();
  EXPECT_EQ(summary.gold.ids, 3u);
  ASSERT_EQ(summary.sources.size(), 4u);

  const SourceCounts& first = summary.sources[0];
  EXPECT_EQ(first.source, "m");
  EXPECT_EQ(first.records, 6u);
  EXPECT_EQ(first.matched, 4u);
  EXPECT_EQ(first.rejected, 1u);
  EXPECT_EQ(first.without_gold.first, std::vector<std::string>{"z"});
  EXPECT_EQ(first.duplicates.first, (std::vector<std::string>{"b", "b"}));
  EXPECT_EQ(first.unanswered.first, std::vector<std::string>{"a"});

  EXPECT_EQ(summary.sources[1].records, 0u);
  EXPECT_EQ(summary.sources[1].unanswered.count, 3u);
  EXPECT_EQ(summary.sources[2].matched, 3u);
  EXPECT_EQ(summary.sources[2].duplicates.count, 0u);
  EXPECT_EQ(summary.sources[2].unanswered.count, 0u);
  EXPECT_EQ(summary.sources[3].unanswered.first, (std::vector<std::string>{"a", "b", "c"}));
}

}  // namespace
}  // namespace leafscore::internal
