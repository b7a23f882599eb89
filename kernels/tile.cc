#include "kernels/tile.h"

#include <cstring>

namespace leafscore {
namespace {

std::uint64_t* TakeColumns(ScratchArena& arena) {
  auto* array = arena.Take<std::uint64_t>(kTileColumns + 2 * StripSpace::kMargin);
  return array == nullptr ? nullptr : array + StripSpace::kMargin;
}

}  // namespace

TileSpace::TileSpace(ScratchArena& arena)
    : strip{.match = arena.Take<std::uint64_t[StripSpace::kMaxWords]>(256),
            .not_hp = TakeColumns(arena),
            .hn = TakeColumns(arena)},
      match(arena.Take<std::uint64_t>(Workspace::kMatchSymbols * kStripWords)),
      carries(arena.Take<Carry>(kTileColumns)),
      strip_pattern(arena.Take<std::uint16_t>(kStripRows)),
      strip_text(arena.Take<std::uint16_t>(kTileColumns)),
      numbers(arena, 2 * kStripRows) {}

void TileSpace::Clear() {
  std::memset(strip.match, 0, 256 * sizeof *strip.match);
  std::memset(match, 0, Workspace::kMatchSymbols * kStripWords * sizeof *match);
}

void NumberStrip(const std::uint32_t* pattern, std::uint32_t rows, const std::uint32_t* text,
                 std::uint32_t columns, TileSpace& space) noexcept {
  NumberSymbols(pattern, rows, space.strip_pattern, text, columns, space.strip_text, space.numbers);
}

}  // namespace leafscore
