// kernels/levenshtein_matrix.h: the edit distances of all strings in one column to all short strings in
// another. A text is read once for many patterns, so a distance takes a fraction of the time that it takes in
// LevenshteinBatch.
#ifndef LEAFSCORE_KERNELS_LEVENSHTEIN_MATRIX_H_
#define LEAFSCORE_KERNELS_LEVENSHTEIN_MATRIX_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/isa.h"
#include "kernels/string_column.h"

namespace leafscore::internal {

// The most code points of a pattern, and of a text.
inline constexpr std::uint32_t kMaxMatrixPattern = 64;
inline constexpr std::uint32_t kMaxMatrixText = 65'535;

// Returns the scratch bytes that LevenshteinMatrix needs for these columns: 4 for each byte of the texts, 132
// for each byte of the patterns, 4 for each string, and a table of code points.
std::size_t LevenshteinMatrixScratchBytes(const StringColumn& texts, const StringColumn& patterns) noexcept;

// Sets distance[t * patterns.size + p] to the Levenshtein distance (unit costs, in code points) of texts[t]
// and patterns[p]. REQUIRES: distance.size() == texts.size * patterns.size; valid UTF-8 of at most
// kMaxMatrixText and kMaxMatrixPattern code points a string; scratch.size() >=
// LevenshteinMatrixScratchBytes(texts, patterns), aligned to 64 bytes; an isa of AvailableIsas(). RETURNS:
// the same on every machine. COST: a step of the bit-parallel table (kernels/myers.h) for each code point of
// a text and each group of patterns. A group has 4 to 64 patterns, depending on the longest pattern and the
// instruction set. THREADS: safe with distinct outputs and scratch.
void LevenshteinMatrix(const StringColumn& texts, const StringColumn& patterns,
                       std::span<std::uint32_t> distance, std::span<std::byte> scratch,
                       Isa isa = ActiveIsa()) noexcept;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_LEVENSHTEIN_MATRIX_H_
