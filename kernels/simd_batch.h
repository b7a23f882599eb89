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
      RunBlock({.a = left_.bytes,
                .b = right_.bytes,
                .a_offsets = left_.offsets + begin,
                .b_offsets = right_.offsets + begin,
                .size = static_cast<std::uint32_t>(left_.size - begin < kBlock ? left_.size - begin : kBlock),
                .first = static_cast<std::uint32_t>(begin)});
    }
    groups_.Flush();
  }

 private:
  using Groups = SimdGroups<V>;

  static constexpr std::uint32_t kBlock = ShortPairs::kMaxPairs;
  // Where a pair goes that no group of short pairs takes. Each has the bits of the one before, and may have
  // others, as a bit more needs no branch.
  static constexpr std::uint8_t kLong = 0x80;            // 65 to 128 symbols without its affixes
  static constexpr std::uint8_t kNotAscii = 0xC0;        // up to 128 bytes
  static constexpr std::uint8_t kAny = 0xE0;             // all others, from which nothing was taken off
  static constexpr std::uint32_t kRunBytes = 16 * 1024;  // of neighbours that are decoded together, on a side
  static constexpr std::uint32_t kFetchAhead = 1536;

  // What is known about the strings of some rows: nothing, that they are wide symbols, or that those of up to
  // 128 bytes are ASCII, and perhaps that all have up to 32 bytes.
  enum class Known { kNothing, kAscii32, kAscii, kWide };

  // What the next block is thought to be: all ASCII, some of it, or hardly any.
  enum class Guess { kAscii, kMixed, kNotAscii };

  void RunBlock(const PairRows& rows) {
    std::uint32_t sizes = 0;
    for (std::uint32_t i = 0; i < rows.size; ++i) {
      sizes |= rows.a_offsets[i + 1] - rows.a_offsets[i];
      sizes |= rows.b_offsets[i + 1] - rows.b_offsets[i];
    }
    // Neighbours are alike, so most blocks are as was the one before.
    if (guess_ == Guess::kAscii) {
      if (sizes < 32 ? Sort<Known::kAscii32>(rows) : Sort<Known::kAscii>(rows)) return;
      guess_ = Guess::kMixed;
    }
    ascii_count_ = 0;
    if (guess_ == Guess::kNotAscii && sizes < kRunBytes) {
      AddRuns(rows, 0, rows.size);
    } else {
      Sort<Known::kNothing>(rows);
    }
    guess_ = ascii_count_ == rows.size      ? Guess::kAscii
             : ascii_count_ > rows.size / 8 ? Guess::kMixed
                                            : Guess::kNotAscii;
  }

  // What the first and the last bytes of pairs, 32 or 64, have in common, even bytes beyond the strings.
  struct Ends {
    std::uint8_t same_front[kBlock];  // symbols up to the first different one
    std::uint8_t same_back[kBlock];
    std::uint8_t ascii_front[kBlock];  // bytes up to the first that is not ASCII in either
    std::uint8_t ascii_back[kBlock];
  };

  // The symbols of strings, up to 255.
  struct Sizes {
    std::uint8_t a[kBlock];
    std::uint8_t b[kBlock];
  };

  // Three passes over some pairs. The first one loads wide and hardly stores, the last one stores: mixed, the
  // loads would stall on every store whose address agrees in the low 12 bits. The one between is plain
  // arithmetic, which the compiler turns into vectors. No branch depends on the strings, as no CPU could
  // predict it.
  // RETURNS: whether what is known about the pairs is true; else nothing was done.
  template <Known kKnown>
  [[gnu::noinline]] bool Sort(const PairRows& rows) {
    Ends ends;
    if (!CompareAllEnds<kKnown>(rows, ends)) return false;

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
    ShortPairs pairs;
    std::uint8_t prefix[kBlock];
    for (std::uint32_t i = 0; i < count; ++i) MakeShortPair<kKnown>(sizes, ends, i, prefix, pairs);
    std::uint8_t is_short[kBlock];
    std::uint8_t is_other[kBlock];
    for (std::uint32_t i = 0; i < count; ++i) {
      is_other[i] = pairs.group[i] >> 7;
      is_short[i] = static_cast<std::uint8_t>((pairs.text_size[i] != 0) & (pairs.group[i] < kLong));
    }
    const std::uint8_t* const a = rows.a;
    const std::uint8_t* const b = rows.b;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint8_t* const a_rest = a + a_offsets[i] + prefix[i];
      const std::uint8_t* const b_rest = b + b_offsets[i] + prefix[i];
      pairs.pattern[i] = sizes.a[i] < sizes.b[i] ? b_rest : a_rest;
      pairs.text[i] = sizes.a[i] < sizes.b[i] ? a_rest : b_rest;
    }
    std::uint32_t* const distance = distance_ + rows.first;
    // That of pairs whose text is empty; others will be overwritten.
    for (std::uint32_t i = 0; i < count; ++i) distance[i] = pairs.pattern_size[i];

    std::uint8_t places[kBlock];
    const std::uint32_t short_count = V::Places(is_short, count, places);
    groups_.template AddShortPairs<kKnown == Known::kWide>(pairs, places, short_count, rows.first);
    if constexpr (kKnown != Known::kAscii32) {
      AddOthers<kKnown>(rows, prefix, pairs, places, V::Places(is_other, count, places));
    }
    return true;
  }

  // RETURNS: whether all that was seen is ASCII, if that was thought.
  template <Known kKnown>
  bool CompareAllEnds(const PairRows& rows, Ends& ends) const {
    const std::uint8_t* const a_bytes = rows.a;
    const std::uint8_t* const b_bytes = rows.b;
    const std::uint32_t* const a_offsets = rows.a_offsets;
    const std::uint32_t* const b_offsets = rows.b_offsets;
    const std::size_t high_offset = work_.high_offset;
    const std::uint32_t count = rows.size;
    typename V::Seen seen;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint8_t* a = a_bytes + a_offsets[i];
      const std::uint8_t* b = b_bytes + b_offsets[i];
      const std::uint8_t* a_tail = a_bytes + a_offsets[i + 1] - 64;
      const std::uint8_t* b_tail = b_bytes + b_offsets[i + 1] - 64;
      if constexpr (kKnown == Known::kAscii || kKnown == Known::kNothing) {
        // The kernels between two blocks make the processor forget that it reads in order.
        __builtin_prefetch(a + kFetchAhead);
        __builtin_prefetch(b + kFetchAhead);
      }
      std::uint64_t front, back;
      if constexpr (kKnown == Known::kAscii32) {
        // The first 32 bytes, then the last, from either side more than a string has.
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

  // Says what is left of a pair of up to 128 symbols without the affixes in its ends, and where it goes.
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
    std::uint8_t group = Groups::ShortGroup(pattern_size, text_size) & (Workspace::kByteGroups - 1);
    if constexpr (kKnown != Known::kAscii32) {
      group |= pattern_size > 64 ? kLong : 0;
      if constexpr (kKnown == Known::kNothing) {
        const std::uint8_t seen = longer < 64 ? longer : 64;
        const auto rest = static_cast<std::uint8_t>(longer - seen);
        group |= ends.ascii_front[i] < seen ? kNotAscii : 0;
        group |= ends.ascii_back[i] < rest ? kNotAscii : 0;
      }
      group |= longer > 128 ? kAny : 0;
    }
    prefixes[i] = prefix;
    pairs.pattern_size[i] = pattern_size;
    pairs.text_size[i] = text_size;
    pairs.group[i] = group;
  }

  // RETURNS: which of 64 symbols differ.
  template <bool kWide>
  std::uint64_t Different(const std::uint8_t* a, const std::uint8_t* b) const {
    const std::uint64_t low = V::DifferentBytes(a, b);
    return kWide ? low | V::DifferentBytes(a + work_.high_offset, b + work_.high_offset) : low;
  }

  static BytePair PairIn(const PairRows& rows, std::uint32_t i) {
    return {.a = rows.a + rows.a_offsets[i],
            .b = rows.b + rows.b_offsets[i],
            .a_size = rows.a_offsets[i + 1] - rows.a_offsets[i],
            .b_size = rows.b_offsets[i + 1] - rows.b_offsets[i]};
  }

  static BytePair WithoutAffixes(const BytePair& pair, std::uint32_t prefix, std::uint32_t affixes) {
    return {.a = pair.a + prefix,
            .b = pair.b + prefix,
            .a_size = pair.a_size - affixes,
            .b_size = pair.b_size - affixes};
  }

  // Takes pairs that are not short.
  template <Known kKnown>
  [[gnu::noinline]] void AddOthers(const PairRows& rows, const std::uint8_t* prefixes,
                                   const ShortPairs& pairs, const std::uint8_t* places, std::uint32_t count) {
    constexpr bool kWide = kKnown == Known::kWide;
    std::uint8_t not_ascii[kBlock];
    std::uint32_t not_ascii_count = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint32_t i = places[k];
      const std::uint32_t index = rows.first + i;
      const BytePair pair = PairIn(rows, i);
      if (pairs.group[i] < kNotAscii) {
        const std::uint32_t affixes = Groups::Max(pair.a_size, pair.b_size) - pairs.pattern_size[i];
        groups_.template AddLong<kWide>(WithoutAffixes(pair, prefixes[i], affixes), index);
        continue;
      }
      if (pairs.group[i] >= kAny) {
        const Affixes affixes = CommonAffixes<kWide>(pair);
        const BytePair rest = WithoutAffixes(pair, affixes.prefix, affixes.prefix + affixes.suffix);
        if (kWide && !Groups::FitsWideGroup(rest.a_size, rest.b_size)) {
          alone_[alone_count_++] = index;
          continue;
        }
        if (kWide || (IsAsciiOnly(rest.a, rest.a_size) && IsAsciiOnly(rest.b, rest.b_size))) {
          groups_.template Add<kWide>(rest, index);
          continue;
        }
        if (Groups::Max(pair.a_size, pair.b_size) > kRunBytes) {
          AddCodePoints(WholeCodePoints(rest, affixes.suffix), index);
          continue;
        }
      }
      not_ascii[not_ascii_count++] = static_cast<std::uint8_t>(i);
    }
    if constexpr (!kWide) {
      for (std::uint32_t k = 0; k < not_ascii_count;) {
        const std::uint32_t begin = not_ascii[k];
        std::uint32_t end = begin;
        for (; k < not_ascii_count && not_ascii[k] == end; ++k) ++end;
        AddRuns(rows, begin, end);
      }
      ascii_count_ += rows.size - not_ascii_count;
    }
  }

  // Takes neighbours of up to kRunBytes bytes, most of which are not ASCII.
  void AddRuns(const PairRows& rows, std::uint32_t begin, std::uint32_t last) {
    for (std::uint32_t end; begin < last; begin = end) {
      for (end = begin; end < last && rows.a_offsets[end + 1] - rows.a_offsets[begin] <= kRunBytes &&
                        rows.b_offsets[end + 1] - rows.b_offsets[begin] <= kRunBytes;
           ++end) {
      }
      AddRun({.a = rows.a,
              .b = rows.b,
              .a_offsets = rows.a_offsets + begin,
              .b_offsets = rows.b_offsets + begin,
              .size = end - begin,
              .first = rows.first + begin});
    }
  }

  // Takes pairs of up to kRunBytes bytes on each side: decodes them together, which takes no branch for the
  // end of a string, and sorts what comes out.
  [[gnu::noinline]] void AddRun(const PairRows& rows) {
    const std::uint32_t a_bytes = rows.a_offsets[rows.size] - rows.a_offsets[0];
    const std::uint32_t b_bytes = rows.b_offsets[rows.size] - rows.b_offsets[0];
    std::uint8_t* symbols = RoomForSymbols(a_bytes + b_bytes);
    std::uint32_t a_starts[kBlock + 1];
    std::uint32_t b_starts[kBlock + 1];
    bool all_fit = DecodeRun(rows.a, rows.a_offsets, rows.size, symbols, 0, a_starts);
    all_fit &= DecodeRun(rows.b, rows.b_offsets, rows.size, symbols, a_starts[rows.size], b_starts);
    symbols_used_ += b_starts[rows.size];
    for (std::uint32_t i = 0; i < rows.size; ++i) {
      const bool a_is_ascii = a_starts[i + 1] - a_starts[i] == rows.a_offsets[i + 1] - rows.a_offsets[i];
      const bool b_is_ascii = b_starts[i + 1] - b_starts[i] == rows.b_offsets[i + 1] - rows.b_offsets[i];
      ascii_count_ += a_is_ascii & b_is_ascii;
    }

    alone_count_ = 0;
    for (std::uint32_t begin = 0, end = 0; begin < rows.size; begin = end) {
      for (end = begin; end < rows.size && (all_fit || !HasFourBytes(PairIn(rows, end))); ++end) {
      }
      if (begin == end) {
        alone_[alone_count_++] = rows.first + end++;
        continue;
      }
      Sort<Known::kWide>({.a = symbols,
                          .b = symbols,
                          .a_offsets = a_starts + begin,
                          .b_offsets = b_starts + begin,
                          .size = end - begin,
                          .first = rows.first + begin});
    }
    // These may take the room of the symbols above.
    for (std::uint32_t k = 0; k < alone_count_; ++k) {
      const BytePair pair = PairIn(rows, alone_[k] - rows.first);
      const Affixes affixes = CommonAffixes<false>(pair);
      const BytePair rest = WithoutAffixes(pair, affixes.prefix, affixes.prefix + affixes.suffix);
      if (IsAsciiOnly(rest.a, rest.a_size) && IsAsciiOnly(rest.b, rest.b_size)) {
        groups_.template Add<false>(rest, alone_[k]);
      } else {
        AddCodePoints(WholeCodePoints(rest, affixes.suffix), alone_[k]);
      }
    }
  }

  // Decodes neighbouring strings to symbols[first, ...), and sets where each begins there, and where all end.
  // RETURNS: whether all code points are wide symbols; others come out as any symbol.
  bool DecodeRun(const std::uint8_t* bytes, const std::uint32_t* offsets, std::uint32_t count,
                 std::uint8_t* symbols, std::uint32_t first, std::uint32_t* starts) const {
    std::uint64_t leads[kRunBytes / 64 + 1];
    std::uint32_t starts_before[kRunBytes / 64 + 1];
    const std::uint32_t size = offsets[count] - offsets[0];
    const std::uint8_t* from = bytes + offsets[0];
    for (std::uint32_t chunk = 0, start = first; chunk <= size / 64; ++chunk) {
      leads[chunk] = V::LeadBytes(from + std::size_t{64} * chunk);
      starts_before[chunk] = start;
      start += V::CountBits(leads[chunk]);
    }
    for (std::uint32_t i = 0; i <= count; ++i) {
      const std::uint32_t at = offsets[i] - offsets[0];
      starts[i] = starts_before[at / 64] + V::CountBits(leads[at / 64] & V::LowBits(at % 64));
    }
    std::uint8_t* low = symbols + first;
    return V::DecodeWide(from, size, low, low + work_.high_offset) != V::kCannotDecode;
  }

  static bool HasFourBytes(const BytePair& pair) {
    bool has = false;
    for (std::uint32_t i = 0; i < pair.a_size; ++i) has |= pair.a[i] >= 0xF0;
    for (std::uint32_t i = 0; i < pair.b_size; ++i) has |= pair.b[i] >= 0xF0;
    return has;
  }

  // RETURNS: where to put so many symbols, and in high_offset more their high bytes. What waits may be
  // computed
  //          and its symbols forgotten.
  std::uint8_t* RoomForSymbols(std::uint32_t count) {
    if (symbols_used_ + count + 3 * kStringPadding > work_.symbols_size) {
      groups_.Flush();
      symbols_used_ = 0;
    }
    return work_.symbols + symbols_used_ + kStringPadding;
  }

  struct Affixes {
    std::uint32_t prefix;
    std::uint32_t suffix;
  };

  template <bool kWide>
  Affixes CommonAffixes(const BytePair& pair) const {
    const std::uint32_t shorter = Groups::Min(pair.a_size, pair.b_size);
    std::uint32_t prefix = 0;
    for (; prefix < shorter; prefix += 64) {
      const std::uint64_t different = Different<kWide>(pair.a + prefix, pair.b + prefix);
      if (different == 0) continue;
      prefix += V::TrailingZeros(different);
      break;
    }
    prefix = Groups::Min(prefix, shorter);
    const std::uint8_t* a_end = pair.a + pair.a_size;
    const std::uint8_t* b_end = pair.b + pair.b_size;
    std::uint32_t suffix = 0;
    for (; suffix < shorter - prefix; suffix += 64) {
      const std::uint64_t different = Different<kWide>(a_end - suffix - 64, b_end - suffix - 64);
      if (different == 0) continue;
      suffix += V::LeadingZeros(different);
      break;
    }
    return {.prefix = prefix, .suffix = Groups::Min(suffix, shorter - prefix)};
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
    for (; size > 128; bytes += 128, size -= 128) {
      if (V::NonAsciiBytes(bytes, bytes + 64) != 0) return false;
    }
    const std::uint32_t front = size < 64 ? size : 64;
    if ((V::NonAsciiBytes(bytes, bytes) & V::LowBits(front)) != 0) return false;
    return size <= 64 || (V::NonAsciiBytes(bytes + 64, bytes + 64) & V::LowBits(size - 64)) == 0;
  }

  // Takes a pair that is not ASCII: as code points up to U+FFFF where the kernels can, else numbered.
  void AddCodePoints(const BytePair& pair, std::uint32_t index) {
    if (std::size_t{pair.a_size} + pair.b_size + 3 * kStringPadding > work_.symbols_size) {
      const DensePair dense = NumberCodePoints(pair, work_);
      const bool is_empty = Groups::Min(dense.a_size, dense.b_size) == 0;
      distance_[index] = is_empty ? Groups::Max(dense.a_size, dense.b_size) : DenseDistance(dense, work_);
      return;
    }
    std::uint8_t* symbols_a = RoomForSymbols(pair.a_size + pair.b_size);
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
  Guess guess_ = Guess::kAscii;
  std::uint32_t ascii_count_ = 0;  // pairs of the block that are ASCII
  std::size_t symbols_used_ = 0;
  std::uint32_t alone_[kBlock];  // pairs of the last run that must be numbered
  std::uint32_t alone_count_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_SIMD_BATCH_H_
