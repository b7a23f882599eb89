#include "kernels/workspace.h"

#include <algorithm>
#include <cstring>

#include "kernels/scratch.h"

namespace leafscore::internal {
namespace {

// Room for the pairs of a few full groups, and for any single pair that is copied.
std::size_t SymbolsSize(std::uint32_t copied_symbols) {
  return 256 * 1024 + 2 * std::size_t{copied_symbols} + 3 * kStringPadding;
}

}  // namespace

void LaneSpace::Clear() {
  std::memset(has_rows, 1, sizeof has_rows);  // whatever it contains now
  for (auto& unit : table) std::memset(unit[kNoSymbol], 0, sizeof unit[kNoSymbol]);
}

StripArrays StripArrays::Take(ScratchArena& arena, std::uint32_t columns) {
  const auto take_columns = [&] {
    auto* array = arena.Take<std::uint64_t>(columns + 2 * std::size_t{kMargin});
    return array == nullptr ? nullptr : array + kMargin;
  };
  return {.match = arena.Take<std::uint64_t[kMaxWords]>(kSymbols),
          .not_hp = take_columns(),
          .hn = take_columns()};
}

void StripArrays::Clear() { std::memset(match, 0, kSymbols * sizeof *match); }

Workspace::Workspace(ScratchArena& arena, const WorkspaceSizes& sizes)
    : largest(std::min(sizes.longest, kCodePoints)),
      match(arena.Take<std::uint64_t>(kMatchSymbols * kStripWords)),
      carries(arena.Take<Carry>(std::max(sizes.columns, sizes.tile_columns))),
      number_in_strip(arena.Take<std::uint16_t>(std::size_t{largest} + 1)),
      strip_pattern(arena.Take<std::uint16_t>(kStripRows)),
      strip_text(arena.Take<std::uint16_t>(sizes.columns)),
      a(arena.Take<std::uint32_t>(sizes.numbered[0])),
      b(arena.Take<std::uint32_t>(sizes.numbered[1])),
      numbers(arena, sizes.longest),
      byte_groups(arena.Take<ByteGroup>(2 * kByteGroups)),
      wide_groups(arena.Take<WordGroup>(kWideGroups)),
      long_groups(arena.Take<WordGroup>(kLongGroups)),
      byte_group_sizes(arena.Take<std::uint32_t>(2 * kByteGroups)),
      wide_group_sizes(arena.Take<std::uint32_t>(kWideGroups)),
      long_group_sizes(arena.Take<std::uint8_t>(kLongGroups)),
      symbols_size(SymbolsSize(sizes.copied_symbols)),
      high_offset(symbols_size + kStringPadding),
      symbols(arena.Take<std::uint8_t>(high_offset + symbols_size)),
      lanes(arena.Take<LaneSpace>(1)),
      strip(StripArrays::Take(arena, sizes.columns)) {}

void Workspace::Clear() {
  std::memset(match, 0, kMatchSymbols * kStripWords * sizeof *match);
  std::memset(number_in_strip, 0, (std::size_t{largest} + 1) * sizeof *number_in_strip);
  std::memset(byte_group_sizes, 0, 2 * kByteGroups * sizeof *byte_group_sizes);
  std::memset(wide_group_sizes, 0, kWideGroups * sizeof *wide_group_sizes);
}

void Workspace::ClearLanesOnce() {
  if (!lanes_are_clear) lanes->Clear();
  lanes_are_clear = true;
}

void Workspace::ClearStripOnce() {
  if (!strip_is_clear) strip.Clear();
  strip_is_clear = true;
}

}  // namespace leafscore::internal
