#include "kernels/levenshtein.h"

#include <cassert>

#include "kernels/levenshtein_isa.h"
#include "kernels/scratch.h"
#include "kernels/workspace.h"

namespace leafscore {
std::size_t LevenshteinScratchBytes(const StringColumn& left, const StringColumn& right) noexcept {
  ScratchArena counting(nullptr);
  Workspace(counting, LongestString(left, right));
  return counting.used();
}

void LevenshteinBatch(const StringColumn& left, const StringColumn& right, std::span<std::uint32_t> distance,
                      std::span<std::byte> scratch) noexcept {
  LevenshteinBatch(left, right, distance, scratch, ActiveIsa());
}

void LevenshteinBatch(const StringColumn& left, const StringColumn& right, std::span<std::uint32_t> distance,
                      std::span<std::byte> scratch, Isa isa) noexcept {
  assert(left.size == right.size && left.size == distance.size());
  assert(scratch.size() >= LevenshteinScratchBytes(left, right));
  ScratchArena arena(scratch.data());
  Workspace work(arena, LongestString(left, right));
  work.Clear();
  const ColumnPair columns{left, right};
  switch (isa) {
#if defined(__x86_64__)
    case Isa::kAvx512:
      return LevenshteinAvx512(columns, distance.data(), work);
    case Isa::kAvx2:
      return LevenshteinAvx2(columns, distance.data(), work);
#endif
    default:
      return LevenshteinPortable(columns, distance.data(), work);
  }
}

}  // namespace leafscore
