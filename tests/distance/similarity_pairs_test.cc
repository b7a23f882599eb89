#include "engine/distance/similarity_pairs.h"

#include <gtest/gtest.h>

#include <string>

namespace leafscore::internal {
namespace {

TEST(SimilarityPairs, ComputesTheMeasureItIsMadeFor) {
  SimilarityPairs jaro_winkler(SimilarityMeasure::kJaroWinkler);
  SimilarityPairs jaccard(SimilarityMeasure::kCharacterJaccard);
  SimilarityPairs subsequence(SimilarityMeasure::kCommonSubsequence);
  for (SimilarityPairs* pairs : {&jaro_winkler, &jaccard, &subsequence}) {
    pairs->Compute();  // of nothing
    EXPECT_EQ(pairs->Append("MARTHA", "MARHTA"), 0u);
    EXPECT_EQ(pairs->Append("", ""), 1u);
    EXPECT_EQ(pairs->Append("東京", "京"), 2u);
    EXPECT_EQ(pairs->size(), 3u);
    pairs->Compute();
    EXPECT_EQ(pairs->similarity(1), 1.0);
  }
  EXPECT_NEAR(jaro_winkler.similarity(0), 0.9611, 0.00005);
  EXPECT_EQ(jaro_winkler.similarity(2), 0.0);  // one place apart, where the window has no other place
  EXPECT_EQ(jaccard.similarity(0), 1.0);
  EXPECT_EQ(jaccard.similarity(2), 0.5);
  EXPECT_EQ(subsequence.similarity(0), 1 - 2 / 12.);
  EXPECT_EQ(subsequence.similarity(2), 1 - 1 / 3.);
}

TEST(SimilarityPairs, IsUsedAgainAfterClear) {
  SimilarityPairs pairs(SimilarityMeasure::kCharacterJaccard);
  for (const std::uint32_t count : {500u, 3u, 2000u}) {
    pairs.Clear();
    for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(pairs.Append(std::string(i + 1, 'a') + "é", "a"), i);
    pairs.Compute();
    ASSERT_EQ(pairs.size(), count);
    for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(pairs.similarity(i), 0.5);
  }
}

}  // namespace
}  // namespace leafscore::internal
