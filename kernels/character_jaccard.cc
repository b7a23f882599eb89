#include "kernels/character_jaccard.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>

#include "kernels/affix.h"
#include "kernels/code_point_table.h"
#include "kernels/scratch.h"
#include "kernels/utf8.h"

namespace leafscore::internal {
namespace {

struct Workspace {
  std::uint32_t* a;  // code points
  std::uint32_t* b;
  CodePointTable seen;  // 0: not seen; kInA: only in a so far; kInB: in b, perhaps also in a

  Workspace(ScratchArena& arena, std::uint32_t longest)
      : a(arena.Take<std::uint32_t>(longest)),
        b(arena.Take<std::uint32_t>(longest)),
        seen(arena, 2 * std::size_t{longest}) {}
};

double Ratio(std::uint32_t in_both, std::uint32_t in_either) {
  return in_either == 0 ? 1 : static_cast<double>(in_both) / in_either;
}

struct AsciiSet {
  std::uint64_t words[2] = {};

  AsciiSet(const std::uint8_t* bytes, std::uint32_t size) {
    for (std::uint32_t i = 0; i < size; ++i) words[bytes[i] / 64] |= std::uint64_t{1} << bytes[i] % 64;
  }
};

double AsciiSimilarity(const AsciiSet& a, const AsciiSet& b) {
  std::uint32_t in_both = 0;
  std::uint32_t in_either = 0;
  for (const int i : {0, 1}) {
    in_both += static_cast<std::uint32_t>(std::popcount(a.words[i] & b.words[i]));
    in_either += static_cast<std::uint32_t>(std::popcount(a.words[i] | b.words[i]));
  }
  return Ratio(in_both, in_either);
}

// Returns the similarity of the code points in the workspace.
double WideSimilarity(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, Workspace& work) {
  constexpr std::uint32_t kInA = 1;
  constexpr std::uint32_t kInB = 2;
  std::uint32_t in_both = 0;
  std::uint32_t in_either = 0;
  work.seen.Clear();
  for (const std::uint32_t code_point : a) {
    std::uint32_t& seen = work.seen.Slot(code_point);
    in_either += seen == 0;
    seen = kInA;
  }
  for (const std::uint32_t code_point : b) {
    std::uint32_t& seen = work.seen.Slot(code_point);
    in_either += seen == 0;
    in_both += seen == kInA;
    seen = kInB;
  }
  return Ratio(in_both, in_either);
}

double PairSimilarity(const BytePair& pair, Workspace& work) {
  if (IsAscii(pair.a, pair.a_size) && IsAscii(pair.b, pair.b_size)) {
    return AsciiSimilarity({pair.a, pair.a_size}, {pair.b, pair.b_size});
  }
  const std::uint32_t a_size = DecodeUtf8(pair.a, pair.a_size, work.a);
  const std::uint32_t b_size = DecodeUtf8(pair.b, pair.b_size, work.b);
  return WideSimilarity({work.a, a_size}, {work.b, b_size}, work);
}

constexpr std::size_t kTogether = 8;
constexpr std::uint32_t kAllAlone = (1u << kTogether) - 1;

// If no pair of a group is ASCII, this many pairs after it go alone: texts in one language follow each other.
constexpr std::size_t kAloneInARow = 8 * kTogether;

using KernelOf8 = std::uint32_t (*)(const std::uint8_t* left, const std::uint32_t* left_offsets,
                                    const std::uint8_t* right, const std::uint32_t* right_offsets,
                                    double* similarity) noexcept;

// Returns the kernel of an instruction set, or null.
KernelOf8 KernelOn([[maybe_unused]] Isa isa) {
#ifdef LEAFSCORE_X86_64_KERNELS
  if (isa == Isa::kAvx512) return CharacterJaccardOf8Avx512;
  if (isa == Isa::kAvx2) return CharacterJaccardOf8Avx2;
#endif
  return nullptr;
}

// Returns whether the next kTogether strings from `begin` on have about the same length. Otherwise most lanes
// would wait for the longest string.
bool AreAboutAsLong(const StringColumn& column, std::size_t begin) {
  std::uint32_t longest = 0;
  for (std::size_t i = begin; i < begin + kTogether; ++i) longest = std::max(longest, column.string_bytes(i));
  return longest <= 64 || longest <= (column.offsets[begin + kTogether] - column.offsets[begin]) / 4;
}

}  // namespace

std::size_t CharacterJaccardScratchBytes(const StringColumn& left, const StringColumn& right) noexcept {
  ScratchArena counting(nullptr);
  Workspace(counting, LongestString(left, right));
  return counting.used();
}

void CharacterJaccardBatch(const StringColumn& left, const StringColumn& right, std::span<double> similarity,
                           std::span<std::byte> scratch, Isa isa) noexcept {
  assert(left.size == right.size && left.size == similarity.size());
  assert(scratch.size() >= CharacterJaccardScratchBytes(left, right));
  ScratchArena arena(scratch.data());
  Workspace work(arena, LongestString(left, right));
  const KernelOf8 kernel = KernelOn(isa);
  std::size_t together_from = 0;  // pairs before this one go alone
  for (std::size_t i = 0; i < left.size;) {
    std::uint32_t alone = ~std::uint32_t{0};
    if (kernel != nullptr && i >= together_from && left.size - i >= kTogether && AreAboutAsLong(left, i) &&
        AreAboutAsLong(right, i)) {
      alone = kernel(left.bytes, left.offsets + i, right.bytes, right.offsets + i, similarity.data() + i);
      if (alone == kAllAlone) together_from = i + kTogether + kAloneInARow;
    }
    for (const std::size_t end = std::min(i + kTogether, left.size); i < end; ++i, alone >>= 1) {
      if ((alone & 1) != 0) similarity[i] = PairSimilarity(PairAt(left, right, i), work);
    }
  }
}

}  // namespace leafscore::internal
