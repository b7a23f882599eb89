#include "kernels/levenshtein.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/kernels/distance_cases.h"
#include "tests/kernels/distance_pairs.h"
#include "tests/kernels/guarded_column.h"
#include "tests/kernels/string_reference.h"

namespace leafscore::internal {

void PrintTo(const DistanceCase& distance_case, std::ostream* out) { *out << distance_case.name; }

namespace {

using reference::TwoRowDistance;

TEST(TwoRowDistanceTest, KnowsTheTextbookAnswers) {
  EXPECT_EQ(TwoRowDistance(U"", U""), 0u);
  EXPECT_EQ(TwoRowDistance(U"", U"abc"), 3u);
  EXPECT_EQ(TwoRowDistance(U"abc", U""), 3u);
  EXPECT_EQ(TwoRowDistance(U"abc", U"abc"), 0u);
  EXPECT_EQ(TwoRowDistance(U"kitten", U"sitting"), 3u);
  EXPECT_EQ(TwoRowDistance(U"saturday", U"sunday"), 3u);
  EXPECT_EQ(TwoRowDistance(U"intention", U"execution"), 5u);
  EXPECT_EQ(TwoRowDistance(U"ab", U"ba"), 2u);
}

TEST(LevenshteinTest, KnowsTheTextbookAnswers) {
  DistancePairs pairs;
  pairs.Add(U"", U"");
  pairs.Add(U"", U"abc");
  pairs.Add(U"kitten", U"sitting");
  pairs.Add(U"saturday", U"sunday");
  pairs.Add(U"intention", U"execution");
  pairs.Add(U"Москва", U"Москве");
  pairs.Add(U"東京都", U"京都");
  pairs.Add(U"\U0001F600\U0001F601", U"\U0001F601");
  pairs.Add(U"é", U"è");  // one code point each that share their first byte
  for (const Isa isa : AvailableIsas()) {
    EXPECT_EQ(pairs.Distances(isa), (std::vector<std::uint32_t>{0, 3, 3, 3, 5, 1, 1, 1, 1})) << IsaName(isa);
  }
}

// The bytes behind a column's last string look like the middle of a code point, which none of these has
// there.
TEST(LevenshteinTest, CutsCodePointsRightAtTheEdgeOfAColumn) {
  const std::vector<std::pair<std::u32string, std::u32string>> alone = {
      {U"\u0439", U"\u0579"},          // D0 B9, D5 B9
      {U"\u4E39", U"\u4EB9"},          // E4 B8 B9, E4 BA B9
      {U"\u4E39", U"\u5E39"},          // E4 B8 B9, E5 B8 B9
      {U"\U0001F600", U"\U0002F600"},  // F0 9F 98 80, F0 AF 98 80
      {U"\u0439", U"x\u0439"},        {U"\u0439", U"\u0439x"},
  };
  for (const auto& [a, b] : alone) {
    DistancePairs pair;
    pair.Add(a, b);
    pair.ExpectExact();
  }
}

class DistanceCaseTest : public testing::TestWithParam<DistanceCase> {};

INSTANTIATE_TEST_SUITE_P(Cases, DistanceCaseTest, testing::ValuesIn(DistanceCases()),
                         [](const auto& distance_case) { return distance_case.param.name; });

TEST_P(DistanceCaseTest, IsExact) { DistancePairs(GetParam().make()).ExpectExact(); }

TEST(LevenshteinTest, NeedsScratchInProportionToTheLongestPair) {
  const auto scratch_bytes = [](std::size_t count, std::size_t length) {
    const GuardedColumn column(std::vector<std::string>(count, std::string(length, 'x')), GuardedEdge::kBack);
    return LevenshteinScratchBytes(column.column(), column.column());
  };
  EXPECT_EQ(scratch_bytes(100'000, 10), scratch_bytes(10'000, 10));
  EXPECT_LE(scratch_bytes(1, 1'000'000), 64u * 1'000'000);
}

}  // namespace
}  // namespace leafscore::internal
