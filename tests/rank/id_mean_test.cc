#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "engine/rank/row_builder.h"

namespace leafscore::internal {
namespace {

IdMean Of(const std::vector<double>& figures, const std::vector<std::uint32_t>& clusters = {}) {
  IdMean mean(clusters.empty() ? 0 : 9);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    mean.Add(figures[i], clusters.empty() ? 0 : clusters[i]);
  }
  return mean;
}

TEST(IdMean, OfIndependentIds) {
  const IdMean mean = Of({1, 1, 0, 0});
  EXPECT_EQ(mean.Mean(), 0.5);
  EXPECT_DOUBLE_EQ(*mean.StandardError(), std::sqrt(4 * 0.25 / 3 / 4));
  EXPECT_EQ(mean.ClusterCount(), std::nullopt);
  EXPECT_EQ(mean.EffectiveIds(), 4);
  EXPECT_EQ(Of({}).Mean(), std::nullopt);
  EXPECT_EQ(Of({}).EffectiveIds(), std::nullopt);
}

// Two clusters with the residuals 0.5 + 0.5 and -0.5 - 0.5: sqrt(2 / 1 * (1 + 1)) / 4 = 0.5.
TEST(IdMean, OfClusters) {
  const IdMean mean = Of({1, 1, 0, 0}, {3, 3, 5, 5});
  EXPECT_DOUBLE_EQ(*mean.StandardError(), 0.5);
  EXPECT_EQ(mean.ClusterCount(), 2u);
  // 0.5 * 0.5 / 0.5^2: four ids that are really one.
  EXPECT_DOUBLE_EQ(*mean.EffectiveIds(), 1);
  // A cluster for each id is the ordinary error, so there are no fewer ids than it has: 0.25 / (1 / 12) = 3.
  EXPECT_DOUBLE_EQ(*Of({1, 1, 0, 0}, {1, 2, 3, 4}).StandardError(), std::sqrt(1.0 / 12));
  EXPECT_NEAR(*Of({1, 1, 0, 0}, {1, 2, 3, 4}).EffectiveIds(), 3, 1e-12);
}

TEST(IdMean, OfClustersThatSayNothingOfTheSpread) {
  // One cluster.
  EXPECT_EQ(Of({1, 0}, {0, 0}).StandardError(), std::nullopt);
  EXPECT_EQ(Of({1, 0}, {0, 0}).EffectiveIds(), std::nullopt);
  // All equal: each cluster is one.
  EXPECT_EQ(Of({1, 1, 1}, {0, 0, 1}).EffectiveIds(), 2);
  // Clusters whose residuals cancel have no error, which does not make more ids of them.
  EXPECT_EQ(Of({1, 0, 1, 0}, {0, 0, 1, 1}).EffectiveIds(), 4);
}

}  // namespace
}  // namespace leafscore::internal
