#include "engine/distance/similarity_pairs.h"

#include "kernels/character_jaccard.h"
#include "kernels/common_subsequence.h"
#include "kernels/jaro_winkler.h"

namespace leafscore::internal {

void SimilarityPairs::Clear() {
  expected_.Clear();
  actual_.Clear();
  size_ = 0;
}

std::uint32_t SimilarityPairs::Append(std::string_view expected, std::string_view actual) {
  expected_.Append(expected);
  actual_.Append(actual);
  return size_++;
}

void SimilarityPairs::Compute() {
  const StringColumn expected = expected_.column();
  const StringColumn actual = actual_.column();
  similarity_.resize(size_);
  switch (measure_) {
    case SimilarityMeasure::kJaroWinkler:
      JaroWinklerBatch(expected, actual, similarity_,
                       scratch_.OfSize(JaroWinklerScratchBytes(expected, actual)));
      break;
    case SimilarityMeasure::kCharacterJaccard:
      CharacterJaccardBatch(expected, actual, similarity_,
                            scratch_.OfSize(CharacterJaccardScratchBytes(expected, actual)));
      break;
    case SimilarityMeasure::kCommonSubsequence:
      CommonSubsequenceBatch(expected, actual, similarity_,
                             scratch_.OfSize(CommonSubsequenceScratchBytes(expected, actual)));
      break;
  }
}

}  // namespace leafscore::internal
