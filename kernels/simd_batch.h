// kernels/simd_batch.h: the steps of a batch on vectors, the same for every instruction set: strip the common
// affixes of each pair, convert texts that are not ASCII to symbols, and pass the remaining strings to the
// groups.
//
// V names an instruction set and has internal linkage. Therefore, all templates here have internal linkage,
// too, as they must (see kernels/lanes_avx512.h). Nothing here may call inline functions of other headers,
// including the standard library's.
#ifndef LEAFSCORE_KERNELS_SIMD_BATCH_H_
#define LEAFSCORE_KERNELS_SIMD_BATCH_H_

#include <cstddef>
#include <cstdint>

#include "kernels/levenshtein_isa.h"
#include "kernels/short_pair_sort.h"
#include "kernels/simd_affixes.h"
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
  using Affixes = SimdAffixes<V>;

  static constexpr std::uint32_t kBlock = SortedPairs::kMaxPairs;
  static constexpr std::uint32_t kRunBytes = 16 * 1024;  // the most bytes of a side that are decoded together

  // The assumption about the next block: all ASCII, some, or hardly any.
  enum class Guess { kAscii, kMixed, kNotAscii };

  void RunBlock(const PairRows& rows) {
    std::uint32_t sizes = 0;
    for (std::uint32_t i = 0; i < rows.size; ++i) {
      sizes |= rows.a_offsets[i + 1] - rows.a_offsets[i];
      sizes |= rows.b_offsets[i + 1] - rows.b_offsets[i];
    }
    // Neighbours are similar, so most blocks are like the block before.
    if (guess_ == Guess::kAscii) {
      if (sizes < 32 ? AddPairs<Known::kAscii32>(rows) : AddPairs<Known::kAscii>(rows)) return;
      guess_ = Guess::kMixed;
    }
    ascii_count_ = 0;
    if (guess_ == Guess::kNotAscii && sizes < kRunBytes) {
      AddRuns(rows, 0, rows.size);
    } else {
      AddPairs<Known::kNothing>(rows);
    }
    guess_ = ascii_count_ == rows.size      ? Guess::kAscii
             : ascii_count_ > rows.size / 8 ? Guess::kMixed
                                            : Guess::kNotAscii;
  }

  // Takes up to kBlock pairs.
  // RETURNS: whether the assumption about them holds; if not, nothing was done.
  template <Known kKnown>
  [[gnu::noinline]] bool AddPairs(const PairRows& rows) {
    SortedPairs sorted;
    if (!ShortPairSort<V>::template Run<kKnown>(rows, work_.high_offset, sorted)) return false;
    std::uint32_t* const distance = distance_ + rows.first;
    // The distance of pairs whose text is empty; the others will be overwritten.
    for (std::uint32_t i = 0; i < rows.size; ++i) distance[i] = sorted.pairs.pattern_size[i];
    groups_.template AddShortPairs<kKnown == Known::kWide>(sorted.pairs, sorted.short_rows,
                                                           sorted.short_count, rows.first);
    if constexpr (kKnown != Known::kAscii32) AddOthers<kKnown>(rows, sorted);
    return true;
  }

  static BytePair PairIn(const PairRows& rows, std::uint32_t i) {
    return {.a = rows.a + rows.a_offsets[i],
            .b = rows.b + rows.b_offsets[i],
            .a_size = rows.a_offsets[i + 1] - rows.a_offsets[i],
            .b_size = rows.b_offsets[i + 1] - rows.b_offsets[i]};
  }

  // Takes pairs that are not short.
  template <Known kKnown>
  [[gnu::noinline]] void AddOthers(const PairRows& rows, const SortedPairs& sorted) {
    constexpr bool kWide = kKnown == Known::kWide;
    std::uint8_t not_ascii[kBlock];
    std::uint32_t not_ascii_count = 0;
    for (std::uint32_t k = 0; k < sorted.other_count; ++k) {
      // The analyzer does not see that V::Places sets these rows.
      // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign)
      const std::uint32_t i = sorted.other_rows[k];
      const std::uint8_t group = sorted.pairs.group[i];
      const std::uint32_t index = rows.first + i;
      const BytePair pair = PairIn(rows, i);
      if (group < SortedPairs::kNotAscii) {
        const std::uint32_t affixes = Groups::Max(pair.a_size, pair.b_size) - sorted.pairs.pattern_size[i];
        const BytePair rest = Affixes::Without(pair, sorted.prefix[i], affixes);
        if constexpr (kWide) {
          groups_.AddWide(rest, index);
        } else {
          groups_.AddLongBytes(rest, index);
        }
        continue;
      }
      if (group >= SortedPairs::kAny) {
        const auto stripped = Affixes::template Strip<kWide>(pair, work_.high_offset);
        const BytePair& rest = stripped.pair;
        if constexpr (kWide) {
          if (!groups_.AddWide(rest, index)) alone_[alone_count_++] = index;
          continue;
        }
        if (Affixes::IsAscii(rest)) {
          groups_.AddBytes(rest, index);
          continue;
        }
        if (Groups::Max(pair.a_size, pair.b_size) > kRunBytes) {
          AddCodePoints(Affixes::WholeCodePoints(stripped), index);
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

  // Takes neighbours of up to kRunBytes bytes, most of them not ASCII.
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

  // Takes pairs of up to kRunBytes bytes on each side: decodes them together, which needs no branch for the
  // end of a string, and sorts the result.
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
      AddPairs<Known::kWide>({.a = symbols,
                              .b = symbols,
                              .a_offsets = a_starts + begin,
                              .b_offsets = b_starts + begin,
                              .size = end - begin,
                              .first = rows.first + begin});
    }
    // These may use the memory of the symbols above.
    for (std::uint32_t k = 0; k < alone_count_; ++k) {
      const BytePair pair = PairIn(rows, alone_[k] - rows.first);
      const auto stripped = Affixes::template Strip<false>(pair, work_.high_offset);
      const BytePair& rest = stripped.pair;
      if (Affixes::IsAscii(rest)) {
        groups_.AddBytes(rest, alone_[k]);
      } else {
        AddCodePoints(Affixes::WholeCodePoints(stripped), alone_[k]);
      }
    }
  }

  // Decodes neighbouring strings to symbols[first, ...). Sets starts[i] to the place in `symbols` where
  // string i begins, and starts[count] to the place where the last string ends.
  // RETURNS: whether all code points are wide symbols; others become arbitrary symbols.
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

  // Computes the waiting pairs if their symbols leave no room.
  // RETURNS: the place for `count` symbols; the place for their high bytes is high_offset further.
  std::uint8_t* RoomForSymbols(std::uint32_t count) {
    if (symbols_used_ + count + 3 * kStringPadding > work_.symbols_size) {
      groups_.Flush();
      symbols_used_ = 0;
    }
    return work_.symbols + symbols_used_ + kStringPadding;
  }

  // Takes a pair that is not ASCII: as code points up to U+FFFF if the kernels can use these, otherwise as
  // numbers.
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
      if (b_size != V::kCannotDecode && groups_.AddWide({symbols_a, symbols_b, a_size, b_size}, index)) {
        symbols_used_ += a_size + b_size;
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
    if (dense.largest < Groups::ByteSymbols(Groups::Max(dense.a_size, dense.b_size))) {
      groups_.AddBytes(symbols, index);
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
