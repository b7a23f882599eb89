// kernels/simd_batch.h: the order of work on vectors, the same for every instruction set: take the common
// affixes off each pair, turn what is not ASCII into symbols, and hand the rest to the groups.
//
// V names an instruction set and has internal linkage; that gives it to all of this, as it must be (see
// kernels/lanes_avx512.h). Nothing here may call inline functions of other headers, the library's included.
#ifndef LEAFSCORE_KERNELS_SIMD_BATCH_H_
#define LEAFSCORE_KERNELS_SIMD_BATCH_H_

#include <cstddef>
#include <cstdint>

#include "kernels/levenshtein_isa.h"
#include "kernels/simd_groups.h"
#include "kernels/workspace.h"

namespace leafscore::internal {

template <typename V>
class SimdBatch {
 public:
  SimdBatch(const ColumnPair& columns, std::uint32_t* distance, Workspace& work)
      : left_(columns.left),
        right_(columns.right),
        distance_(distance),
        work_(work),
        groups_(distance, work) {}

  void Run() {
    for (std::size_t begin = 0; begin < left_.size; begin += kBlock) {
      RunBlock(begin, left_.size - begin < kBlock ? left_.size - begin : kBlock);
    }
    groups_.Flush();
  }

 private:
  using Groups = SimdGroups<V>;

  static constexpr std::size_t kBlock = 256;
  // Where a pair goes that no group of short pairs takes:
  static constexpr std::uint32_t kLong = 253;      // ASCII, 65 to 128 bytes without its affixes
  static constexpr std::uint32_t kNotAscii = 254;  // up to 128 bytes
  static constexpr std::uint32_t kAny = 255;       // all others, about which nothing is known

  // Three passes over some pairs. The first one loads wide and hardly stores, the last one stores: mixed, the
  // loads would stall on every store whose address agrees in the low 12 bits. The one between is plain
  // arithmetic, which the compiler turns into vectors. No branch depends on the strings, as no CPU could
  // predict it.
  void RunBlock(std::size_t begin, std::size_t size) {
    Ends ends;
    for (std::size_t i = 0; i < size; ++i) CompareEnds(PairAt(begin + i), ends, i);

    ShortPair pairs[kBlock];
    const std::uint32_t* left = left_.offsets + begin;
    const std::uint32_t* right = right_.offsets + begin;
    for (std::size_t i = 0; i < size; ++i) {
      pairs[i] = MakeShortPair(left[i + 1] - left[i], right[i + 1] - right[i], ends, i);
    }

    for (std::size_t i = 0; i < size; ++i) {
      const auto index = static_cast<std::uint32_t>(begin + i);
      if (pairs[i].group >= kLong) {
        AddOther(pairs[i], index);
      } else {
        groups_.template AddShort<false>(left_.bytes + left[i] + pairs[i].prefix,
                                         right_.bytes + right[i] + pairs[i].prefix, pairs[i],
                                         left[i + 1] - left[i] >= right[i + 1] - right[i], index);
      }
    }
  }

  // What the first and the last 64 bytes of pairs have in common, even bytes beyond the strings.
  struct Ends {
    std::uint8_t same_front[kBlock];  // bytes up to the first different one
    std::uint8_t same_back[kBlock];
    std::uint8_t ascii_front[kBlock];  // bytes up to the first that is not ASCII in either
    std::uint8_t ascii_back[kBlock];
  };

  static void CompareEnds(const BytePair& pair, Ends& ends, std::size_t i) {
    const std::uint8_t* a_tail = pair.a + pair.a_size - 64;
    const std::uint8_t* b_tail = pair.b + pair.b_size - 64;
    ends.same_front[i] = static_cast<std::uint8_t>(V::TrailingZeros(V::DifferentBytes(pair.a, pair.b)));
    ends.same_back[i] = static_cast<std::uint8_t>(V::LeadingZeros(V::DifferentBytes(a_tail, b_tail)));
    ends.ascii_front[i] = static_cast<std::uint8_t>(V::TrailingZeros(V::NonAsciiBytes(pair.a, pair.b)));
    ends.ascii_back[i] = static_cast<std::uint8_t>(V::LeadingZeros(V::NonAsciiBytes(a_tail, b_tail)));
  }

  // Says what is left of a pair of up to 128 bytes without the affixes in its ends, and where the pair goes.
  static ShortPair MakeShortPair(std::uint32_t a_size, std::uint32_t b_size, const Ends& ends,
                                 std::size_t i) {
    const std::uint32_t longer = Groups::Max(a_size, b_size);
    const std::uint32_t shorter = Groups::Min(a_size, b_size);
    const std::uint32_t prefix = Groups::Min(ends.same_front[i], shorter);
    const std::uint32_t affixes = prefix + Groups::Min(ends.same_back[i], shorter - prefix);
    const bool is_ascii =
        (ends.ascii_front[i] >= Groups::Min(longer, 64)) & (ends.ascii_back[i] + 64u >= longer);
    const std::uint32_t group =
        longer - affixes <= 64u ? Groups::ShortGroup(longer - affixes, shorter - affixes) : kLong;
    return {.prefix = static_cast<std::uint8_t>(prefix),
            .pattern_size = static_cast<std::uint8_t>(longer - affixes),
            .text_size = static_cast<std::uint8_t>(shorter - affixes),
            .group = static_cast<std::uint8_t>(longer > 128 ? kAny
                                               : is_ascii   ? group
                                                            : kNotAscii)};
  }

  BytePair PairAt(std::size_t i) const {
    return {.a = left_.bytes + left_.offsets[i],
            .b = right_.bytes + right_.offsets[i],
            .a_size = left_.offsets[i + 1] - left_.offsets[i],
            .b_size = right_.offsets[i + 1] - right_.offsets[i]};
  }

  static BytePair WithoutAffixes(const BytePair& pair, std::uint32_t prefix, std::uint32_t affixes) {
    return {.a = pair.a + prefix,
            .b = pair.b + prefix,
            .a_size = pair.a_size - affixes,
            .b_size = pair.b_size - affixes};
  }

  // Takes a pair that is not short. Not inlined: the loop over pairs needs the registers.
  [[gnu::noinline]] void AddOther(ShortPair stripped, std::uint32_t index) {
    const BytePair pair = PairAt(index);
    if (stripped.group == kAny) return AddAny(pair, index);
    const std::uint32_t affixes = Groups::Max(pair.a_size, pair.b_size) - stripped.pattern_size;
    const BytePair rest = WithoutAffixes(pair, stripped.prefix, affixes);
    if (stripped.group == kLong) {
      groups_.template AddLong<false>(rest, index);
    } else {
      AddCodePoints(WholeCodePoints(rest, affixes - stripped.prefix), index);
    }
  }

  // Takes a pair of any sizes, affixes still on.
  void AddAny(const BytePair& pair, std::uint32_t index) {
    const std::uint32_t shorter = Groups::Min(pair.a_size, pair.b_size);
    std::uint32_t prefix = 0;
    for (; prefix < shorter; prefix += 64) {
      const std::uint64_t different = V::DifferentBytes(pair.a + prefix, pair.b + prefix);
      if (different == 0) continue;
      prefix += V::TrailingZeros(different);
      break;
    }
    prefix = Groups::Min(prefix, shorter);
    const std::uint8_t* a_end = pair.a + pair.a_size;
    const std::uint8_t* b_end = pair.b + pair.b_size;
    std::uint32_t suffix = 0;
    for (; suffix < shorter - prefix; suffix += 64) {
      const std::uint64_t different = V::DifferentBytes(a_end - suffix - 64, b_end - suffix - 64);
      if (different == 0) continue;
      suffix += V::LeadingZeros(different);
      break;
    }
    suffix = Groups::Min(suffix, shorter - prefix);
    const BytePair rest = WithoutAffixes(pair, prefix, prefix + suffix);
    if (IsAsciiOnly(rest.a, rest.a_size) && IsAsciiOnly(rest.b, rest.b_size)) {
      groups_.template Add<false>(rest, index);
    } else {
      AddCodePoints(WholeCodePoints(rest, suffix), index);
    }
  }

  // Returns a pair that lost common bytes at both ends, `suffix` at the back, with the rest of the code
  // points that were cut there. Where the bytes differ inside one, both strings are inside it, so it is
  // enough to look at the longer one. Without branches, since where scripts differ is unpredictable.
  static BytePair WholeCodePoints(const BytePair& pair, std::uint32_t suffix) {
    const std::uint32_t longer = Groups::Max(pair.a_size, pair.b_size);
    const std::uint8_t* front = pair.a_size == longer ? pair.a : pair.b;
    const std::uint32_t front_1 = (longer > 0) & IsContinuation(front[0]);
    const std::uint32_t front_2 = front_1 & IsContinuation(*(front - 1));
    const std::uint32_t front_3 = front_2 & IsContinuation(*(front - 2));
    const std::uint8_t* back = front + longer;
    const std::uint32_t back_1 = (suffix > 0) & IsContinuation(back[0]);
    const std::uint32_t back_2 = back_1 & (suffix > 1) & IsContinuation(back[1]);
    const std::uint32_t back_3 = back_2 & (suffix > 2) & IsContinuation(back[2]);
    const std::uint32_t before = front_1 + front_2 + front_3;
    const std::uint32_t added = before + back_1 + back_2 + back_3;
    return {.a = pair.a - before,
            .b = pair.b - before,
            .a_size = pair.a_size + added,
            .b_size = pair.b_size + added};
  }

  static std::uint32_t IsContinuation(std::uint8_t byte) { return (byte & 0xC0) == 0x80; }

  static bool IsAsciiOnly(const std::uint8_t* bytes, std::uint32_t size) {
    for (; size > 64; bytes += 64, size -= 64) {
      if (V::NonAsciiBytes(bytes, bytes) != 0) return false;
    }
    return (V::NonAsciiBytes(bytes, bytes) & V::LowBits(size)) == 0;
  }

  // Takes a pair that is not ASCII: as code points up to U+FFFF where the kernels can, else numbered.
  void AddCodePoints(const BytePair& pair, std::uint32_t index) {
    if (std::size_t{pair.a_size} + pair.b_size + 3 * kStringPadding > work_.symbols_size) {
      const DensePair dense = NumberCodePoints(pair, work_);
      const bool is_empty = Groups::Min(dense.a_size, dense.b_size) == 0;
      distance_[index] = is_empty ? Groups::Max(dense.a_size, dense.b_size) : DenseDistance(dense, work_);
      return;
    }
    if (symbols_used_ + pair.a_size + pair.b_size + 3 * kStringPadding > work_.symbols_size) {
      groups_.Flush();
      symbols_used_ = 0;
    }
    std::uint8_t* symbols_a = work_.symbols + symbols_used_ + kStringPadding;
    const std::uint32_t a_size = V::DecodeWide(pair.a, pair.a_size, symbols_a, symbols_a + work_.high_offset);
    if (a_size != V::kCannotDecode) {
      std::uint8_t* symbols_b = symbols_a + a_size;
      const std::uint32_t b_size =
          V::DecodeWide(pair.b, pair.b_size, symbols_b, symbols_b + work_.high_offset);
      if (b_size != V::kCannotDecode && Groups::FitsWideGroup(a_size, b_size)) {
        symbols_used_ += a_size + b_size;
        groups_.template Add<true>({symbols_a, symbols_b, a_size, b_size}, index);
        return;
      }
    }
    const DensePair dense = NumberCodePoints(pair, work_);
    const BytePair symbols = {symbols_a, symbols_a + dense.a_size, dense.a_size, dense.b_size};
    if (dense.largest > 255) {
      distance_[index] = DenseDistance(dense, work_);
      return;
    }
    Narrow(work_.a, dense.a_size, symbols_a);
    Narrow(work_.b, dense.b_size, symbols_a + dense.a_size);
    symbols_used_ += dense.a_size + dense.b_size;
    if (dense.largest < LaneSpace::kNoSymbol) {
      groups_.template Add<false>(symbols, index);
    } else {
      groups_.RunAlone(symbols, index);
    }
  }

  static void Narrow(const std::uint32_t* numbers, std::uint32_t size, std::uint8_t* bytes) {
    for (std::uint32_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(numbers[i]);
  }

  const StringColumn& left_;
  const StringColumn& right_;
  std::uint32_t* distance_;
  Workspace& work_;
  Groups groups_;
  std::size_t symbols_used_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_SIMD_BATCH_H_
