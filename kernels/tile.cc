#include "kernels/tile.h"

#include <cstring>

namespace leafscore::internal {

TileSpace::TileSpace(ScratchArena& arena)
    : strip(StripArrays::Take(arena, kTileColumns)),
      match(arena.Take<std::uint64_t>(Workspace::kMatchSymbols * kStripWords)),
      carries(arena.Take<Carry>(kTileColumns)),
      strip_pattern(arena.Take<std::uint16_t>(kStripRows)),
      strip_text(arena.Take<std::uint16_t>(kTileColumns)),
      numbers(arena, 2 * kStripRows) {}

std::size_t TileSpace::ScratchBytes() {
  ScratchArena counting(nullptr);
  TileSpace{counting};
  return counting.used();
}

void TileSpace::Clear() {
  strip.Clear();
  std::memset(match, 0, Workspace::kMatchSymbols * kStripWords * sizeof *match);
}

void NumberStrip(const std::uint32_t* pattern, std::uint32_t rows, const std::uint32_t* text,
                 std::uint32_t columns, TileSpace& space) noexcept {
  NumberSymbols(pattern, rows, space.strip_pattern, text, columns, space.strip_text, space.numbers);
}

}  // namespace leafscore::internal
