// kernels/simd_groups.h: sorts pairs of symbol strings into groups that fill the lanes of a vector, and
// computes each group when it is full: pairs of up to 8, 16, 32 or 64 symbols, with one pair a lane; longer
// pairs of bytes, in kernels/long_groups.h; and longer pairs of wide symbols, with 1 to 8 words of 64 rows a
// pair in neighbouring lanes. Texts of similar length wait together, since a group takes as long as its
// longest text.
//
// A symbol is a byte; a wide symbol is two bytes, with the high byte Workspace::high_offset after the low
// byte. V names an instruction set, see kernels/simd_batch.h.
#ifndef LEAFSCORE_KERNELS_SIMD_GROUPS_H_
#define LEAFSCORE_KERNELS_SIMD_GROUPS_H_

#include <cstdint>

#include "kernels/affix.h"
#include "kernels/long_groups.h"
#include "kernels/narrow_symbols.h"
#include "kernels/pair_groups.h"
#include "kernels/workspace.h"

namespace leafscore::internal {

// Pairs that SimdBatch processes together: two columns of strings, whose distances begin at `first`.
struct PairRows {
  const std::uint8_t* a;
  const std::uint8_t* b;
  const std::uint32_t* a_offsets;  // as in StringColumn
  const std::uint32_t* b_offsets;
  std::uint32_t size;
  std::uint32_t first;
};

// Pairs from PairRows without their common affixes. The longer string is the pattern: if both strings fit a
// lane of the same width, the shorter text takes fewer steps.
struct ShortPairs {
  static constexpr std::uint32_t kMaxPairs = 256;

  const std::uint8_t* pattern[kMaxPairs];
  const std::uint8_t* text[kMaxPairs];
  std::uint8_t pattern_size[kMaxPairs];
  std::uint8_t text_size[kMaxPairs];
  std::uint8_t group[kMaxPairs];  // SimdGroups::ShortGroup
};

template <typename V>
class SimdGroups {
 public:
  SimdGroups(std::uint32_t* distance, Workspace& work)
      : distance_(distance), work_(work), long_groups_(distance, work) {}

  static std::uint32_t Min(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }
  static std::uint32_t Max(std::uint32_t a, std::uint32_t b) { return a < b ? b : a; }

  // RETURNS: the limit for the symbols of a pair of byte strings, if the longer string has this size. All
  // symbols must be below this limit.
  static std::uint32_t ByteSymbols(std::uint32_t longer) { return longer <= 64 ? 128 : LaneSpace::kNoSymbol; }

  // Takes a pair of bytes without common affixes, of any sizes. Its strings must not move until the next
  // Flush.
  // REQUIRES: symbols below ByteSymbols.
  void AddBytes(const BytePair& pair, std::uint32_t index) {
    if (IsShort(pair)) return AddShort<false>(pair, index);
    AddLongBytes(pair, index);
  }

  void AddLongBytes(const BytePair& pair, std::uint32_t index) {
    if (Min(pair.a_size, pair.b_size) != 0) {
      long_groups_.Add(pair, index);
    } else {
      distance_[index] = Max(pair.a_size, pair.b_size);
    }
  }

  // Takes a pair of wide symbols, if possible. The symbols are in Workspace::symbols, and may be converted
  // there.
  // RETURNS: whether it took the pair.
  bool AddWide(const BytePair& pair, std::uint32_t index) {
    const std::uint32_t shorter = Min(pair.a_size, pair.b_size);
    if (IsShort(pair)) {
      AddShort<true>(pair, index);
    } else if (shorter == 0 || (Kind(shorter) >= V::kMinBytesKind && MakeBytes(pair))) {
      AddLongBytes(pair, index);
    } else if (Kind(shorter) <= V::kMaxKind) {
      AddLongWide(pair, index);
    } else {
      return false;
    }
    return true;
  }

  // RETURNS: the group of pairs with these sizes, 0 to Workspace::kByteGroups - 1: by the width of the lane
  // that the pattern needs, and by the eighth of that width in which the text ends. The numbers are bytes,
  // because a vector holds more bytes than wider numbers.
  static std::uint8_t ShortGroup(std::uint8_t pattern_size, std::uint8_t text_size) {
    const auto last = static_cast<std::uint8_t>(text_size - (text_size != 0));
    return static_cast<std::uint8_t>(pattern_size > 32   ? 24 + (last >> 3)
                                     : pattern_size > 16 ? 16 + (last >> 2)
                                     : pattern_size > 8  ? 8 + (last >> 1)
                                                         : last);
  }

  // Takes the pairs with the indexes in `places`. The distance of pair i is stored at index `first` + i.
  // REQUIRES: no text is empty; the strings do not move until the next Flush.
  template <bool kWide>
  [[gnu::noinline]] void AddShortPairs(const ShortPairs& pairs, const std::uint8_t* places,
                                       std::uint32_t count, std::uint32_t first) {
    // Local copies, since to the compiler, the stores of bytes below may change anything in memory.
    ByteGroup* const groups = work_.byte_groups + (kWide ? Workspace::kByteGroups : 0);
    std::uint32_t* const sizes = work_.byte_group_sizes + (kWide ? Workspace::kByteGroups : 0);
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint32_t i = places[k];
      const std::uint32_t g = pairs.group[i];
      ByteGroup& group = groups[g];
      const std::uint32_t slot = sizes[g];
      sizes[g] = slot + 1;
      group.strings[0][slot] = pairs.pattern[i];
      group.strings[1][slot] = pairs.text[i];
      group.pattern_size[slot] = pairs.pattern_size[i];
      group.text_size[slot] = pairs.text_size[i];
      group.index[slot] = first + i;
      if (slot + 1 == V::kVectorBytes >> g / 8) RunBytes<kWide>(g);
    }
  }

  // Computes a pair of bytes of any sizes by itself.
  void RunAlone(const BytePair& pair, std::uint32_t index) { long_groups_.RunAlone(pair, index); }

  // Computes the waiting pairs.
  void Flush() {
    FlushBytes<false>();
    FlushBytes<true>();
    FlushWide();
    long_groups_.Flush();
  }

 private:
  static bool IsShort(const BytePair& pair) {
    return Max(pair.a_size, pair.b_size) <= 64 && Min(pair.a_size, pair.b_size) != 0;
  }

  template <bool kWide>
  void AddShort(const BytePair& pair, std::uint32_t index) {
    const bool b_is_pattern = pair.a_size < pair.b_size;
    const auto pattern_size = static_cast<std::uint8_t>(Max(pair.a_size, pair.b_size));
    const auto text_size = static_cast<std::uint8_t>(Min(pair.a_size, pair.b_size));
    const std::uint32_t g = ShortGroup(pattern_size, text_size);
    ByteGroup& group = work_.byte_groups[(kWide ? Workspace::kByteGroups : 0) + g];
    const std::uint32_t slot = work_.byte_group_sizes[(kWide ? Workspace::kByteGroups : 0) + g]++;
    group.strings[0][slot] = b_is_pattern ? pair.b : pair.a;
    group.strings[1][slot] = b_is_pattern ? pair.a : pair.b;
    group.pattern_size[slot] = pattern_size;
    group.text_size[slot] = text_size;
    group.index[slot] = index;
    if (slot + 1 == V::kVectorBytes >> g / 8) RunBytes<kWide>(g);
  }

  // RETURNS: whether it could convert a pair's wide symbols to bytes.
  bool MakeBytes(const BytePair& pair) {
    const WideSymbols a = {work_.symbols + (pair.a - work_.symbols), pair.a + work_.high_offset, pair.a_size};
    const WideSymbols b = {work_.symbols + (pair.b - work_.symbols), pair.b + work_.high_offset, pair.b_size};
    NarrowSymbols<V> narrow;
    narrow.Add(a);
    narrow.Add(b);
    if (!narrow.Fit()) return false;
    narrow.Narrow(a);
    narrow.Narrow(b);
    return true;
  }

  static std::uint32_t BitWidth(std::uint32_t a) { return 64 - V::LeadingZeros(a); }

  // 0 to 3 if the words of the pattern fit 1, 2, 4 or 8 lanes; larger if they do not fit.
  static std::uint32_t Kind(std::uint32_t pattern_size) { return BitWidth((pattern_size - 1) / 64); }

  void AddLongWide(const BytePair& pair, std::uint32_t index) {
    // The longer string is the pattern if it needs no wider lanes than the shorter one would.
    const std::uint32_t kind = Kind(Min(pair.a_size, pair.b_size));
    const bool longer_is_pattern = Kind(Max(pair.a_size, pair.b_size)) == kind;
    const bool a_is_pattern = (pair.a_size > pair.b_size) == longer_is_pattern;
    const std::uint32_t text_size = a_is_pattern ? pair.b_size : pair.a_size;
    const std::uint32_t g = kind * Workspace::kTextBuckets + TextBucket(text_size);
    WordPair* pairs = work_.wide_groups[g].pairs;
    std::uint32_t& size = work_.wide_group_sizes[g];
    pairs[size++] = {.pattern = a_is_pattern ? pair.a : pair.b,
                     .text = a_is_pattern ? pair.b : pair.a,
                     .pattern_size = a_is_pattern ? pair.a_size : pair.b_size,
                     .text_size = text_size,
                     .index = index};
    if (size < V::kVectorBytes / 8 >> kind) return;
    RunWide(kind, pairs, size);
    size = 0;
  }

  static std::uint32_t TextBucket(std::uint32_t text_size) { return LongGroups<V>::TextBucket(text_size); }

  // Not inlined: the loop over pairs needs the registers.
  template <bool kWide>
  [[gnu::noinline]] void RunBytes(std::uint32_t short_group) {
    const std::uint32_t g = (kWide ? Workspace::kByteGroups : 0) + short_group;
    const std::uint32_t width = short_group / 8, eighth = short_group % 8;
    const GroupShape shape = {.pairs = work_.byte_group_sizes[g],
                              .shortest = (eighth << width) + 1,
                              .longest = (eighth + 1) << width,
                              .high_offset = work_.high_offset};
    ByteGroup& group = work_.byte_groups[g];
    switch (width) {
      case 0:
        V::template RunBytes<8, kWide>(group, shape, distance_);
        break;
      case 1:
        V::template RunBytes<16, kWide>(group, shape, distance_);
        break;
      case 2:
        V::template RunBytes<32, kWide>(group, shape, distance_);
        break;
      default:
        V::template RunBytes<64, kWide>(group, shape, distance_);
    }
    work_.byte_group_sizes[g] = 0;
  }

  void RunWide(std::uint32_t kind, const WordPair* pairs, std::uint32_t count) {
    switch (kind) {
      case 0:
        return V::template RunWide<1>(pairs, count, work_.high_offset, distance_);
      case 1:
        return V::template RunWide<2>(pairs, count, work_.high_offset, distance_);
      case 2:
        return V::template RunWide<4>(pairs, count, work_.high_offset, distance_);
      default:
        if constexpr (V::kMaxKind == 3) V::template RunWide<8>(pairs, count, work_.high_offset, distance_);
    }
  }

  template <bool kWide>
  void FlushBytes() {
    for (std::uint32_t g = 0; g < Workspace::kByteGroups; ++g) {
      if (work_.byte_group_sizes[(kWide ? Workspace::kByteGroups : 0) + g] != 0) RunBytes<kWide>(g);
    }
  }

  // Joins pairs of several buckets to full groups, as far as possible.
  void FlushWide() {
    for (std::uint32_t kind = 0; kind <= V::kMaxKind; ++kind) {
      WordPair pairs[WordGroup::kMaxPairs];
      std::uint32_t count = 0;
      for (std::uint32_t bucket = 0; bucket < Workspace::kTextBuckets; ++bucket) {
        const std::uint32_t g = kind * Workspace::kTextBuckets + bucket;
        for (std::uint32_t i = 0; i < work_.wide_group_sizes[g]; ++i) {
          pairs[count++] = work_.wide_groups[g].pairs[i];
          if (count == V::kVectorBytes / 8 >> kind) {
            RunWide(kind, pairs, count);
            count = 0;
          }
        }
        work_.wide_group_sizes[g] = 0;
      }
      if (count != 0) RunWide(kind, pairs, count);
    }
  }

  std::uint32_t* distance_;
  Workspace& work_;
  LongGroups<V> long_groups_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_SIMD_GROUPS_H_
