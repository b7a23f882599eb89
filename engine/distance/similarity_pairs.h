// engine/distance/similarity_pairs.h: the string pairs in a batch that need a similarity measure other than
// the edit distance. A scorer owns a list. It clears and fills the list in Match, and computes the
// similarities in Reduce.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_DISTANCE_SIMILARITY_PAIRS_H_
#define LEAFSCORE_ENGINE_DISTANCE_SIMILARITY_PAIRS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/distance/kernel_memory.h"

namespace leafscore::internal {

enum class SimilarityMeasure : std::uint8_t {
  kJaroWinkler,        // kernels/jaro_winkler.h
  kCharacterJaccard,   // kernels/character_jaccard.h
  kCommonSubsequence,  // kernels/common_subsequence.h
};

class SimilarityPairs {
 public:
  explicit SimilarityPairs(SimilarityMeasure measure) : measure_(measure) {}

  void Clear();

  // Appends a pair of UTF-8 strings. RETURNS: the pair's number.
  // ERRORS: throws ColumnIsFull (engine/distance/kernel_memory.h); only Clear may follow.
  std::uint32_t Append(std::string_view expected, std::string_view actual);

  std::uint32_t size() const { return size_; }

  // Computes the similarities of all pairs at once.
  void Compute();

  // After Compute: the similarity of a pair, from 0 to 1.
  double similarity(std::uint32_t pair) const { return similarity_[pair]; }

 private:
  SimilarityMeasure measure_;
  std::uint32_t size_ = 0;
  StringColumnBuilder expected_;
  StringColumnBuilder actual_;
  std::vector<double> similarity_;
  KernelScratch scratch_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_DISTANCE_SIMILARITY_PAIRS_H_
