#include "kernels/common_subsequence.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>

#include "kernels/code_point_table.h"
#include "kernels/scratch.h"
#include "kernels/utf8.h"

namespace leafscore::internal {
namespace {

constexpr std::uint32_t kBlock = 64;

struct Workspace {
  std::uint32_t* a;  // code points
  std::uint32_t* b;
  std::uint8_t* carry;       // for each code point of b: the carry into the addition of the next block
  CodePointTable number_of;  // numbers the code points of the current block of a, from 1

  Workspace(ScratchArena& arena, std::uint32_t longest)
      : a(arena.Take<std::uint32_t>(longest)),
        b(arena.Take<std::uint32_t>(longest)),
        carry(arena.Take<std::uint8_t>(longest)),
        number_of(arena, 2 * std::size_t{longest}) {}
};

// Returns how many code points of a block of `a` extend common subsequences with b (Hyyrö 2004). There is one
// long addition for each code point of b. Each call does the block's part of all additions, and work.carry
// passes their carries to the next block.
std::uint32_t LengthOfBlock(std::span<const std::uint32_t> block, std::span<const std::uint32_t> b,
                            Workspace& work) {
  std::uint64_t places[kBlock + 1] = {};  // by number of a code point: its places in the block, as bits
  std::uint32_t numbers = 0;
  work.number_of.Clear();
  for (std::size_t i = 0; i < block.size(); ++i) {
    std::uint32_t& number = work.number_of.Slot(block[i]);
    if (number == 0) number = ++numbers;
    places[number] |= std::uint64_t{1} << i;
  }
  std::uint64_t row = ~std::uint64_t{0};
  for (std::size_t j = 0; j < b.size(); ++j) {
    const std::uint64_t matches = places[work.number_of.SlotInUse(b[j])];
    const std::uint64_t sum = row + (row & matches);
    const std::uint64_t with_carry = sum + work.carry[j];
    work.carry[j] = sum < row || with_carry < sum;
    row = with_carry | (row & ~matches);
  }
  const std::uint64_t valid =
      block.size() == kBlock ? ~std::uint64_t{0} : (std::uint64_t{1} << block.size()) - 1;
  return static_cast<std::uint32_t>(std::popcount(~row & valid));
}

double SimilarityOf(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, Workspace& work) {
  const double sum = static_cast<double>(a.size() + b.size());
  if (sum == 0) return 1;
  std::fill_n(work.carry, b.size(), std::uint8_t{0});
  std::uint64_t length = 0;
  for (std::size_t begin = 0; begin < a.size(); begin += kBlock) {
    length += LengthOfBlock(a.subspan(begin, std::min<std::size_t>(kBlock, a.size() - begin)), b, work);
  }
  return 1 - (sum - 2 * static_cast<double>(length)) / sum;
}

}  // namespace

std::size_t CommonSubsequenceScratchBytes(const StringColumn& left, const StringColumn& right) noexcept {
  ScratchArena counting(nullptr);
  Workspace(counting, LongestString(left, right));
  return counting.used();
}

void CommonSubsequenceBatch(const StringColumn& left, const StringColumn& right, std::span<double> similarity,
                            std::span<std::byte> scratch) noexcept {
  assert(left.size == right.size && left.size == similarity.size());
  assert(scratch.size() >= CommonSubsequenceScratchBytes(left, right));
  ScratchArena arena(scratch.data());
  Workspace work(arena, LongestString(left, right));
  for (std::size_t i = 0; i < left.size; ++i) {
    const std::uint32_t a_size = DecodeUtf8(left.string(i), left.string_bytes(i), work.a);
    const std::uint32_t b_size = DecodeUtf8(right.string(i), right.string_bytes(i), work.b);
    similarity[i] = SimilarityOf({work.a, a_size}, {work.b, b_size}, work);
  }
}

}  // namespace leafscore::internal
