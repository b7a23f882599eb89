#include "kernels/levenshtein.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/kernels/distance_cases.h"
#include "tests/kernels/gpu_testing.h"
#include "tests/kernels/guarded_column.h"
#include "tests/kernels/guarded_scratch.h"
#include "tests/kernels/random_text.h"
#include "tests/kernels/string_reference.h"

namespace leafscore::internal {

void PrintTo(const DistanceCase& distance_case, std::ostream* out) { *out << distance_case.name; }

namespace {

using reference::TwoRowDistance;

// Pairs to compare, as code points; computed in one batch.
class Pairs {
 public:
  Pairs() = default;
  explicit Pairs(const DistanceCase::Pairs& pairs) {
    for (const auto& [a, b] : pairs) Add(a, b);
  }

  void Add(const std::u32string& a, const std::u32string& b) {
    left_.push_back(ToUtf8(a));
    right_.push_back(ToUtf8(b));
    expected_.push_back(TwoRowDistance(a, b));
  }
  std::size_t size() const { return left_.size(); }

  std::vector<std::uint32_t> Distances(Isa isa, GuardedEdge edge = GuardedEdge::kBack) const {
    const GuardedColumn left(left_, edge), right(right_, edge);
    std::vector<std::uint32_t> distances(size(), ~0u);
    const GuardedScratch scratch(LevenshteinScratchBytes(left.column(), right.column()));
    LevenshteinBatch(left.column(), right.column(), distances, scratch.span(), isa);
    return distances;
  }

  // Compares every distance with the oracle: on every instruction set and as a GPU computes it, under a guard
  // page at either edge.
  void ExpectExact() const {
    for (const GuardedEdge edge : {GuardedEdge::kFront, GuardedEdge::kBack}) {
      for (const Isa isa : AvailableIsas()) ExpectExpected(Distances(isa, edge), IsaName(isa));
      const GuardedColumn left(left_, edge), right(right_, edge);
      ExpectExpected(gpu::EmulatedDistances(left.column(), right.column()), "the emulated GPU");
    }
  }

 private:
  void ExpectExpected(const std::vector<std::uint32_t>& actual, std::string_view where) const {
    ASSERT_EQ(actual.size(), expected_.size());
    for (std::size_t i = 0; i < size(); ++i) {
      ASSERT_EQ(actual[i], expected_[i]) << "on " << where << ", pair " << i << " of " << size() << ":\n"
                                         << left_[i] << "\n"
                                         << right_[i];
    }
  }

  std::vector<std::string> left_, right_;
  std::vector<std::uint32_t> expected_;
};

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
  Pairs pairs;
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
    Pairs pair;
    pair.Add(a, b);
    pair.ExpectExact();
  }
}

class DistanceCaseTest : public testing::TestWithParam<DistanceCase> {};

INSTANTIATE_TEST_SUITE_P(Cases, DistanceCaseTest, testing::ValuesIn(DistanceCases()),
                         [](const auto& distance_case) { return distance_case.param.name; });

TEST_P(DistanceCaseTest, IsExact) { Pairs(GetParam().make()).ExpectExact(); }

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
