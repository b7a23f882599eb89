#include "kernels/workspace.h"

#include <cstring>

#include "kernels/scratch.h"

namespace leafscore {
namespace {

// Room for the pairs of a few full groups, and for any one pair.
std::size_t SymbolsSize(std::uint32_t longest) {
  return 64 * 1024 + 2 * std::size_t{longest} + 3 * kStringPadding;
}

std::uint64_t* TakeColumns(ScratchArena& arena, std::uint32_t columns) {
  auto* array = arena.Take<std::uint64_t>(columns + 2 * std::size_t{StripSpace::kMargin});
  return array == nullptr ? nullptr : array + StripSpace::kMargin;
}

}  // namespace

Workspace::Workspace(ScratchArena& arena, std::uint32_t longest_string)
    : longest(longest_string),
      match(arena.Take<std::uint64_t>(kMatchSymbols * kStripWords)),
      carries(arena.Take<Carry>(longest)),
      number_in_strip(arena.Take<std::uint16_t>(std::size_t{longest} + 1)),
      strip_pattern(arena.Take<std::uint16_t>(kStripRows)),
      strip_text(arena.Take<std::uint16_t>(longest)),
      a(arena.Take<std::uint32_t>(longest)),
      b(arena.Take<std::uint32_t>(longest)),
      numbers(arena, longest),
      byte_groups(arena.Take<ByteGroup>(2 * kByteGroups)),
      word_groups(arena.Take<WordGroup>(2 * kWordGroups)),
      byte_group_sizes(arena.Take<std::uint32_t>(2 * kByteGroups)),
      word_group_sizes(arena.Take<std::uint32_t>(2 * kWordGroups)),
      symbols_size(SymbolsSize(longest)),
      high_offset(symbols_size + kStringPadding),
      symbols(arena.Take<std::uint8_t>(high_offset + symbols_size)),
      strip{.match = arena.Take<std::uint64_t[StripSpace::kMaxWords]>(256),
            .not_hp = TakeColumns(arena, longest),
            .hn = TakeColumns(arena, longest)} {}

void Workspace::Clear() {
  std::memset(match, 0, kMatchSymbols * kStripWords * sizeof *match);
  std::memset(number_in_strip, 0, (std::size_t{longest} + 1) * sizeof *number_in_strip);
  std::memset(byte_group_sizes, 0, 2 * kByteGroups * sizeof *byte_group_sizes);
  std::memset(word_group_sizes, 0, 2 * kWordGroups * sizeof *word_group_sizes);
}

void Workspace::ClearStripOnce() {
  if (!strip_is_clear) std::memset(strip.match, 0, 256 * sizeof *strip.match);
  strip_is_clear = true;
}

}  // namespace leafscore
