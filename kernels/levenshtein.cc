#include "kernels/levenshtein.h"

#include <algorithm>
#include <cassert>

#include "kernels/levenshtein_isa.h"
#include "kernels/levenshtein_table.h"
#include "kernels/long_pair.h"
#include "kernels/utf8.h"

namespace leafscore::internal {
namespace {

// For pairs with more cells, a band saves more than sharing vectors with other pairs.
constexpr std::uint64_t kBandedCells = 1u << 22;

// All arrays have room for strings up to this size. Strings are measured beforehand only if one may be
// longer.
constexpr std::uint32_t kRoomyBytes = 1u << 20;

// Up to this size the arrays are small, so a bound for the longest string is enough.
constexpr std::uint32_t kShortBytes = 4096;

bool HasCutoff(const LevenshteinLimits& limits) { return limits.cutoff != LevenshteinLimits{}.cutoff; }

// Returns the largest number of cells that a pair for the batch kernels may have.
std::uint64_t BatchCells(const LevenshteinLimits& limits) {
  return HasCutoff(limits) ? std::min(limits.max_cells, kBandedCells) : limits.max_cells;
}

// Makes room for a pair of long strings in the arrays that its kernel will use.
void AddLongPair(const BytePair& rest, const LevenshteinLimits& limits, WorkspaceSizes& sizes) {
  // When the batch kernels strip affixes, they may keep this number of additional symbols of a pair.
  constexpr std::uint32_t kSlack = 8;
  const std::uint32_t a_size = CountCodePoints(rest.a, rest.a_size) + kSlack;
  const std::uint32_t b_size = CountCodePoints(rest.b, rest.b_size) + kSlack;
  if (!IsAscii(rest.a, rest.a_size) || !IsAscii(rest.b, rest.b_size)) {
    sizes.numbered[0] = std::max(sizes.numbered[0], a_size);
    sizes.numbered[1] = std::max(sizes.numbered[1], b_size);
  }
  const std::uint64_t cells = CellsOf(rest);
  const auto [shorter, longer] = std::minmax(a_size, b_size);
  if (cells <= BatchCells(limits)) {
    if (shorter > kWordRows) sizes.columns = std::max(sizes.columns, longer);
  } else if (cells <= limits.max_cells) {
    sizes.tile_rows = std::max(sizes.tile_rows, shorter);
    sizes.tile_columns = std::max(sizes.tile_columns, longer);
  }
}

WorkspaceSizes SizesOf(const StringColumn& left, const StringColumn& right, const LevenshteinLimits& limits) {
  std::uint32_t longest = LongestStringBound(left, right);
  if (longest > kShortBytes) longest = LongestString(left, right);
  const std::uint32_t roomy = std::min(longest, kRoomyBytes);
  WorkspaceSizes sizes{.longest = longest,
                       .numbered = {roomy, roomy},
                       .columns = roomy,
                       .tile_rows = roomy,
                       .tile_columns = roomy,
                       .copied_symbols = roomy};
  for (std::size_t i = 0; longest > kRoomyBytes && i < left.size; ++i) {
    if (std::max(left.string_bytes(i), right.string_bytes(i)) <= kRoomyBytes) continue;
    AddLongPair(RestOfPair(left, right, i), limits, sizes);
  }
  return sizes;
}

StringColumn Part(const StringColumn& column, std::size_t begin, std::size_t end) {
  return {column.bytes, column.offsets + begin, end - begin};
}

void RunBatch(const StringColumn& left, const StringColumn& right, std::uint32_t* distance, Workspace& work,
              Isa isa) {
  const ColumnPair columns{left, right};
  switch (isa) {
#ifdef LEAFSCORE_X86_64_KERNELS
    case Isa::kAvx512:
      return LevenshteinAvx512(columns, distance, work);
    case Isa::kAvx2:
      return LevenshteinAvx2(columns, distance, work);
#elif defined(LEAFSCORE_ARM64_KERNELS)
    case Isa::kNeon:
      return LevenshteinNeon(columns, distance, work);
#endif
    default:
      return LevenshteinPortable(columns, distance, work);
  }
}

// RETURNS: the range of a pair that does not go to the batch kernels.
DistanceRange RunAlone(const BytePair& rest, std::uint64_t cells, const LevenshteinLimits& limits,
                       BatchSpace& space, Isa isa) {
  const SymbolPair pair = SymbolsOf(rest, space.work);
  const DistanceRange range = BoundDistance(pair, space.long_pair);
  if (range.lower == range.upper || range.lower > limits.cutoff || cells > limits.max_cells) return range;
  LevenshteinTable table(pair, std::min(range.upper, limits.cutoff), space, isa);
  for (std::uint32_t row = 0; row < table.tile_rows(); ++row) {
    for (std::uint32_t column = 0; column < table.tile_columns(); ++column) {
      table.RunTile(row, column, space.long_pair.tile);
    }
  }
  return {.lower = table.Distance(), .upper = table.Distance()};
}

}  // namespace

std::size_t LevenshteinScratchBytes(const StringColumn& left, const StringColumn& right,
                                    const LevenshteinLimits& limits) noexcept {
  ScratchArena counting(nullptr);
  BatchSpace(counting, SizesOf(left, right, limits));
  return counting.used();
}

std::uint64_t LevenshteinCells(const StringColumn& left, const StringColumn& right) noexcept {
  assert(left.size == 1 && right.size == 1);
  return CellsOf(RestOfPair(left, right, 0));
}

std::size_t LevenshteinBatch(const StringColumn& left, const StringColumn& right,
                             const LevenshteinLimits& limits, std::span<std::uint32_t> lower,
                             std::span<std::uint32_t> upper, std::span<std::byte> scratch, Isa isa) noexcept {
  assert(left.size == right.size && left.size == lower.size() && left.size == upper.size());
  const WorkspaceSizes sizes = SizesOf(left, right, limits);
  ScratchArena arena(scratch.data());
  BatchSpace space(arena, sizes);
  assert(scratch.size() >= arena.used());
  space.work.Clear();

  // The batch kernels get the pairs between those that run alone.
  const std::uint64_t batch_cells = BatchCells(limits);
  std::size_t begin = 0;
  const auto run_batch_to = [&](std::size_t end) {
    RunBatch(Part(left, begin, end), Part(right, begin, end), upper.data() + begin, space.work, isa);
    if (lower.data() != upper.data()) {
      std::ranges::copy(upper.subspan(begin, end - begin), lower.subspan(begin).begin());
    }
  };
  if (std::uint64_t{sizes.longest} * sizes.longest > batch_cells) {
    for (std::size_t i = 0; i < left.size; ++i) {
      // No pair has more code points than bytes.
      if (std::uint64_t{left.string_bytes(i)} * right.string_bytes(i) <= batch_cells) continue;
      const BytePair rest = RestOfPair(left, right, i);
      const std::uint64_t cells = CellsOf(rest);
      if (cells <= batch_cells) continue;
      run_batch_to(i);
      begin = i + 1;
      const DistanceRange range = RunAlone(rest, cells, limits, space, isa);
      lower[i] = range.lower;
      upper[i] = range.upper;
    }
  }
  run_batch_to(left.size);
  if (lower.data() == upper.data() && !HasCutoff(limits)) return 0;

  std::size_t inexact = 0;
  for (std::size_t i = 0; i < left.size; ++i) {
    if (lower[i] > limits.cutoff) lower[i] = limits.cutoff + 1;
    if (upper[i] > limits.cutoff) upper[i] = limits.cutoff + 1;
    inexact += lower[i] != upper[i];
  }
  return inexact;
}

void LevenshteinBatch(const StringColumn& left, const StringColumn& right, std::span<std::uint32_t> distance,
                      std::span<std::byte> scratch, Isa isa) noexcept {
  LevenshteinBatch(left, right, {}, distance, distance, scratch, isa);
}

}  // namespace leafscore::internal
