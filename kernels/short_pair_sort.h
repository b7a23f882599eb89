// kernels/short_pair_sort.h: strips the common affixes of pairs of up to 128 symbols, 256 pairs together, and
// decides to which group each pair goes.
//
// V names an instruction set, see kernels/simd_batch.h.
#ifndef LEAFSCORE_KERNELS_SHORT_PAIR_SORT_H_
#define LEAFSCORE_KERNELS_SHORT_PAIR_SORT_H_

#include <cstddef>
#include <cstdint>

#include "kernels/simd_groups.h"
#include "kernels/workspace.h"

namespace leafscore::internal {

// Assumptions about the strings of some rows. kAscii: all strings of up to 128 bytes are ASCII. kAscii32: in
// addition, all strings have fewer than 32 bytes. kWide: the strings are wide symbols.
enum class Known { kNothing, kAscii32, kAscii, kWide };

struct SortedPairs {
  static constexpr std::uint32_t kMaxPairs = ShortPairs::kMaxPairs;
  // The destinations of pairs that do not go to a group of short pairs. Each has all bits of the one before
  // it, so setting the bits of a later one needs no branch. The lower five bits are arbitrary.
  static constexpr std::uint8_t kLong = 0x80;      // 65 to 128 symbols without its affixes
  static constexpr std::uint8_t kNotAscii = 0xC0;  // up to 128 bytes
  static constexpr std::uint8_t kAny = 0xE0;       // all others; nothing was stripped

  ShortPairs pairs;
  std::uint8_t prefix[kMaxPairs];  // symbols stripped in front
  // The rows of pairs that go to groups of short pairs, and of the others.
  std::uint8_t short_rows[kMaxPairs];
  std::uint8_t other_rows[kMaxPairs];
  std::uint32_t short_count;
  std::uint32_t other_count;
};

template <typename V>
class ShortPairSort {
 public:
  // Sorts some pairs in three passes. The first pass has wide loads and few stores, the last pass has the
  // stores: if they were mixed, a load would stall on every store whose address agrees with its own in the
  // low 12 bits. The middle pass is plain arithmetic, which the compiler vectorises. No branch depends on the
  // strings, as no CPU could predict it.
  // RETURNS: whether the assumption about the pairs holds; if not, nothing was done.
  template <Known kKnown>
  [[gnu::always_inline]] static bool Run(const PairRows& rows, std::size_t high_offset, SortedPairs& sorted) {
    Ends ends;
    if (!CompareAllEnds<kKnown>(rows, high_offset, ends)) return false;

    Sizes sizes;
    const std::uint32_t count = rows.size;
    const std::uint32_t* const a_offsets = rows.a_offsets;
    const std::uint32_t* const b_offsets = rows.b_offsets;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t a_size = a_offsets[i + 1] - a_offsets[i];
      sizes.a[i] = static_cast<std::uint8_t>(a_size < 255 ? a_size : 255);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t b_size = b_offsets[i + 1] - b_offsets[i];
      sizes.b[i] = static_cast<std::uint8_t>(b_size < 255 ? b_size : 255);
    }
    ShortPairs& pairs = sorted.pairs;
    std::uint8_t* const prefix = sorted.prefix;
    for (std::uint32_t i = 0; i < count; ++i) MakeShortPair<kKnown>(sizes, ends, i, prefix, pairs);
    std::uint8_t is_short[kBlock];
    std::uint8_t is_other[kBlock];
    for (std::uint32_t i = 0; i < count; ++i) {
      is_other[i] = pairs.group[i] >> 7;
      is_short[i] =
          static_cast<std::uint8_t>((pairs.text_size[i] != 0) & (pairs.group[i] < SortedPairs::kLong));
    }
    const std::uint8_t* const a = rows.a;
    const std::uint8_t* const b = rows.b;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint8_t* const a_rest = a + a_offsets[i] + prefix[i];
      const std::uint8_t* const b_rest = b + b_offsets[i] + prefix[i];
      pairs.pattern[i] = sizes.a[i] < sizes.b[i] ? b_rest : a_rest;
      pairs.text[i] = sizes.a[i] < sizes.b[i] ? a_rest : b_rest;
    }
    sorted.short_count = V::Places(is_short, count, sorted.short_rows);
    sorted.other_count = kKnown == Known::kAscii32 ? 0 : V::Places(is_other, count, sorted.other_rows);
    return true;
  }

 private:
  static constexpr std::uint32_t kBlock = SortedPairs::kMaxPairs;
  static constexpr std::uint32_t kFetchAhead = 1536;

  // The results of comparing the first and the last 32 or 64 bytes of pairs, including bytes beyond the
  // strings.
  struct Ends {
    std::uint8_t same_front[kBlock];  // symbols before the first difference
    std::uint8_t same_back[kBlock];
    std::uint8_t ascii_front[kBlock];  // bytes before the first that is not ASCII in either string
    std::uint8_t ascii_back[kBlock];
  };

  // The sizes of strings in symbols, up to 255.
  struct Sizes {
    std::uint8_t a[kBlock];
    std::uint8_t b[kBlock];
  };

  // RETURNS: whether all bytes seen are ASCII, if that was assumed.
  template <Known kKnown>
  static bool CompareAllEnds(const PairRows& rows, std::size_t high_offset, Ends& ends) {
    const std::uint8_t* const a_bytes = rows.a;
    const std::uint8_t* const b_bytes = rows.b;
    const std::uint32_t* const a_offsets = rows.a_offsets;
    const std::uint32_t* const b_offsets = rows.b_offsets;
    const std::uint32_t count = rows.size;
    typename V::Seen seen;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint8_t* a = a_bytes + a_offsets[i];
      const std::uint8_t* b = b_bytes + b_offsets[i];
      const std::uint8_t* a_tail = a_bytes + a_offsets[i + 1] - 64;
      const std::uint8_t* b_tail = b_bytes + b_offsets[i + 1] - 64;
      if constexpr (kKnown == Known::kAscii || kKnown == Known::kNothing) {
        // The kernels that run between two blocks make the hardware prefetcher forget the sequence.
        __builtin_prefetch(a + kFetchAhead);
        __builtin_prefetch(b + kFetchAhead);
      }
      std::uint64_t front, back;
      if constexpr (kKnown == Known::kAscii32) {
        // The first 32 bytes, then the last 32. Each part is longer than any string.
        front = V::DifferentHalves(a, a_tail + 32, b, b_tail + 32);
        back = front;
        seen.AddHalves(a, a_tail + 32, b, b_tail + 32);
      } else {
        front = V::DifferentBytes(a, b);
        back = V::DifferentBytes(a_tail, b_tail);
      }
      if constexpr (kKnown == Known::kAscii) {
        seen.Add(a, b);
        seen.Add(a_tail, b_tail);
      } else if constexpr (kKnown == Known::kWide) {
        front |= V::DifferentBytes(a + high_offset, b + high_offset);
        back |= V::DifferentBytes(a_tail + high_offset, b_tail + high_offset);
      } else if constexpr (kKnown == Known::kNothing) {
        ends.ascii_front[i] = static_cast<std::uint8_t>(V::TrailingZeros(V::NonAsciiBytes(a, b)));
        ends.ascii_back[i] = static_cast<std::uint8_t>(V::LeadingZeros(V::NonAsciiBytes(a_tail, b_tail)));
      }
      ends.same_front[i] = static_cast<std::uint8_t>(V::TrailingZeros(front));
      ends.same_back[i] = static_cast<std::uint8_t>(V::LeadingZeros(back));
    }
    return (kKnown != Known::kAscii && kKnown != Known::kAscii32) || seen.IsAscii();
  }

  // Computes the sizes of a pair of up to 128 symbols without its common affixes, and the group of the pair.
  template <Known kKnown>
  static void MakeShortPair(const Sizes& sizes, const Ends& ends, std::uint32_t i, std::uint8_t* prefixes,
                            ShortPairs& pairs) {
    const std::uint8_t a_size = sizes.a[i];
    const std::uint8_t b_size = sizes.b[i];
    const std::uint8_t longer = a_size < b_size ? b_size : a_size;
    const std::uint8_t shorter = a_size < b_size ? a_size : b_size;
    const std::uint8_t prefix = ends.same_front[i] < shorter ? ends.same_front[i] : shorter;
    const auto behind = static_cast<std::uint8_t>(shorter - prefix);
    const std::uint8_t suffix = ends.same_back[i] < behind ? ends.same_back[i] : behind;
    const auto text_size = static_cast<std::uint8_t>(behind - suffix);
    const auto pattern_size = static_cast<std::uint8_t>(longer - prefix - suffix);
    std::uint8_t group = SimdGroups<V>::ShortGroup(pattern_size, text_size) & (Workspace::kByteGroups - 1);
    if constexpr (kKnown != Known::kAscii32) {
      group |= pattern_size > 64 ? SortedPairs::kLong : 0;
      if constexpr (kKnown == Known::kNothing) {
        const std::uint8_t seen = longer < 64 ? longer : 64;
        const auto rest = static_cast<std::uint8_t>(longer - seen);
        group |= ends.ascii_front[i] < seen ? SortedPairs::kNotAscii : 0;
        group |= ends.ascii_back[i] < rest ? SortedPairs::kNotAscii : 0;
      }
      group |= longer > 128 ? SortedPairs::kAny : 0;
    }
    prefixes[i] = prefix;
    pairs.pattern_size[i] = pattern_size;
    pairs.text_size[i] = text_size;
    pairs.group[i] = group;
  }
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_SHORT_PAIR_SORT_H_
