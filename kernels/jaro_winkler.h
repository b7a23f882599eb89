// kernels/jaro_winkler.h: the Jaro-Winkler similarity of many string pairs at once (Winkler 1990, "String
// comparator metrics and enhanced decision rules in the Fellegi-Sunter model of record linkage").
//
// Two equal characters match if they are at most max(|a|, |b|) / 2 - 1 places apart (at least 0); each
// character takes the first free partner. With m matches, and t as half the number of matched characters that
// are not in the same order, rounded down, Jaro's similarity is (m/|a| + m/|b| + (m - t)/m) / 3, or 0 without
// a match. Above 0.7, Winkler adds a tenth of the gap to 1 for each character of the common prefix, up to
// four. These are the conventions of rapidfuzz and jellyfish.
#ifndef LEAFSCORE_KERNELS_JARO_WINKLER_H_
#define LEAFSCORE_KERNELS_JARO_WINKLER_H_

#include <cstddef>
#include <span>

#include "kernels/isa.h"
#include "kernels/string_column.h"

namespace leafscore::internal {

// Returns the scratch bytes that JaroWinklerBatch needs for these columns.
std::size_t JaroWinklerScratchBytes(const StringColumn& left, const StringColumn& right) noexcept;

// Sets similarity[i] to the similarity of left[i] and right[i] in code points, from 0 to 1; it is symmetric,
// and 1 for two empty strings.
// REQUIRES: left.size == right.size == similarity.size(); strings of valid UTF-8, each below 1 GiB; padded
// columns; scratch.size() >= JaroWinklerScratchBytes(left, right), aligned to 64 bytes; an isa of
// AvailableIsas().
// RETURNS: the same bits on every machine.
// COST: O(|a| + |b|) a pair.
// THREADS: safe with distinct outputs and scratch.
void JaroWinklerBatch(const StringColumn& left, const StringColumn& right, std::span<double> similarity,
                      std::span<std::byte> scratch, Isa isa = ActiveIsa()) noexcept;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_JARO_WINKLER_H_
