// engine/distance/number_pairs.h: the pairs of different numbers in a batch, for a scorer that compares
// numbers as json_similarity does. A scorer owns a list. It clears and fills the list in Match, and computes
// the similarities in Reduce.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_DISTANCE_NUMBER_PAIRS_H_
#define LEAFSCORE_ENGINE_DISTANCE_NUMBER_PAIRS_H_

#include <cstdint>
#include <vector>

#include "kernels/number_similarity.h"

namespace leafscore::internal {

class NumberPairs {
 public:
  void Clear() {
    expected_.clear();
    actual_.clear();
  }

  // RETURNS: the pair's number.
  std::uint32_t Append(double expected, double actual) {
    expected_.push_back(expected);
    actual_.push_back(actual);
    return size() - 1;
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(expected_.size()); }

  // Computes the similarities of all pairs at once; see kernels/number_similarity.h.
  void Compute(double tolerance) {
    similarity_.resize(size());
    NumberSimilarityBatch(expected_, actual_, tolerance, similarity_);
  }

  // After Compute: the similarity of a pair, from 0 to 1.
  double similarity(std::uint32_t pair) const { return similarity_[pair]; }

 private:
  std::vector<double> expected_;
  std::vector<double> actual_;
  std::vector<double> similarity_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_DISTANCE_NUMBER_PAIRS_H_
