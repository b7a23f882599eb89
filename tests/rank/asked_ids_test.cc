// Which models are ranked, and by which ids.
#include "engine/rank/asked_ids.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rank/board_testing.h"

namespace leafscore::internal {
namespace {

class AskedIdsTest : public BoardTest {
 protected:
  // Returns lines with the score 1 for the ids from `first` up to `end`.
  static std::string Ids(int first, int end, std::string_view more = "") {
    std::string lines;
    for (int id = first; id < end; ++id) lines += Scored(std::to_string(id), 1, more);
    return lines;
  }

  // Returns of each row its rank, its model and, without a rank, its share of the ids.
  static std::string Text(const std::vector<LeaderboardRow>& rows) {
    std::string text;
    for (const LeaderboardRow& row : rows) {
      text += row.rank ? fmt::format("{} {}, ", *row.rank, row.model)
                       : fmt::format("- {} {}/{}, ", row.model, row.share.ids, row.share.of);
    }
    return text;
  }
};

// One id in common made the model with half of its 300 answers right rank first, p 0.0004.
TEST_F(AskedIdsTest, OneIdInCommonRanksNobody) {
  const std::vector<LeaderboardRow> rows = Rank({{"strong", Ids(0, 100)}, {"weak", Ids(99, 399)}});
  EXPECT_EQ(Text(rows), "- strong 100/399, - weak 300/300, ");
  EXPECT_EQ(rows[0].asked, 100u);
  EXPECT_EQ(rows[0].over_all.mean, 1);
  EXPECT_EQ(rows[0].lacking, std::nullopt);
  EXPECT_EQ(rows[0].own, 99u);
  EXPECT_EQ(rows[0].p_next, std::nullopt);
  EXPECT_EQ(rows[0].rank_interval, std::nullopt);
}

TEST_F(AskedIdsTest, AShareOfNineTenthsIsEnough) {
  const std::vector<LeaderboardRow> rows = Rank({{"a", Ids(0, 100)}, {"b", Ids(10, 100)}});
  EXPECT_EQ(Text(rows), "1 a, 2 b, ");
  EXPECT_EQ(rows[1].lacking, 10u);  // each counts 0
  EXPECT_EQ(rows[1].over_all.mean, 0.9);
  EXPECT_EQ(Text(Rank({{"a", Ids(0, 100)}, {"b", Ids(11, 100)}})), "- a 100/100, - b 89/100, ");
}

// `few` and `less` leave together, as their shares are equal.
TEST_F(AskedIdsTest, TheIdsAreGatheredAgainWhenModelsHaveLeft) {
  EXPECT_EQ(Text(Rank({{"a", Ids(0, 20)}, {"b", Ids(0, 20)}, {"few", Ids(0, 5)}, {"less", Ids(19, 24)}})),
            "1 a, 1 b, - few 5/24, - less 5/24, ");
  EXPECT_EQ(Text(Rank({{"a", Ids(0, 20)}, {"b", Ids(0, 19)}, {"few", Ids(18, 23)}})),
            "1 a, 2 b, - few 5/23, ");
}

// However many ids it has of its own. All three have a half of the ids of all here, so that all would leave.
TEST_F(AskedIdsTest, WhoHasNoIdInCommonLeavesFirst) {
  EXPECT_EQ(Text(Rank({{"a", Ids(0, 20)}, {"b", Ids(0, 20)}, {"x", Ids(20, 40)}})), "1 a, 1 b, - x 20/40, ");
  EXPECT_EQ(Text(Rank({{"a", Ids(0, 20)}, {"x", Ids(20, 40)}, {"y", Ids(40, 80)}})),
            "- a 20/80, - x 20/80, - y 40/80, ");
}

TEST_F(AskedIdsTest, TheLeastShareCanBeChosen) {
  const std::vector<ModelFile> files = {{"a", Ids(0, 10)}, {"b", Ids(0, 5)}};
  EXPECT_EQ(Text(Rank(files, {.min_share = 0.5})), "1 a, 2 b, ");
  EXPECT_EQ(Text(Rank(files, {.min_share = 0.51})), "- a 10/10, - b 5/10, ");
  EXPECT_EQ(Text(Rank({{"a", Ids(0, 10)}, {"b", Ids(0, 9)}}, {.min_share = 1})), "- a 10/10, - b 9/10, ");
  // Whatever the share, a model with no id in common is not ranked.
  EXPECT_EQ(Text(Rank({{"a", Ids(0, 10)}, {"b", Ids(0, 10)}, {"x", Ids(20, 25)}}, {.min_share = 0})),
            "1 a, 1 b, - x 5/15, ");
  for (const double share : {-0.1, 1.1}) {
    EXPECT_EQ(ErrorOf(ErrorCode::kUsage, [&] { Leaderboard({.min_share = share}); }),
              fmt::format("--min-share is {}; give a share from 0 to 1", share));
  }
}

TEST_F(AskedIdsTest, LinesWithoutAScoreCountForTheShare) {
  std::string lines = Ids(0, 5);
  for (int id = 5; id < 10; ++id) lines += Unscored(std::to_string(id), "unanswered");
  EXPECT_EQ(Text(Rank({{"a", Ids(0, 10)}, {"b", lines}})), "1 a, 2 b, ");
}

// Each line that has lost its id stands for one that its model lacks; but of ids that nobody knows no model
// was surely asked the same.
TEST_F(AskedIdsTest, LinesThatHaveLostTheirIdsCountForTheShare) {
  const std::string lost = Unscored("9", "error", kRecord) + Unscored("10", "error", kRecord);
  EXPECT_EQ(Text(Rank({{"a", Ids(0, 10)}, {"b", Ids(0, 8) + lost}})), "1 a, 2 b, ");
  EXPECT_EQ(Text(Rank({{"a", Ids(0, 10)}, {"b", lost}})), "- a 10/10, - b 0/10, ");
}

TEST_F(AskedIdsTest, CommonOnlyRanksByTheIdsThatAllHave) {
  const std::vector<LeaderboardRow> rows =
      Rank({{"a", Ids(0, 25) + Scored("99", 0)}, {"b", Ids(5, 30) + Scored("20", 0)}}, {.common_only = true});
  EXPECT_EQ(Text(rows), "1 a, 2 b, ");
  EXPECT_EQ(rows[0].common_ids, 20u);
  EXPECT_EQ(rows[0].asked, 20u);
  EXPECT_EQ(rows[0].over_all.mean, 1);
  EXPECT_EQ(rows[0].not_common, 6u);
  EXPECT_EQ(rows[0].own, 0u);
  EXPECT_EQ(rows[0].lacking, 0u);
  EXPECT_EQ(rows[1].over_all.mean, 0.95);
  EXPECT_EQ(rows[1].not_common, 5u);
  EXPECT_EQ(rows[1].repeated, 1u);
  EXPECT_EQ(rows[0].p_next, 1);
}

TEST_F(AskedIdsTest, FewerThan20CommonIdsAreRefused) {
  const auto refusal = [&](int ids) {
    return Refusal({{"a", Ids(0, 40)}, {"b", Ids(40 - ids, 60)}, {"c", Ids(0, 60)}}, {.common_only = true});
  };
  EXPECT_EQ(refusal(19),
            "under the scorer \"s\", 19 ids are common to all 3 models, but --common-only needs at least 20; "
            "\"b\" has "
            "the fewest, lines for 39 of 60 ids: leave it out, or score it over the same ids");
  EXPECT_EQ(Rank({{"a", Ids(0, 40)}, {"b", Ids(20, 60)}}, {.common_only = true})[0].common_ids, 20u);
  EXPECT_EQ(Rank({{"a", Ids(0, 3)}}, {.common_only = true})[0].common_ids, 3u);  // nobody to compare with
}

TEST_F(AskedIdsTest, MeansByTaskOfAModelThatIsNotRankedAreOverItsOwnIds) {
  const std::vector<ModelFile> files = {{"a", Ids(0, 10, ", \"task\": \"x\"")},
                                        {"b", Ids(0, 10, ", \"task\": \"x\"")},
                                        {"few", Ids(8, 10, ", \"task\": \"x\"") + Scored("12", 0.25)}};
  const ScoreMatrix matrix = RankAll(files, {.task = "task"}).by_task.at(0);
  EXPECT_EQ(matrix.rows[2].model, "few");
  EXPECT_FALSE(matrix.rows[2].ranked);
  EXPECT_EQ(matrix.rows[2].cells[0].mean, 1);
  EXPECT_EQ(matrix.rows[2].cells[0].ids, 2u);
  EXPECT_EQ(matrix.rows[2].cells[1].mean, 0.25);
}

}  // namespace
}  // namespace leafscore::internal
