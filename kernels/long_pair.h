// kernels/long_pair.h: computes a single pair that is too long for the batch kernels or above the work limit.
// All memory is the caller's scratch; one thread at a time.
#ifndef LEAFSCORE_KERNELS_LONG_PAIR_H_
#define LEAFSCORE_KERNELS_LONG_PAIR_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/affix.h"
#include "kernels/scratch.h"
#include "kernels/string_column.h"
#include "kernels/tile.h"
#include "kernels/workspace.h"

namespace leafscore::internal {

// Two strings as symbols, the shorter one first: bytes in `narrow` or, if there are more than 255 different
// symbols, numbers in `wide`. The other member is null.
struct SymbolPair {
  const std::uint8_t* narrow[2] = {};
  const std::uint32_t* wide[2] = {};
  std::uint32_t size[2];
  std::uint32_t largest;  // largest symbol
};

// lower <= distance <= upper.
struct DistanceRange {
  std::uint32_t lower;
  std::uint32_t upper;
};

// The arrays for a pair, in addition to the workspace of its batch.
struct LongPairSpace {
  std::uint32_t* counts;  // one per symbol
  std::uint64_t* vp;      // one for 64 rows, up to the end of a strip
  std::uint64_t* vn;
  std::span<std::byte> tile;  // for a TileSpace

  LongPairSpace(ScratchArena& arena, const WorkspaceSizes& sizes);
};

// All arrays for a call of LevenshteinBatch.
struct BatchSpace {
  Workspace work;
  LongPairSpace long_pair;

  BatchSpace(ScratchArena& arena, const WorkspaceSizes& sizes)
      : work(arena, sizes), long_pair(arena, sizes) {}
};

// Returns pair `index` without the common prefix and suffix.
BytePair RestOfPair(const StringColumn& left, const StringColumn& right, std::size_t index) noexcept;

// Returns the product of the strings' code points.
std::uint64_t CellsOf(const BytePair& rest) noexcept;

// Returns the symbols of a pair: its bytes in place, or numbers in the workspace.
SymbolPair SymbolsOf(const BytePair& rest, Workspace& work) noexcept;

// Returns a range that certainly contains the distance.
//
// The lower bound: an alignment pairs each symbol at most as often as it occurs in both strings. So the
// distance is at least the longer size minus the size of the intersection of the two multisets of symbols.
// The upper bound is the cost of a greedy alignment: it skips equal symbols, then aligns the next 256 symbols
// of the shorter string with as many of the next 512 symbols of the longer one as is cheapest, and so on. It
// follows insertions and deletions of up to about 150 symbols. After longer ones, each symbol costs edits
// until the strings meet again.
// REQUIRES: neither string is empty.
// COST: O(|a| + |b|). The result does not depend on the instruction set.
DistanceRange BoundDistance(const SymbolPair& pair, LongPairSpace& space) noexcept;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_LONG_PAIR_H_
