// kernels/levenshtein_table.h: the edit distance of one long pair, tile by tile, so that several threads can
// share the work. The distance is the same on every instruction set and for every allowed order of tiles. The
// table points into the caller's columns and scratch.
#ifndef LEAFSCORE_KERNELS_LEVENSHTEIN_TABLE_H_
#define LEAFSCORE_KERNELS_LEVENSHTEIN_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/isa.h"
#include "kernels/long_pair.h"
#include "kernels/string_column.h"

namespace leafscore::internal {

class LevenshteinTable {
 public:
  // Prepares the table for the one pair of two columns. The distance is exact if it is at most `at_most`, and
  // the work grows with `at_most` (Ukkonen's band).
  // REQUIRES: LevenshteinCells(left, right) != 0; scratch.size() >= ScratchBytes(left, right), aligned to 64
  // bytes, for this table alone; `at_most` is at least the difference of the sizes in code points.
  static LevenshteinTable Of(const StringColumn& left, const StringColumn& right, std::uint32_t at_most,
                             std::span<std::byte> scratch, Isa isa = ActiveIsa()) noexcept;

  // Returns the scratch bytes of a table.
  static std::size_t ScratchBytes(const StringColumn& left, const StringColumn& right) noexcept;

  // The same, for symbols and arrays that exist already.
  LevenshteinTable(const SymbolPair& pair, std::uint32_t at_most, const BatchSpace& space, Isa isa) noexcept;

  std::uint32_t tile_rows() const { return (pair_.size[0] + kTileRows - 1) / kTileRows; }
  std::uint32_t tile_columns() const { return (pair_.size[1] + kTileColumns - 1) / kTileColumns; }

  // Returns the scratch bytes of RunTile.
  static std::size_t TileScratchBytes() noexcept;

  // Runs a tile.
  // REQUIRES: the tiles above and to the left have run, and this tile has not; scratch aligned to 64 bytes.
  // THREADS: tiles that do not wait for each other may run at once, with scratch of their own.
  void RunTile(std::uint32_t row, std::uint32_t column, std::span<std::byte> scratch) noexcept;

  // REQUIRES: all tiles were run.
  // RETURNS: the distance if it is at most `at_most`; otherwise an upper bound of the distance.
  std::uint32_t Distance() const noexcept;

 private:
  template <typename Symbol>
  Tile<Symbol> TileAt(const Symbol* const* strings, std::uint32_t row, std::uint32_t column) const;

  SymbolPair pair_;  // the pattern and the text
  Isa isa_;
  std::int64_t band_begin_;  // the band spans the columns from row + band_begin_ to row + band_end_
  std::int64_t band_end_;
  Carry* carries_;
  std::uint64_t* vp_;
  std::uint64_t* vn_;
  std::uint32_t last_rows_ = 0;  // rows of the table below the row that carries_ has after all tiles
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_LEVENSHTEIN_TABLE_H_
