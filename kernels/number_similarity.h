// kernels/number_similarity.h: the similarity of many pairs of numbers, as json_similarity defines it.
#ifndef LEAFSCORE_KERNELS_NUMBER_SIMILARITY_H_
#define LEAFSCORE_KERNELS_NUMBER_SIMILARITY_H_

#include <span>

namespace leafscore::internal {

// Sets similarity[i] to 1 - |expected[i] - actual[i]| / |expected[i]|. A relative difference up to
// `tolerance` counts as 0; one above 1, or NaN, counts as 1. An expected number of at most 1e-12 in
// magnitude, which the original json_similarity takes for zero, is similar only to another such number.
// REQUIRES: three columns of one size; tolerance >= 0.
// RETURNS: the same bits on every machine: every step is rounded by IEEE 754.
// THREADS: safe with distinct outputs.
void NumberSimilarityBatch(std::span<const double> expected, std::span<const double> actual, double tolerance,
                           std::span<double> similarity) noexcept;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_NUMBER_SIMILARITY_H_
