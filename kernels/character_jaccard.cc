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
  CodePointTable seen;  // 0: in neither string so far; else kInA or kInB, where kInB includes those in both

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

// Sets the similarities of up to kTogether pairs whose strings are about as long as each other.
// RETURNS: a bit for each pair that is left.
std::uint32_t SimilaritiesTogether(const StringColumn& left, const StringColumn& right, std::size_t begin,
                                   std::size_t end, std::span<double> similarity, Isa isa) {
  constexpr std::uint32_t kAll = (1u << kTogether) - 1;
#ifdef LEAFSCORE_X86_64_KERNELS
  const auto run = isa == Isa::kAvx512 ? CharacterJaccardOf8Avx512
                   : isa == Isa::kAvx2 ? CharacterJaccardOf8Avx2
                                       : nullptr;
  if (run == nullptr || end - begin < kTogether) return kAll;
  for (const StringColumn* column : {&left, &right}) {
    std::uint32_t longest = 0;
    for (std::size_t i = begin; i < end; ++i) longest = std::max(longest, column->string_bytes(i));
    // The lanes of shorter strings wait for the longest one.
    if (longest > 64 && longest > (column->offsets[end] - column->offsets[begin]) / 4) return kAll;
  }
  return run(left.bytes, left.offsets + begin, right.bytes, right.offsets + begin, similarity.data() + begin);
#else
  return kAll;
#endif
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
  for (std::size_t i = 0; i < left.size;) {
    const std::size_t end = std::min(i + kTogether, left.size);
    const std::uint32_t alone = SimilaritiesTogether(left, right, i, end, similarity, isa);
    for (const std::size_t first = i; i < end; ++i) {
      if ((alone >> (i - first) & 1) != 0) similarity[i] = PairSimilarity(PairAt(left, right, i), work);
    }
  }
}

}  // namespace leafscore::internal
