// kernels/tile.h: tiles, the parts of the table of one long pair that threads can share.
//
// A tile is some rows of the pattern times some columns of the text. It needs only the differences along its
// edges from its neighbours: the horizontal ones from the tile above, the vertical ones from the tile to the
// left. A tile runs strip by strip, like the batch kernels, each strip no further than Ukkonen's band (see
// kernels/banded_strips.h); cells outside the band keep their initial differences, +1.
//
// V runs the strips on one instruction set, and has internal linkage; see kernels/simd_batch.h.
#ifndef LEAFSCORE_KERNELS_TILE_H_
#define LEAFSCORE_KERNELS_TILE_H_

#include <cstddef>
#include <cstdint>

#include "kernels/code_point_table.h"
#include "kernels/myers.h"
#include "kernels/scratch.h"
#include "kernels/workspace.h"

namespace leafscore::internal {

// A whole number of strips for every instruction set; the differences above a tile fit a core's cache.
inline constexpr std::uint32_t kTileRows = 8192;
inline constexpr std::uint32_t kTileColumns = 8192;
inline constexpr std::uint32_t kMaxStripRows = 1024;  // for any instruction set

// Symbols are bytes, or numbers of 32 bits. The members point into arrays of the whole table.
template <typename Symbol>
struct Tile {
  const Symbol* pattern;
  const Symbol* text;
  std::uint32_t rows;
  std::uint32_t columns;
  // The columns of the tile in the band, for row r of the tile: from r + band_begin to r + band_end.
  std::int64_t band_begin;
  std::int64_t band_end;
  bool is_last;       // it has the last rows of the table
  Carry* carries;     // along the row above; afterwards along the last row that is needed
  std::uint64_t* vp;  // left of the tile, a word for 64 rows; afterwards its last column
  std::uint64_t* vn;
};

// The memory that one worker needs to run a tile. Its size is constant.
struct TileSpace {
  StripArrays strip;
  std::uint64_t* match;  // kMatchSymbols rows of kStripWords words; zero between strips
  Carry* carries;
  std::uint16_t* strip_pattern;
  std::uint16_t* strip_text;
  CodePointTable numbers;  // numbers a strip's symbols

  explicit TileSpace(ScratchArena& arena);

  // Returns how much of an arena it takes.
  static std::size_t ScratchBytes();

  // Zeroes the memory that the kernels expect to be zero.
  void Clear();
};

// Numbers the symbols of a strip's pattern, which has at most kStripRows rows, from 1. All other symbols get
// 0. Stores the numbers in space.strip_pattern and space.strip_text.
// REQUIRES: at most kTileColumns columns.
void NumberStrip(const std::uint32_t* pattern, std::uint32_t rows, const std::uint32_t* text,
                 std::uint32_t columns, TileSpace& space) noexcept;

// Runs a tile.
// RETURNS: 0 if there is a tile below; tile.carries then has the differences along the last row of this tile.
// Otherwise, the number of rows in the last strip; tile.carries then has the differences along the row above
// this strip, because differences are exact only below whole strips.
template <typename V, typename Symbol>
std::uint32_t RunStripsOfTile(const Tile<Symbol>& tile, TileSpace& space) {
  const auto column = [&](std::int64_t at) {
    return static_cast<std::uint32_t>(at < 0 ? 0 : at < tile.columns ? at : tile.columns);
  };
  V::LoadCarries(tile.carries, tile.columns, space);
  for (std::uint32_t row = 0; row < tile.rows; row += V::kStripRows) {
    const std::uint32_t rest = tile.rows - row;
    const bool is_last = tile.is_last && rest <= V::kStripRows;
    if (is_last) V::StoreCarries(tile.columns, space, tile.carries);
    const std::uint32_t rows = rest < V::kStripRows ? rest : V::kStripRows;
    const std::uint32_t begin = column(row + tile.band_begin);
    const std::uint32_t end = column(row + rows + tile.band_end);
    if (begin < end) {
      V::Run(tile.pattern + row, rows, tile.text + begin, begin, end - begin, tile.vp + row / kWordRows,
             tile.vn + row / kWordRows, space);
    }
    if (is_last) return rows;
  }
  V::StoreCarries(tile.columns, space, tile.carries);
  return 0;
}

// The strips of a vector instruction set, whose horizontal differences are in words.
template <typename V>
struct VectorStrips {
  static constexpr std::uint32_t kStripRows = V::kStripRows;

  static void LoadCarries(const Carry* carries, std::uint32_t columns, TileSpace& space) {
    for (std::uint32_t j = 0; j < columns; ++j) {
      space.strip.not_hp[j] = std::uint64_t{carries[j].plus ^ 1u} << 63;
      space.strip.hn[j] = std::uint64_t{carries[j].minus} << 63;
    }
  }
  static void StoreCarries(std::uint32_t columns, const TileSpace& space, Carry* carries) {
    for (std::uint32_t j = 0; j < columns; ++j) {
      carries[j] = {static_cast<std::uint8_t>(space.strip.not_hp[j] >> 63 ^ 1),
                    static_cast<std::uint8_t>(space.strip.hn[j] >> 63)};
    }
  }
  static void Run(const std::uint8_t* pattern, std::uint32_t rows, const std::uint8_t* text,
                  std::uint32_t first_column, std::uint32_t columns, std::uint64_t* vp, std::uint64_t* vn,
                  const TileSpace& space) {
    V::RunStrip(pattern, rows, text, columns,
                {.match = space.strip.match,
                 .not_hp = space.strip.not_hp + first_column,
                 .hn = space.strip.hn + first_column,
                 .vp = vp,
                 .vn = vn});
  }
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_TILE_H_
