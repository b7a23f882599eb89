#include "kernels/levenshtein_table.h"

#include <algorithm>
#include <cassert>

#include "kernels/levenshtein_isa.h"
#include "kernels/utf8.h"

namespace leafscore::internal {
namespace {

WorkspaceSizes SizesOf(const BytePair& rest) {
  const std::uint32_t a_size = CountCodePoints(rest.a, rest.a_size);
  const std::uint32_t b_size = CountCodePoints(rest.b, rest.b_size);
  WorkspaceSizes sizes{.longest = std::max(rest.a_size, rest.b_size),
                       .tile_rows = std::min(a_size, b_size),
                       .tile_columns = std::max(a_size, b_size)};
  if (!IsAscii(rest.a, rest.a_size) || !IsAscii(rest.b, rest.b_size)) {
    sizes.numbered[0] = a_size;
    sizes.numbered[1] = b_size;
  }
  return sizes;
}

}  // namespace

std::size_t LevenshteinTable::ScratchBytes(const StringColumn& left, const StringColumn& right) noexcept {
  ScratchArena counting(nullptr);
  BatchSpace(counting, SizesOf(RestOfPair(left, right, 0)));
  return counting.used();
}

LevenshteinTable LevenshteinTable::Of(const StringColumn& left, const StringColumn& right,
                                      std::uint32_t at_most, std::span<std::byte> scratch, Isa isa) noexcept {
  const BytePair rest = RestOfPair(left, right, 0);
  ScratchArena arena(scratch.data());
  BatchSpace space(arena, SizesOf(rest));
  assert(scratch.size() >= arena.used());
  return LevenshteinTable(SymbolsOf(rest, space.work), at_most, space, isa);
}

LevenshteinTable::LevenshteinTable(const SymbolPair& pair, std::uint32_t at_most, const BatchSpace& space,
                                   Isa isa) noexcept
    : pair_(pair), isa_(isa), carries_(space.work.carries), vp_(space.long_pair.vp), vn_(space.long_pair.vn) {
  const std::int64_t surplus = pair.size[1] - pair.size[0];
  const std::int64_t reach = (at_most - surplus + 1) / 2;
  band_begin_ = -reach;
  band_end_ = surplus + reach;
  std::fill_n(carries_, pair.size[1], Carry{1, 0});
  const std::uint32_t words =
      (pair.size[0] + kMaxStripRows - 1) / kMaxStripRows * (kMaxStripRows / kWordRows);
  std::fill_n(vp_, words, ~std::uint64_t{0});
  std::fill_n(vn_, words, std::uint64_t{0});
}

template <typename Symbol>
Tile<Symbol> LevenshteinTable::TileAt(const Symbol* const* strings, std::uint32_t row,
                                      std::uint32_t column) const {
  const std::uint32_t first_row = row * kTileRows;
  const std::uint32_t first_column = column * kTileColumns;
  const std::int64_t diagonal = std::int64_t{first_row} - first_column;
  return {.pattern = strings[0] + first_row,
          .text = strings[1] + first_column,
          .rows = std::min(kTileRows, pair_.size[0] - first_row),
          .columns = std::min(kTileColumns, pair_.size[1] - first_column),
          .band_begin = diagonal + band_begin_,
          .band_end = diagonal + band_end_,
          .is_last = row + 1 == tile_rows(),
          .carries = carries_ + first_column,
          .vp = vp_ + first_row / kWordRows,
          .vn = vn_ + first_row / kWordRows};
}

std::size_t LevenshteinTable::TileScratchBytes() noexcept { return TileSpace::ScratchBytes(); }

void LevenshteinTable::RunTile(std::uint32_t row, std::uint32_t column,
                               std::span<std::byte> scratch) noexcept {
  ScratchArena arena(scratch.data());
  TileSpace space(arena);
  space.Clear();
  const auto run = [&] {
    if (pair_.wide[0] != nullptr) return RunTilePortable(TileAt(pair_.wide, row, column), space);
    const Tile<std::uint8_t> tile = TileAt(pair_.narrow, row, column);
    switch (isa_) {
#ifdef LEAFSCORE_X86_64_KERNELS
      case Isa::kAvx512:
        return RunTileAvx512(tile, space);
      case Isa::kAvx2:
        return RunTileAvx2(tile, space);
#elif defined(LEAFSCORE_ARM64_KERNELS)
      case Isa::kNeon:
        return RunTileNeon(tile, space);
#endif
      default:
        return RunTilePortable(tile, space);
    }
  };
  const std::uint32_t last_rows = run();
  if (row + 1 == tile_rows()) last_rows_ = last_rows;
}

std::uint32_t LevenshteinTable::Distance() const noexcept {
  // Walk along the row above the last strip, then down the last column.
  const std::uint32_t rows = pair_.size[0];
  std::int64_t distance = rows - last_rows_;
  for (std::uint32_t j = 0; j < pair_.size[1]; ++j) distance += carries_[j].plus - carries_[j].minus;
  for (std::uint32_t i = rows - last_rows_; i < rows; i += kWordRows) {
    distance += SumRows({vp_[i / kWordRows], vn_[i / kWordRows]}, rows - i);
  }
  return static_cast<std::uint32_t>(distance);
}

}  // namespace leafscore::internal
