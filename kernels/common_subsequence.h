// kernels/common_subsequence.h: the similarity of many string pairs by the length of their longest common
// subsequence, l, in code points: 1 - (|a| + |b| - 2l) / (|a| + |b|).
#ifndef LEAFSCORE_KERNELS_COMMON_SUBSEQUENCE_H_
#define LEAFSCORE_KERNELS_COMMON_SUBSEQUENCE_H_

#include <cstddef>
#include <span>

#include "kernels/string_column.h"

namespace leafscore::internal {

// Returns the scratch bytes that CommonSubsequenceBatch needs for these columns.
std::size_t CommonSubsequenceScratchBytes(const StringColumn& left, const StringColumn& right) noexcept;

// Sets similarity[i] to the similarity of left[i] and right[i], from 0 to 1; 1 for two empty strings.
// REQUIRES: left.size == right.size == similarity.size(); strings of valid UTF-8, each below 1 GiB; padded
// columns; scratch.size() >= CommonSubsequenceScratchBytes(left, right), aligned to 64 bytes.
// RETURNS: the same bits on every machine.
// COST: O(|a| + |b| + |a| * |b| / 64) a pair.
// THREADS: safe with distinct outputs and scratch.
void CommonSubsequenceBatch(const StringColumn& left, const StringColumn& right, std::span<double> similarity,
                            std::span<std::byte> scratch) noexcept;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_COMMON_SUBSEQUENCE_H_
