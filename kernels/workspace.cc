#include "kernels/workspace.h"

#include <cstring>

#include "kernels/scratch.h"

namespace leafscore::internal {
namespace {

// Room for the pairs of a few full groups, and for any one pair.
std::size_t SymbolsSize(std::uint32_t longest) {
  return 64 * 1024 + 2 * std::size_t{longest} + 3 * kStringPadding;
}

}  // namespace

StripSpace StripSpace::Take(ScratchArena& arena, std::uint32_t columns) {
  const auto take_columns = [&] {
    auto* array = arena.Take<std::uint64_t>(columns + 2 * std::size_t{kMargin});
    return array == nullptr ? nullptr : array + kMargin;
  };
  return {.match = arena.Take<std::uint64_t[kMaxWords]>(kSymbols),
          .not_hp = take_columns(),
          .hn = take_columns()};
}

void StripSpace::Clear() { std::memset(match, 0, kSymbols * sizeof *match); }

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
      strip(StripSpace::Take(arena, longest)) {}

void Workspace::Clear() {
  std::memset(match, 0, kMatchSymbols * kStripWords * sizeof *match);
  std::memset(number_in_strip, 0, (std::size_t{longest} + 1) * sizeof *number_in_strip);
  std::memset(byte_group_sizes, 0, 2 * kByteGroups * sizeof *byte_group_sizes);
  std::memset(word_group_sizes, 0, 2 * kWordGroups * sizeof *word_group_sizes);
}

void Workspace::ClearStripOnce() {
  if (!strip_is_clear) strip.Clear();
  strip_is_clear = true;
}

}  // namespace leafscore::internal
