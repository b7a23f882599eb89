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

namespace leafscore {

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
    // A block at a time in two passes: the first one loads wide and hardly stores, the second one the other
    // way round. Mixed, the loads would stall on every store whose address agrees in the low 12 bits.
    ShortPair found[kBlock];
    for (std::size_t begin = 0; begin < left_.size; begin += kBlock) {
      const std::size_t size = left_.size - begin < kBlock ? left_.size - begin : kBlock;
      for (std::size_t i = 0; i < size; ++i) found[i] = FindAffixes(PairAt(begin + i));
      for (std::size_t i = 0; i < size; ++i) {
        const BytePair pair = PairAt(begin + i);
        const auto index = static_cast<std::uint32_t>(begin + i);
        if (found[i].affixes == kNotShort) {
          AddAny(pair, index);
        } else {
          groups_.template AddShort<false>(WithoutAffixes(pair, found[i].prefix, found[i].affixes), index);
        }
      }
    }
    groups_.Flush();
  }

 private:
  using Groups = SimdGroups<V>;

  static constexpr std::size_t kBlock = 256;
  static constexpr std::uint8_t kNotShort = 255;

  // An ASCII pair of which up to 64 characters each are left without affixes; these need not be the longest
  // ones.
  struct ShortPair {
    std::uint8_t prefix;   // characters that are the same at the front
    std::uint8_t affixes;  // at both ends together, or kNotShort
  };

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

  // Looks at the first and the last 64 bytes only: enough for most pairs of up to 128 bytes, of which little
  // is left then. No branch depends on what the strings hold: that is unpredictable.
  static ShortPair FindAffixes(const BytePair& pair) {
    const std::uint32_t longer = Groups::Max(pair.a_size, pair.b_size);
    if (longer > 128) return {.prefix = 0, .affixes = kNotShort};
    const std::uint32_t shorter = Groups::Min(pair.a_size, pair.b_size);
    const std::uint8_t* a_tail = pair.a + pair.a_size - 64;
    const std::uint8_t* b_tail = pair.b + pair.b_size - 64;
    const std::uint32_t prefix = Groups::Min(V::TrailingZeros(V::DifferentBytes(pair.a, pair.b)), shorter);
    const std::uint32_t suffix =
        Groups::Min(V::LeadingZeros(V::DifferentBytes(a_tail, b_tail)), shorter - prefix);
    const std::uint32_t affixes = prefix + suffix;
    const std::uint64_t non_ascii = (V::NonAsciiBytes(pair.a, pair.b) & V::LowBits(longer)) |
                                    (V::NonAsciiBytes(a_tail, b_tail) & ~V::LowBits(128 - longer));
    const bool is_short = (non_ascii == 0) & (longer - affixes <= 64);
    return {.prefix = static_cast<std::uint8_t>(prefix),
            .affixes = static_cast<std::uint8_t>(is_short ? affixes : kNotShort)};
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
    // A cut never splits a code point; see kernels/affix.h.
    while (prefix > 0 && prefix < shorter && IsContinuation(pair.a[prefix])) --prefix;

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
    while (suffix > 0 && IsContinuation(*(a_end - suffix))) --suffix;

    const BytePair rest = WithoutAffixes(pair, prefix, prefix + suffix);
    if (IsAsciiOnly(rest.a, rest.a_size) && IsAsciiOnly(rest.b, rest.b_size)) {
      groups_.template Add<false>(rest, index);
    } else {
      AddCodePoints(rest, index);
    }
  }

  static bool IsContinuation(std::uint8_t byte) { return (byte & 0xC0) == 0x80; }

  static bool IsAsciiOnly(const std::uint8_t* bytes, std::uint32_t size) {
    for (; size > 64; bytes += 64, size -= 64) {
      if (V::NonAsciiBytes(bytes, bytes) != 0) return false;
    }
    return (V::NonAsciiBytes(bytes, bytes) & V::LowBits(size)) == 0;
  }

  // Takes a pair that is not ASCII: as code points up to U+FFFF where the kernels can, else by numbering
  // them.
  void AddCodePoints(const BytePair& pair, std::uint32_t index) {
    if (symbols_used_ + pair.a_size + pair.b_size + 3 * kStringPadding > work_.symbols_size) {
      groups_.Flush();
      symbols_used_ = 0;
    }
    std::uint8_t* symbols_a = work_.symbols + symbols_used_ + kStringPadding;
    if constexpr (V::kHasWideSymbols) {
      const std::uint32_t a_size =
          V::DecodeWide(pair.a, pair.a_size, symbols_a, symbols_a + work_.high_offset);
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
    if (dense.largest <= V::kMaxSymbol) {
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

}  // namespace leafscore

#endif  // LEAFSCORE_KERNELS_SIMD_BATCH_H_
