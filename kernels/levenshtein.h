// kernels/levenshtein.h: edit distances of many string pairs at once: exact or, if that would take too long,
// a range that certainly contains the distance.
#ifndef LEAFSCORE_KERNELS_LEVENSHTEIN_H_
#define LEAFSCORE_KERNELS_LEVENSHTEIN_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "kernels/isa.h"
#include "kernels/string_column.h"

namespace leafscore::internal {

// Limits on the work of LevenshteinBatch. By default, all distances are exact.
struct LevenshteinLimits {
  // A pair with more cells (see LevenshteinCells) gets a range, in time linear in its length.
  std::uint64_t max_cells = std::numeric_limits<std::uint64_t>::max();
  // Every larger distance counts as cutoff + 1. Long pairs then need less work (Ukkonen's band).
  std::uint32_t cutoff = std::numeric_limits<std::uint32_t>::max();
};

// Returns the scratch bytes that LevenshteinBatch needs for these columns and limits: some megabytes, and
// about 38 bytes for each byte of the longest string up to 1 MiB. A pair with a longer string may need more,
// and the pair that needs most counts. If it is not ASCII, it needs 4 bytes for each code point. If it is
// within the limits and its shorter string has more than 64 code points, it needs up to 20 bytes for each
// code point of the longer string.
// COST: linear in the bytes of strings beyond 1 MiB, and otherwise in the number of strings.
std::size_t LevenshteinScratchBytes(const StringColumn& left, const StringColumn& right,
                                    const LevenshteinLimits& limits = {}) noexcept;

// Sets lower[i] and upper[i] to bounds of the Levenshtein distance (unit costs, in code points) of left[i]
// and right[i]. The bounds are equal if the distance is known. This is so for pairs within `limits`, and
// always for strings that are at most one edit apart.
// REQUIRES: left.size == right.size == lower.size() == upper.size(); strings of valid UTF-8, each below 1
// GiB; padded columns; scratch.size() >= LevenshteinScratchBytes(left, right, limits), aligned to 64 bytes;
// an isa of AvailableIsas().
// RETURNS: how many distances are not known exactly. All numbers are the same on every machine.
// COST: O(|a|·|b| / 64) word steps a pair (Myers 1999, Hyyrö 2003).
// THREADS: safe with distinct outputs and scratch.
std::size_t LevenshteinBatch(const StringColumn& left, const StringColumn& right,
                             const LevenshteinLimits& limits, std::span<std::uint32_t> lower,
                             std::span<std::uint32_t> upper, std::span<std::byte> scratch,
                             Isa isa = ActiveIsa()) noexcept;

// The same without limits: sets distance[i] to the distance.
void LevenshteinBatch(const StringColumn& left, const StringColumn& right, std::span<std::uint32_t> distance,
                      std::span<std::byte> scratch, Isa isa = ActiveIsa()) noexcept;

// Returns the cells in the table of the one pair of two columns: the product of the sizes of its strings, in
// code points, without their common prefix and suffix.
std::uint64_t LevenshteinCells(const StringColumn& left, const StringColumn& right) noexcept;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_LEVENSHTEIN_H_
