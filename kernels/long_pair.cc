#include "kernels/long_pair.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <utility>

#include "kernels/levenshtein_isa.h"
#include "kernels/utf8.h"

namespace leafscore::internal {
namespace {

constexpr std::uint32_t kWindowRows = kStripRows;
constexpr std::uint32_t kWindowColumns = 2 * kWindowRows;

using leafscore::internal::CommonPrefix;
std::uint32_t CommonPrefix(const std::uint32_t* a, const std::uint32_t* b, std::uint32_t limit) {
  std::uint32_t i = 0;
  while (i < limit && a[i] == b[i]) ++i;
  return i;
}

// RETURNS: the distance of a window of at most kWindowRows rows and kTileColumns columns. If it has
// kWindowRows rows, space.carries has the differences along the last one.
template <typename Symbol>
std::uint32_t AlignWindow(const Symbol* pattern, std::uint32_t rows, const Symbol* text,
                          std::uint32_t columns, TileSpace& space) {
  std::fill_n(space.carries, columns, Carry{1, 0});
  const auto run = [&](const auto* strip_pattern, const auto* strip_text) {
    return static_cast<std::uint32_t>(columns + RunStrip<kStripWords, false>(strip_pattern, rows, strip_text,
                                                                             columns, space.match,
                                                                             space.carries));
  };
  if constexpr (sizeof(Symbol) == 1) {
    return run(pattern, text);
  } else {
    NumberStrip(pattern, rows, text, columns, space);
    return run(space.strip_pattern, space.strip_text);
  }
}

// RETURNS: the cost of the greedy alignment.
template <typename Symbol>
std::uint32_t AlignGreedily(const Symbol* pattern, std::uint32_t pattern_size, const Symbol* text,
                            std::uint32_t text_size, TileSpace& space) {
  std::uint32_t cost = 0;
  const auto skip = [&](std::uint32_t rows, std::uint32_t columns) {
    pattern += rows, pattern_size -= rows;
    text += columns, text_size -= columns;
  };
  for (;;) {
    const std::uint32_t same = CommonPrefix(pattern, text, std::min(pattern_size, text_size));
    skip(same, same);
    if (pattern_size < kWindowRows || text_size == 0) break;
    const std::uint32_t columns = std::min(text_size, kWindowColumns);
    AlignWindow(pattern, kWindowRows, text, columns, space);
    // Find the cheapest end of the window. The remaining parts of both strings may differ in size. Each
    // symbol of this difference certainly costs an edit, but counts only a quarter of an edit here. If it did
    // not count, unrelated texts would be consumed unevenly.
    std::int64_t here = kWindowRows;
    std::int64_t surplus = std::int64_t{text_size} - (pattern_size - kWindowRows);
    std::int64_t cost_here = here, least = std::numeric_limits<std::int64_t>::max();
    std::uint32_t best_columns = 0;
    for (std::uint32_t j = 0;; ++j) {
      const std::int64_t estimate = 4 * here + std::abs(surplus);
      if (estimate < least) {
        least = estimate;
        cost_here = here;
        best_columns = j;
      }
      if (j == columns) break;
      here += space.carries[j].plus - space.carries[j].minus;
      --surplus;
    }
    cost += static_cast<std::uint32_t>(cost_here);
    skip(kWindowRows, best_columns);
  }
  if (pattern_size == 0 || text_size == 0) return cost + pattern_size + text_size;
  const std::uint32_t inserted = text_size - std::min(text_size, kTileColumns);
  skip(0, inserted);
  return cost + inserted + AlignWindow(pattern, pattern_size, text, text_size, space);
}

template <typename Symbol>
DistanceRange BoundSymbols(const Symbol* const* strings, const SymbolPair& pair, LongPairSpace& space) {
  std::fill_n(space.counts, std::size_t{pair.largest} + 1, 0u);
  for (std::uint32_t i = 0; i < pair.size[0]; ++i) ++space.counts[strings[0][i]];
  std::uint32_t common = 0;
  for (std::uint32_t j = 0; j < pair.size[1]; ++j) {
    std::uint32_t& count = space.counts[strings[1][j]];
    common += count != 0;
    count -= count != 0;
  }
  ScratchArena arena(space.tile.data());
  TileSpace tile(arena);
  tile.Clear();
  const std::uint32_t greedy = AlignGreedily(strings[0], pair.size[0], strings[1], pair.size[1], tile);
  return {.lower = pair.size[1] - common, .upper = std::min(greedy, pair.size[1])};
}

}  // namespace

LongPairSpace::LongPairSpace(ScratchArena& arena, const WorkspaceSizes& sizes)
    : counts(arena.Take<std::uint32_t>(std::clamp(sizes.longest, 255u, kCodePoints) + 1)),
      vp(arena.Take<std::uint64_t>((sizes.tile_rows + kMaxStripRows) / kWordRows)),
      vn(arena.Take<std::uint64_t>((sizes.tile_rows + kMaxStripRows) / kWordRows)),
      tile(arena.Take<std::byte>(TileSpace::ScratchBytes()), TileSpace::ScratchBytes()) {}

BytePair RestOfPair(const StringColumn& left, const StringColumn& right, std::size_t index) noexcept {
  return StripAffixes(PairAt(left, right, index));
}

std::uint64_t CellsOf(const BytePair& rest) noexcept {
  return std::uint64_t{CountCodePoints(rest.a, rest.a_size)} * CountCodePoints(rest.b, rest.b_size);
}

SymbolPair SymbolsOf(const BytePair& rest, Workspace& work) noexcept {
  SymbolPair pair;
  if (IsAscii(rest.a, rest.a_size) && IsAscii(rest.b, rest.b_size)) {
    pair = {.narrow = {rest.a, rest.b}, .wide = {}, .size = {rest.a_size, rest.b_size}, .largest = 127};
  } else {
    const DensePair dense = NumberCodePoints(rest, work);
    pair = {.narrow = {},
            .wide = {work.a, work.b},
            .size = {dense.a_size, dense.b_size},
            .largest = dense.largest};
    if (dense.largest <= 255) {
      for (int s = 0; s < 2; ++s) pair.narrow[s] = NarrowInPlace(s == 0 ? work.a : work.b, pair.size[s]);
      pair.wide[0] = pair.wide[1] = nullptr;
    }
  }
  if (pair.size[0] > pair.size[1]) {
    std::swap(pair.narrow[0], pair.narrow[1]);
    std::swap(pair.wide[0], pair.wide[1]);
    std::swap(pair.size[0], pair.size[1]);
  }
  return pair;
}

DistanceRange BoundDistance(const SymbolPair& pair, LongPairSpace& space) noexcept {
  return pair.wide[0] == nullptr ? BoundSymbols(pair.narrow, pair, space)
                                 : BoundSymbols(pair.wide, pair, space);
}

}  // namespace leafscore::internal
