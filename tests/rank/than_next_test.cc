// What a comparison with the next model would say, and models whose mean is higher and pass rate lower.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/rank/scorer_ranking.h"
#include "rank/board_testing.h"

namespace leafscore::internal {
namespace {

class ThanNextTest : public BoardTest {
 protected:
  // Returns lines for `ids` ids, of which the first `low` have the score `of_low`.
  static std::string Lines(int ids, int low, double of_low, double of_others, std::string_view more_low = "",
                           std::string_view more = "") {
    std::string lines;
    for (int id = 0; id < ids; ++id) {
      lines += id < low ? Scored(std::to_string(id), of_low, more_low)
                        : Scored(std::to_string(id), of_others, more);
    }
    return lines;
  }
};

TEST_F(ThanNextTest, SaysWhatAComparisonWould) {
  const auto than_next = [&](const std::string& a, const std::string& b) {
    return Rank({{"a", a}, {"b", b}}).at(0).than_next;
  };
  EXPECT_EQ(than_next(Lines(6, 0, 0, 0.9), Lines(6, 0, 0, 0.8)), ThanNext::kBetter);  // p 2 / 64
  EXPECT_EQ(than_next(Lines(5, 0, 0, 0.9), Lines(5, 0, 0, 0.8)), ThanNext::kCannotTell);
  // Of 299 ids that are equal, at most 1% may differ (1 - 0.05^(1 / 299)); of 298 more may.
  EXPECT_EQ(than_next(Lines(299, 0, 0, 0.9), Lines(299, 0, 0, 0.9)), ThanNext::kNoWorse);
  EXPECT_EQ(than_next(Lines(298, 0, 0, 0.9), Lines(298, 0, 0, 0.9)), ThanNext::kCannotTell);
  // Where more than 1% of the records are errors, nobody knows that answers are as good.
  const std::string equal = Lines(600, 0, 0, 0.9);
  std::string errors;
  for (int id = 600; id < 607; ++id) errors += Unscored(std::to_string(id), "error");
  EXPECT_EQ(than_next(equal + errors, equal + errors), ThanNext::kCannotTell);
  EXPECT_EQ(than_next(equal, equal), ThanNext::kNoWorse);
}

// Twenty of a hundred answers fail that pass with the other model, and the others are a little better.
TEST_F(ThanNextTest, AHigherMeanWithFewerPassesIsStarred) {
  const std::vector<LeaderboardRow> rows = Rank({{"risky", Lines(100, 20, 0.5, 0.93, kFailed, kPassed)},
                                                 {"safe", Lines(100, 0, 0, 0.75, "", kPassed)}});
  EXPECT_EQ(rows[0].model, "risky");
  EXPECT_TRUE(rows[0].passes_less);
  EXPECT_FALSE(rows[1].passes_less);
  EXPECT_EQ(rows[0].than_next, ThanNext::kWorse);
  EXPECT_EQ(rows[1].than_next, std::nullopt);
  const std::string table = RenderLeaderboard(rows, LeaderboardFormat::kTable);
  EXPECT_NE(table.find("  *0.8000  "), std::string::npos) << table;
  EXPECT_NE(table.find("  than next\nrisky  "), std::string::npos) << table;
  EXPECT_TRUE(
      table.ends_with("\n* Its mean is higher than the next model's, but fewer of its records pass.\n"))
      << table;
  const std::string json = RenderLeaderboard(rows, LeaderboardFormat::kJson);
  EXPECT_NE(json.find("\"than_next\": \"worse\", \"passes_less\": true, "), std::string::npos) << json;
  EXPECT_NE(json.find("\"than_next\": null, \"passes_less\": false, "), std::string::npos) << json;
  EXPECT_NE(RenderLeaderboard(rows, LeaderboardFormat::kCsv).find(",worse,true,true\n"), std::string::npos);
}

// Of five records p cannot be below 0.0625.
TEST_F(ThanNextTest, FewerPassesThatMayBeChanceAreNotStarred) {
  const LeaderboardRow row = Rank({{"risky", Lines(25, 5, 0.5, 0.93, kFailed, kPassed)},
                                   {"safe", Lines(25, 0, 0, 0.75, "", kPassed)}})
                                 .at(0);
  EXPECT_EQ(row.model, "risky");
  EXPECT_LT(*row.over_all.pass_rate, 1);
  EXPECT_FALSE(row.passes_less);
}

TEST_F(ThanNextTest, TheRowsOfMeanAndPassRateAreOneFamily) {
  const auto row = [](std::uint64_t differing, double p, double difference, double p_equivalence) {
    TestedDifference tested{.test = {.p = p, .difference = difference}, .p_equivalence = p_equivalence};
    tested.test.least_p = LeastSignFlipP(differing);
    tested.test.rises = differing;
    return tested;
  };
  const auto said = [](const std::vector<TestedDifference>& rows, double say_nothing = 0) {
    return CompareWithNext(rows, say_nothing);
  };
  EXPECT_EQ(said({row(50, 0.03, 0.1, 1)}), ThanNext::kBetter);
  EXPECT_EQ(said({row(50, 0.03, 0.1, 1), row(50, 0.5, 0.1, 1)}), ThanNext::kCannotTell);  // 0.03 of two
  EXPECT_EQ(said({row(50, 0.03, 0.1, 1), row(3, 0.5, 0.1, 1)}), ThanNext::kBetter);  // that could not be 0.03
  EXPECT_EQ(said({row(50, 0.02, 0.1, 1), row(50, 0.02, -0.1, 1)}), ThanNext::kWorse);
  EXPECT_EQ(said({row(50, 0.5, 0.001, 0.01), row(0, 1, 0, 0.01)}), ThanNext::kNoWorse);
  EXPECT_EQ(said({row(50, 0.5, 0.001, 0.01), row(0, 1, 0, 0.06)}), ThanNext::kCannotTell);
  EXPECT_EQ(said({row(50, 0.5, 0.001, 0.04), row(0, 1, 0, 0.04)}), ThanNext::kCannotTell);  // 0.08 of two
  EXPECT_EQ(said({row(50, 0.5, 0.001, 0.03), row(50, 0.5, 0.001, 0.03)}), ThanNext::kCannotTell);  // 0.06
  EXPECT_EQ(said({row(50, 0.01, 0.001, 0.01)}), ThanNext::kNoWorse);  // equivalence goes first
  EXPECT_EQ(said({row(50, 0.01, 0.001, 0.01)}, 0.02), ThanNext::kBetter);
}

}  // namespace
}  // namespace leafscore::internal
