// tests/kernels/distance_pairs.h: pairs of strings whose distances are compared with the oracle's.
#ifndef LEAFSCORE_TESTS_KERNELS_DISTANCE_PAIRS_H_
#define LEAFSCORE_TESTS_KERNELS_DISTANCE_PAIRS_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/levenshtein.h"
#include "tests/kernels/distance_cases.h"
#include "tests/kernels/gpu_testing.h"
#include "tests/kernels/guarded_column.h"
#include "tests/kernels/guarded_scratch.h"
#include "tests/kernels/random_text.h"
#include "tests/kernels/string_reference.h"

namespace leafscore::internal {

// Pairs to compare, as code points; computed in one batch.
class DistancePairs {
 public:
  DistancePairs() = default;
  explicit DistancePairs(const DistanceCase::Pairs& pairs) {
    for (const auto& [a, b] : pairs) Add(a, b);
  }

  void Add(const std::u32string& a, const std::u32string& b) {
    left_.push_back(ToUtf8(a));
    right_.push_back(ToUtf8(b));
    expected_.push_back(reference::TwoRowDistance(a, b));
  }
  std::size_t size() const { return left_.size(); }

  std::vector<std::uint32_t> Distances(Isa isa, GuardedEdge edge = GuardedEdge::kBack) const {
    const GuardedColumn left(left_, edge), right(right_, edge);
    std::vector<std::uint32_t> distances(size(), ~0u);
    const GuardedScratch scratch(LevenshteinScratchBytes(left.column(), right.column()));
    LevenshteinBatch(left.column(), right.column(), distances, scratch.span(), isa);
    return distances;
  }

  // Compares every distance with the oracle, on every instruction set, under a guard page at either edge.
  void ExpectExactOnCpu() const {
    for (const GuardedEdge edge : {GuardedEdge::kFront, GuardedEdge::kBack}) {
      for (const Isa isa : AvailableIsas()) ExpectExpected(Distances(isa, edge), IsaName(isa));
    }
  }

  // Like ExpectExactOnCpu, and also on an emulated GPU.
  void ExpectExact() const {
    ExpectExactOnCpu();
    for (const GuardedEdge edge : {GuardedEdge::kFront, GuardedEdge::kBack}) {
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

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_KERNELS_DISTANCE_PAIRS_H_
