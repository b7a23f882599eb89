// kernels/levenshtein.h: exact edit distances of many string pairs at once.
#ifndef LEAFSCORE_KERNELS_LEVENSHTEIN_H_
#define LEAFSCORE_KERNELS_LEVENSHTEIN_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/isa.h"
#include "kernels/string_column.h"

namespace leafscore {

// Returns the scratch bytes that LevenshteinBatch needs for these columns.
std::size_t LevenshteinScratchBytes(const StringColumn& left, const StringColumn& right) noexcept;

// Sets distance[i] to the Levenshtein distance (unit costs, in code points) of left[i] and right[i].
// REQUIRES: left.size == right.size == distance.size(); valid UTF-8 below 1 GiB a string; padded columns;
//           scratch.size() >= LevenshteinScratchBytes(left, right), aligned to 64 bytes.
// RETURNS:  the same numbers on every machine.
// COST:     O(|a|·|b| / 64) word steps a pair (Myers 1999, Hyyrö 2003).
// THREADS:  safe with distinct outputs and scratch.
void LevenshteinBatch(const StringColumn& left, const StringColumn& right, std::span<std::uint32_t> distance,
                      std::span<std::byte> scratch) noexcept;

// As above, on a chosen instruction set instead of ActiveIsa().
// REQUIRES: one of AvailableIsas().
void LevenshteinBatch(const StringColumn& left, const StringColumn& right, std::span<std::uint32_t> distance,
                      std::span<std::byte> scratch, Isa isa) noexcept;

}  // namespace leafscore

#endif  // LEAFSCORE_KERNELS_LEVENSHTEIN_H_
