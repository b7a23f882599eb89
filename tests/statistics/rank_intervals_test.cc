#include "engine/statistics/rank_intervals.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/statistics/families.h"
#include "statistics/verdict_vectors.h"

namespace leafscore::internal {
namespace {

TEST(SimultaneousRankIntervals, GivesThePublishedVectors) {
  const std::vector<rapidjson::Document> vectors = VerdictVectors("ranks");
  EXPECT_EQ(vectors.size(), 3u);
  for (const rapidjson::Document& vector : vectors) {
    SCOPED_TRACE(vector["id"].GetString());
    std::vector<double> p;
    for (const auto& pair : vector["pairs"].GetArray()) p.push_back(pair[2].GetDouble());
    const std::vector<Interval> ranks =
        SimultaneousRankIntervals(NumbersOf(vector["means"]), HolmCorrected(p), vector["alpha"].GetDouble());
    const auto wanted = vector["want"]["intervals"].GetArray();
    ASSERT_EQ(ranks.size(), wanted.Size());
    for (unsigned model = 0; model < wanted.Size(); ++model) {
      EXPECT_EQ(ranks[model].low, wanted[model][0].GetDouble()) << model;
      EXPECT_EQ(ranks[model].high, wanted[model][1].GetDouble()) << model;
    }
  }
}

TEST(SimultaneousRankIntervals, CountsWhoIsSurelyBetterAndWorse) {
  // The last is surely worse than the first two, which are not told apart; the models need not be in order.
  const std::vector<Interval> ranks = SimultaneousRankIntervals(std::vector<double>{0.8, 0.9, 0.1},
                                                                std::vector<double>{0.05, 0.01, 0.02}, 0.05);
  EXPECT_EQ(ranks[0].low, 1);
  EXPECT_EQ(ranks[0].high, 2);
  EXPECT_EQ(ranks[1].low, 1);
  EXPECT_EQ(ranks[1].high, 2);
  EXPECT_EQ(ranks[2].low, 3);
  EXPECT_EQ(ranks[2].high, 3);
  EXPECT_TRUE(SimultaneousRankIntervals({}, {}, 0.05).empty());
}

}  // namespace
}  // namespace leafscore::internal
