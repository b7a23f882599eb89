// Lines of one model, scorer and id that come again. The expected figures are worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "rank/board_testing.h"

namespace leafscore::internal {
namespace {

class LeaderboardRepeatsTest : public BoardTest {
 protected:
  // Of id 1 first a failure, then a pass; of id 2 a pass.
  const std::string lines_ =
      Scored("1", 0, kFailed) + Scored("2", 1, kPassed) + Scored("\"1\"", 0.5, kPassed);
};

TEST_F(LeaderboardRepeatsTest, AnswersThatOccurTwiceCountOnceAndLeaveTheErrorBars) {
  const std::string once = ScoresFrom0({0, 1, 0.5});
  const LeaderboardRow row = RowOf(once);
  const LeaderboardRow twice = RowOf(once + once);
  EXPECT_EQ(twice.repeated, 3u);
  EXPECT_EQ(twice.asked, 3u);
  EXPECT_EQ(twice.scored, 3u);
  EXPECT_EQ(twice.over_all.mean, 0.5);
  EXPECT_EQ(twice.over_all.standard_error, row.over_all.standard_error);
  EXPECT_DOUBLE_EQ(*row.over_all.standard_error, std::sqrt(0.5 / 2 / 3));
}

TEST_F(LeaderboardRepeatsTest, TheLastCountsOrTheFirst) {
  const LeaderboardRow last = RowOf(lines_);
  EXPECT_EQ(last.over_all.mean, 0.75);
  EXPECT_EQ(last.over_all.pass_rate, 1);
  EXPECT_EQ(last.repeated, 1u);
  const LeaderboardRow first = RowOf(lines_, {.repeats = Repeats::kFirst});
  EXPECT_EQ(first.over_all.mean, 0.5);
  EXPECT_EQ(first.over_all.pass_rate, 0.5);
  EXPECT_EQ(first.repeated, 1u);
}

// The answer that counts is unreadable, whatever came before.
TEST_F(LeaderboardRepeatsTest, AnAnswerWithoutScoreReplacesOneToo) {
  const LeaderboardRow row = RowOf(Scored("1", 1) + Unscored("1", "unreadable"));
  EXPECT_EQ(row.scored, 0u);
  EXPECT_EQ(row.unreadable, 1u);
  EXPECT_EQ(row.over_all.mean, 0);
}

// A line that could not be read, but shows its id.
TEST_F(LeaderboardRepeatsTest, ABrokenLineReplacesNoAnswer) {
  const std::string good = Scored("1", 0.5);
  const std::string broken = Unscored("1", "error", ", \"id_from\": \"line\"");
  for (const std::string& lines : {good + broken, broken + good, broken + good + broken}) {
    for (const Repeats repeats : {Repeats::kLast, Repeats::kFirst, Repeats::kAll, Repeats::kError}) {
      const LeaderboardRow row = RowOf(lines, {.repeats = repeats});
      EXPECT_EQ(row.over_all.mean, 0.5);
      EXPECT_EQ(row.errors, 0u);
      EXPECT_EQ(row.scored, 1u);
      EXPECT_EQ(row.repeated, lines == broken + good + broken ? 2u : 1u);
    }
  }
  // Where there is no other, it counts.
  EXPECT_EQ(RowOf(broken).errors, 1u);
}

TEST_F(LeaderboardRepeatsTest, AnErrorNamesTheId) {
  EXPECT_EQ(
      Refusal({{"m", lines_}}, {.repeats = Repeats::kError}),
      "m has 2 lines of the id 1 under one scorer; give --repeats last, first or all to say which count");
  const std::string records = Scored("7", 1, kRecord);
  EXPECT_EQ(Refusal({{"m", records + records}}, {.repeats = Repeats::kError}).substr(0, 31),
            "m has 2 lines of the record 7 u");
  EXPECT_EQ(RowOf(Scored("1", 1) + Scored("1", 1, "", "t"), {.repeats = Repeats::kError}).repeated, 0u);
}

// Id 1 has the scores 0, 0.5 and none, so 1/6; id 2 has 1, so that the mean is 7/12. Over scored: 0.25 and 1.
TEST_F(LeaderboardRepeatsTest, SamplesMakeAMeanForEachIdFirst) {
  const LeaderboardRow row =
      RowOf(lines_ + Unscored("1", "unreadable"), {.repeats = Repeats::kAll, .pass_k = {1}});
  EXPECT_EQ(row.asked, 2u);
  EXPECT_EQ(row.samples, 4u);
  EXPECT_EQ(row.scored, 3u);
  EXPECT_EQ(row.unreadable, 1u);
  EXPECT_EQ(row.repeated, 0u);
  EXPECT_DOUBLE_EQ(*row.over_all.mean, 7.0 / 12);
  EXPECT_DOUBLE_EQ(*row.over_scored.mean, 0.625);
  EXPECT_DOUBLE_EQ(*row.coverage, (2.0 / 3 + 1) / 2);
  // 1 of 3, and 1 of 1; over scored 1 of 2, and 1 of 1.
  EXPECT_DOUBLE_EQ(*row.over_all.pass_rate, 2.0 / 3);
  EXPECT_DOUBLE_EQ(*row.over_scored.pass_rate, 0.75);
  EXPECT_DOUBLE_EQ(*row.pass_k.at(0).pass_at, 2.0 / 3);
  // Two ids: (1 - 1/6) / 2, whatever the number of samples.
  EXPECT_DOUBLE_EQ(*row.over_all.standard_error, 5.0 / 12);
}

// Id 1: 2 of 5 pass. Id 2: 1 of 2. The model lacks id 3.
TEST_F(LeaderboardRepeatsTest, PassAmongKSamples) {
  std::string lines = Scored("2", 1, kPassed) + Scored("2", 0, kFailed);
  for (int i = 0; i < 5; ++i) lines += Scored("1", 1, i < 2 ? kPassed : kFailed);
  const std::vector<LeaderboardRow> rows =
      Rank({{"m", lines}, {"n", Scored("3", 0, kFailed) + Scored("1", 0, kFailed)}},
           {.repeats = Repeats::kAll, .pass_k = {3, 2, 2}, .min_share = 0});
  const std::vector<PassAmong>& pass_k = rows[0].pass_k;
  ASSERT_EQ(pass_k.size(), 2u);
  EXPECT_EQ(pass_k[0].k, 2u);
  EXPECT_DOUBLE_EQ(*pass_k[0].pass_at, (0.7 + 1 + 0) / 3);  // 1 - C(3, 2) / C(5, 2), 1 - C(1, 2) / C(2, 2)
  EXPECT_DOUBLE_EQ(*pass_k[0].pass_hat, (0.1 + 0 + 0) / 3);
  EXPECT_EQ(pass_k[0].short_ids, 1u);
  EXPECT_EQ(pass_k[1].k, 3u);
  // The sample that id 2 lacks counts as a failure.
  EXPECT_DOUBLE_EQ(*pass_k[1].pass_at, (0.9 + 1 + 0) / 3);  // 1 - C(3, 3) / C(5, 3)
  EXPECT_DOUBLE_EQ(*pass_k[1].pass_hat, 0);
  EXPECT_EQ(pass_k[1].short_ids, 2u);
  // Without verdicts there is nothing to pass.
  EXPECT_EQ(RowOf(Scored("1", 1), {.repeats = Repeats::kAll, .pass_k = {1}}).pass_k.at(0).pass_at,
            std::nullopt);
}

TEST_F(LeaderboardRepeatsTest, PassKWithinItsLimitsAndWithAllSamplesOnly) {
  EXPECT_EQ(ErrorOf(ErrorCode::kUsage, [] { Leaderboard({.pass_k = {2}}); }),
            "--pass-k needs all answers to an id; give --repeats all with it");
  for (const std::uint32_t k : {0u, 1001u}) {
    const std::string error =
        ErrorOf(ErrorCode::kUsage, [&] { Leaderboard({.repeats = Repeats::kAll, .pass_k = {k}}); });
    EXPECT_EQ(error, fmt::format("--pass-k is {}; give a number of samples from 1 to 1000", k));
  }
  EXPECT_EQ(RowOf(lines_, {.repeats = Repeats::kAll, .pass_k = {1, 1000}}).pass_k.size(), 2u);
}

}  // namespace
}  // namespace leafscore::internal
