// kernels/number_similarity.h: how alike the numbers of many pairs are, as json_similarity sees it.
#ifndef LEAFSCORE_KERNELS_NUMBER_SIMILARITY_H_
#define LEAFSCORE_KERNELS_NUMBER_SIMILARITY_H_

#include <span>

namespace leafscore::internal {

// Sets similarity[i] to 1 - |expected[i] - actual[i]| / |expected[i]|, the relative difference counted as
// none up to `tolerance`, as 1 above 1, and as 1 where it is not a number. An expected number of at most
// 1e-12 in magnitude, which the original json_similarity takes for zero, is like another such number only.
// REQUIRES: three columns of one size; tolerance >= 0.
// RETURNS:  the same bits on every machine: every step is rounded as IEEE 754 says.
// THREADS:  safe with distinct outputs.
void NumberSimilarityBatch(std::span<const double> expected, std::span<const double> actual, double tolerance,
                           std::span<double> similarity) noexcept;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_NUMBER_SIMILARITY_H_
