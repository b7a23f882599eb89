// kernels/character_jaccard.h: the Jaccard similarity of the character sets of many string pairs at once: the
// number of different code points in both strings, divided by the number in at least one.
#ifndef LEAFSCORE_KERNELS_CHARACTER_JACCARD_H_
#define LEAFSCORE_KERNELS_CHARACTER_JACCARD_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/isa.h"
#include "kernels/string_column.h"

namespace leafscore::internal {

// Returns the scratch bytes that CharacterJaccardBatch needs for these columns.
std::size_t CharacterJaccardScratchBytes(const StringColumn& left, const StringColumn& right) noexcept;

// Sets similarity[i] to the similarity of left[i] and right[i], from 0 to 1; 1 for two empty strings.
// REQUIRES: left.size == right.size == similarity.size(); strings of valid UTF-8, each below 1 GiB; padded
// columns; scratch.size() >= CharacterJaccardScratchBytes(left, right), aligned to 64 bytes; an isa of
// AvailableIsas(). RETURNS: the same bits on every machine. COST: O(|a| + |b|) a pair. THREADS: safe with
// distinct outputs and scratch.
void CharacterJaccardBatch(const StringColumn& left, const StringColumn& right, std::span<double> similarity,
                           std::span<std::byte> scratch, Isa isa = ActiveIsa()) noexcept;

// Each sets the similarities of eight pairs of padded columns, string i at offsets[i].
// REQUIRES: a CPU with the instruction set.
// RETURNS: a bit for each pair that is not ASCII, whose similarity is arbitrary.
std::uint32_t CharacterJaccardOf8Avx2(const std::uint8_t* left, const std::uint32_t* left_offsets,
                                      const std::uint8_t* right, const std::uint32_t* right_offsets,
                                      double* similarity) noexcept;
std::uint32_t CharacterJaccardOf8Avx512(const std::uint8_t* left, const std::uint32_t* left_offsets,
                                        const std::uint8_t* right, const std::uint32_t* right_offsets,
                                        double* similarity) noexcept;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_CHARACTER_JACCARD_H_
