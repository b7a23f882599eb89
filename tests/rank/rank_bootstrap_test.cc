#include "engine/rank/rank_bootstrap.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace leafscore::internal {
namespace {

// Returns the intervals of models with these scores, a text of digits for each.
std::string Intervals(const std::vector<std::string>& models) {
  std::vector<double> scores;
  for (std::size_t record = 0; record < models[0].size(); ++record) {
    for (const std::string& digits : models) scores.push_back(digits[record] - '0');
  }
  std::string text;
  for (const Interval& interval : RankIntervals(scores, models.size())) {
    text += std::to_string(static_cast<int>(interval.low)) + '-' +
            std::to_string(static_cast<int>(interval.high)) + ' ';
  }
  return text;
}

TEST(RankIntervals, OfOrdersThatEveryRecordAgreesOn) {
  EXPECT_EQ(Intervals({"111", "333", "222"}), "3-3 1-1 2-2 ");
  EXPECT_EQ(Intervals({"5"}), "1-1 ");
}

TEST(RankIntervals, EqualSumsShareTheBetterRank) {
  EXPECT_EQ(Intervals({"111", "111", "000"}), "1-1 1-1 3-3 ");
  EXPECT_EQ(Intervals({"000", "111", "000"}), "2-2 1-1 2-2 ");
}

// Two records that disagree: both are drawn twice with chance 1/4, so each model comes second so often.
TEST(RankIntervals, OfRecordsThatDisagree) { EXPECT_EQ(Intervals({"01", "10"}), "1-2 1-2 "); }

// Of 10 records the second model wins one: it wins at least as many as the first with the chance that 10
// draws hold it 5 times or more, 0.0016. When it wins 4, it has more with the chance 0.166 (6 or more of
// Binomial(10, 0.4)).
TEST(RankIntervals, LeaveOutWhatIsRare) {
  EXPECT_EQ(Intervals({"1111111110", "0000000001"}), "1-1 2-2 ");
  EXPECT_EQ(Intervals({"1111110000", "0000001111"}), "1-2 1-2 ");
}

}  // namespace
}  // namespace leafscore::internal
