// kernels/levenshtein_isa.h: the batch kernels of each instruction set, behind kernels/levenshtein.h.
#ifndef LEAFSCORE_KERNELS_LEVENSHTEIN_ISA_H_
#define LEAFSCORE_KERNELS_LEVENSHTEIN_ISA_H_

#include <cstddef>
#include <cstdint>

#include "kernels/affix.h"
#include "kernels/tile.h"
#include "kernels/workspace.h"

namespace leafscore::internal {

// Each sets distance[i] for every pair i.
// REQUIRES: the requirements of LevenshteinBatch; a cleared workspace for strings this long; a CPU with the
// instruction set.
void LevenshteinPortable(const ColumnPair& columns, std::uint32_t* distance, Workspace& work) noexcept;
void LevenshteinNeon(const ColumnPair& columns, std::uint32_t* distance, Workspace& work) noexcept;
void LevenshteinAvx2(const ColumnPair& columns, std::uint32_t* distance, Workspace& work) noexcept;
void LevenshteinAvx512(const ColumnPair& columns, std::uint32_t* distance, Workspace& work) noexcept;

// Each runs a tile and returns the result of RunStripsOfTile. Wide symbols always run portably.
std::uint32_t RunTilePortable(const Tile<std::uint8_t>& tile, TileSpace& space) noexcept;
std::uint32_t RunTilePortable(const Tile<std::uint32_t>& tile, TileSpace& space) noexcept;
std::uint32_t RunTileNeon(const Tile<std::uint8_t>& tile, TileSpace& space) noexcept;
std::uint32_t RunTileAvx2(const Tile<std::uint8_t>& tile, TileSpace& space) noexcept;
std::uint32_t RunTileAvx512(const Tile<std::uint8_t>& tile, TileSpace& space) noexcept;

// The strings of a LevenshteinMatrix: string i is numbers[begins[i], begins[i + 1]). Equal numbers stand for
// equal code points; 0 stands for any code point that no pattern has.
struct NumberedStrings {
  const std::uint32_t* numbers;
  const std::uint32_t* begins;
  std::uint32_t size;
};

// The table of a LevenshteinMatrix has a row for each number. This is the room for one row.
inline constexpr std::size_t kMatrixRowBytes = 128;

// Each sets the distances of a LevenshteinMatrix. REQUIRES: rows of zeros; they are zeros again afterwards.
void LevenshteinMatrixAvx2(const NumberedStrings& texts, const NumberedStrings& patterns,
                           std::uint32_t longest_pattern, std::byte* rows, std::uint32_t* distance) noexcept;
void LevenshteinMatrixAvx512(const NumberedStrings& texts, const NumberedStrings& patterns,
                             std::uint32_t longest_pattern, std::byte* rows,
                             std::uint32_t* distance) noexcept;

// Pairs that the vector kernels leave to the portable code, one at a time.

// Two strings as dense symbols, in work.a and work.b: equal code points have equal numbers, up to `largest`.
struct DensePair {
  std::uint32_t a_size;
  std::uint32_t b_size;
  std::uint32_t largest;
};

// Numbers the code points of a pair.
DensePair NumberCodePoints(const BytePair& pair, Workspace& work) noexcept;

// Turns numbers up to 255 into bytes, in place. RETURNS: the bytes.
const std::uint8_t* NarrowInPlace(std::uint32_t* numbers, std::uint32_t size) noexcept;

// RETURNS: the distance of the strings that NumberCodePoints left in the workspace; neither is empty.
std::uint32_t DenseDistance(const DensePair& pair, Workspace& work) noexcept;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_LEVENSHTEIN_ISA_H_
