// kernels/simd_batch.h: the order of work on vectors, the same for every instruction set.
//
// Each pair loses its common affixes and joins a group of its kind: up to 8, 16, 32 or 64 characters with one
// pair a lane, or 1 to 8 words of 64 rows a pair; texts of similar length together, since a group takes as
// long as its longest. A full group is computed at once. So the input is read once, in order, and what waits
// fits the cache.
//
// V names an instruction set and has internal linkage; that gives it to all of this, as it must be (see
// kernels/lanes_avx512.h). Nothing here may call inline functions of other headers, the library's included.
#ifndef LEAFSCORE_KERNELS_SIMD_BATCH_H_
#define LEAFSCORE_KERNELS_SIMD_BATCH_H_

#include <cstddef>
#include <cstdint>

#include "kernels/levenshtein_isa.h"
#include "kernels/pair_groups.h"
#include "kernels/workspace.h"

namespace leafscore {

template <typename V>
class SimdBatch {
 public:
  SimdBatch(const ColumnPair& columns, std::uint32_t* distance, Workspace& work)
      : left_(columns.left), right_(columns.right), distance_(distance), work_(work) {}

  void Run() {
    // A block at a time in two passes: the first one loads wide and hardly stores, the second one the other
    // way round. Mixed, the loads would stall on every store whose address agrees in the low 12 bits.
    std::uint8_t prefix[kBlock];
    std::uint8_t affixes[kBlock];
    for (std::size_t begin = 0; begin < left_.size; begin += kBlock) {
      const std::size_t end = left_.size - begin < kBlock ? left_.size : begin + kBlock;
      for (std::size_t i = begin; i < end; ++i) FindAffixes(PairAt(i), prefix[i - begin], affixes[i - begin]);
      for (std::size_t i = begin; i < end; ++i) {
        Add(PairAt(i), prefix[i - begin], affixes[i - begin], static_cast<std::uint32_t>(i));
      }
    }
    Flush();
  }

 private:
  static constexpr std::size_t kBlock = 256;
  static constexpr std::uint8_t kLong = 254;
  static constexpr std::uint8_t kNotAscii = 255;

  static std::uint32_t Min(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }
  static std::uint32_t Max(std::uint32_t a, std::uint32_t b) { return a < b ? b : a; }
  static std::uint32_t BitWidth(std::uint32_t a) { return 64 - V::LeadingZeros(a); }

  BytePair PairAt(std::size_t i) const {
    return {.a = left_.bytes + left_.offsets[i],
            .b = right_.bytes + right_.offsets[i],
            .a_size = left_.offsets[i + 1] - left_.offsets[i],
            .b_size = right_.offsets[i + 1] - right_.offsets[i]};
  }

  // Sets the sizes of the common prefix and of both affixes of a pair of up to 64 ASCII characters each, or
  // says why not. No branch depends on what the strings hold: that is unpredictable.
  static void FindAffixes(const BytePair& pair, std::uint8_t& prefix, std::uint8_t& affixes) {
    const std::uint32_t longer = Max(pair.a_size, pair.b_size);
    const std::uint32_t shorter = Min(pair.a_size, pair.b_size);
    if (longer > 64) {
      affixes = kLong;
      return;
    }
    const std::uint32_t same_front = Min(V::TrailingZeros(V::DifferentBytes(pair.a, pair.b)), shorter);
    const std::uint32_t same_back =
        Min(V::LeadingZeros(V::DifferentBytes(pair.a + pair.a_size - 64, pair.b + pair.b_size - 64)),
            shorter - same_front);
    const bool ascii = (V::NonAsciiBytes(pair.a, pair.b) & V::LowBits(longer)) == 0;
    prefix = static_cast<std::uint8_t>(same_front);
    affixes = static_cast<std::uint8_t>(ascii ? same_front + same_back : kNotAscii);
  }

  void Add(const BytePair& pair, std::uint32_t prefix, std::uint32_t affixes, std::uint32_t index) {
    if (affixes == kLong) {
      AddLong(pair.a, pair.a_size, pair.b, pair.b_size, index);
    } else if (affixes == kNotAscii) {
      AddCodePoints(pair.a, pair.a_size, pair.b, pair.b_size, index);
    } else {
      AddBytes(pair.a + prefix, pair.a_size - affixes, pair.b + prefix, pair.b_size - affixes, index);
    }
  }

  // Up to 64 symbols each, no common affixes.
  void AddBytes(const std::uint8_t* a, std::uint32_t a_size, const std::uint8_t* b, std::uint32_t b_size,
                std::uint32_t index) {
    // The longer one is the pattern: both fit a lane of the same width, and the shorter text takes fewer
    // steps.
    const bool swap = a_size < b_size;
    const std::uint8_t* pattern = swap ? b : a;
    const std::uint8_t* text = swap ? a : b;
    const std::uint32_t pattern_size = Max(a_size, b_size);
    const std::uint32_t text_size = Min(a_size, b_size);
    distance_[index] = pattern_size;  // if the text is empty; else it will be overwritten

    const std::uint32_t width =
        BitWidth((pattern_size - (pattern_size != 0)) / 8);  // 0 to 3: 8 to 64 characters
    const std::uint32_t eighth = (text_size - (text_size != 0)) >> width;
    const std::uint32_t g = width * 8 + eighth;
    ByteGroup& group = work_.byte_groups[g];
    const std::uint32_t slot = group.count;
    group.pattern[slot] = pattern;
    group.text[slot] = text;
    group.pattern_size[slot] = static_cast<std::uint8_t>(pattern_size);
    group.text_size[slot] = static_cast<std::uint8_t>(text_size);
    group.index[slot] = index;
    group.count = slot + (text_size != 0);
    if (group.count == V::kVectorBytes >> width) RunByteGroup(g);
  }

  void RunByteGroup(std::uint32_t g) {
    ByteGroup& group = work_.byte_groups[g];
    const std::uint32_t eighth = g % 8;
    switch (g / 8) {
      case 0:
        V::template RunBytes<8>(group, eighth + 1, eighth + 1, distance_);
        break;
      case 1:
        V::template RunBytes<16>(group, 2 * eighth + 1, 2 * eighth + 2, distance_);
        break;
      case 2:
        V::template RunBytes<32>(group, 4 * eighth + 1, 4 * eighth + 4, distance_);
        break;
      default:
        V::template RunBytes<64>(group, 8 * eighth + 1, 8 * eighth + 8, distance_);
    }
    group.count = 0;
  }

  // At least one of more than 64 bytes.
  void AddLong(const std::uint8_t* a, std::uint32_t a_size, const std::uint8_t* b, std::uint32_t b_size,
               std::uint32_t index) {
    const std::uint32_t shorter = Min(a_size, b_size);
    std::uint32_t prefix = 0;
    for (; prefix < shorter; prefix += 64) {
      const std::uint64_t different = V::DifferentBytes(a + prefix, b + prefix);
      if (different == 0) continue;
      prefix += V::TrailingZeros(different);
      break;
    }
    prefix = Min(prefix, shorter);
    std::uint32_t suffix = 0;
    for (; suffix < shorter - prefix; suffix += 64) {
      const std::uint64_t different = V::DifferentBytes(a + a_size - suffix - 64, b + b_size - suffix - 64);
      if (different == 0) continue;
      suffix += V::LeadingZeros(different);
      break;
    }
    suffix = Min(suffix, shorter - prefix);
    const std::uint8_t* rest_a = a + prefix;
    const std::uint8_t* rest_b = b + prefix;
    const std::uint32_t rest_a_size = a_size - prefix - suffix;
    const std::uint32_t rest_b_size = b_size - prefix - suffix;
    if (HasNonAscii(rest_a, rest_a_size) || HasNonAscii(rest_b, rest_b_size)) {
      AddCodePoints(a, a_size, b, b_size, index);
    } else {
      AddSymbols(rest_a, rest_a_size, rest_b, rest_b_size, index);
    }
  }

  static bool HasNonAscii(const std::uint8_t* bytes, std::uint32_t size) {
    for (; size > 64; bytes += 64, size -= 64) {
      if (V::NonAsciiBytes(bytes, bytes) != 0) return true;
    }
    return (V::NonAsciiBytes(bytes, bytes) & V::LowBits(size)) != 0;
  }

  // Byte symbols below 128, of any size, no common affixes.
  void AddSymbols(const std::uint8_t* a, std::uint32_t a_size, const std::uint8_t* b, std::uint32_t b_size,
                  std::uint32_t index) {
    if (Max(a_size, b_size) <= 64) return AddBytes(a, a_size, b, b_size, index);
    if (Min(a_size, b_size) == 0) {
      distance_[index] = Max(a_size, b_size);
      return;
    }
    const WordPair pair = MakeWordPair(a, a_size, b, b_size, index);
    const std::uint32_t kind = Kind(pair.pattern_size);
    if (kind == 3 && V::kMaxGroupWords == 8) {
      V::template RunWords<V::kMaxGroupWords>(&pair, 1, distance_);
      return;
    }
    if (kind >= 3) {
      distance_[index] = V::Strips(pair, work_.strip);
      return;
    }
    WordGroup& group = work_.word_groups[kind * Workspace::kTextBuckets + TextBucket(pair.text_size)];
    group.pairs[group.count++] = pair;
    if (group.count == V::kVectorBytes / 8 >> kind) {
      RunWords(kind, group.pairs, group.count);
      group.count = 0;
    }
  }

  // 0 to 3: the words of the pattern fit 1, 2, 4, 8; beyond that they do not.
  static std::uint32_t Kind(std::uint32_t pattern_size) { return BitWidth((pattern_size - 1) / 64); }

  static WordPair MakeWordPair(const std::uint8_t* a, std::uint32_t a_size, const std::uint8_t* b,
                               std::uint32_t b_size, std::uint32_t index) {
    // The longer one is the pattern where it takes no wider lanes than the shorter one would.
    const std::uint32_t shorter_kind = Kind(Min(a_size, b_size));
    const bool longer_is_pattern = shorter_kind <= 3 && Kind(Max(a_size, b_size)) == shorter_kind;
    const bool a_is_pattern = (a_size > b_size) == longer_is_pattern;
    return {.pattern = a_is_pattern ? a : b,
            .text = a_is_pattern ? b : a,
            .pattern_size = a_is_pattern ? a_size : b_size,
            .text_size = a_is_pattern ? b_size : a_size,
            .index = index};
  }

  // Texts of a bucket differ by an eighth at most; the last bucket holds all very long ones.
  static std::uint32_t TextBucket(std::uint32_t text_size) {
    const std::uint32_t octave = BitWidth(text_size) - 7;  // from 64 characters
    return Min(octave * 8 + (text_size >> (octave + 3)) % 8, Workspace::kTextBuckets - 1);
  }

  void RunWords(std::uint32_t kind, const WordPair* pairs, std::uint32_t count) {
    switch (kind) {
      case 0:
        return V::template RunWords<1>(pairs, count, distance_);
      case 1:
        return V::template RunWords<2>(pairs, count, distance_);
      default:
        return V::template RunWords<4>(pairs, count, distance_);
    }
  }

  // Computes what waits.
  void Flush() {
    for (std::uint32_t g = 0; g < Workspace::kByteGroups; ++g) {
      if (work_.byte_groups[g].count != 0) RunByteGroup(g);
    }
    FlushWordGroups();
    symbols_used_ = 0;
  }

  // In full groups across the buckets, as far as it goes.
  void FlushWordGroups() {
    for (std::uint32_t kind = 0; kind < 3; ++kind) {
      WordPair pairs[WordGroup::kMaxPairs];
      std::uint32_t count = 0;
      for (std::uint32_t bucket = 0; bucket < Workspace::kTextBuckets; ++bucket) {
        WordGroup& group = work_.word_groups[kind * Workspace::kTextBuckets + bucket];
        for (std::uint32_t i = 0; i < group.count; ++i) {
          pairs[count++] = group.pairs[i];
          if (count == V::kVectorBytes / 8 >> kind) {
            RunWords(kind, pairs, count);
            count = 0;
          }
        }
        group.count = 0;
      }
      if (count != 0) RunWords(kind, pairs, count);
    }
  }

  // Not ASCII, affixes still on: numbers the code points and goes on with those.
  void AddCodePoints(const std::uint8_t* a, std::uint32_t a_size, const std::uint8_t* b, std::uint32_t b_size,
                     std::uint32_t index) {
    const DensePair dense = StripAndNumberCodePoints({a, b, a_size, b_size}, work_);
    if (dense.largest > 127 && dense.a_size != 0 && dense.b_size != 0) {
      distance_[index] = DenseDistance(dense, work_);
      return;
    }
    if (symbols_used_ + dense.a_size + dense.b_size + 3 * kStringPadding > work_.symbols_size) Flush();
    const std::uint8_t* symbols_a = AddSymbolBytes(work_.a, dense.a_size);
    const std::uint8_t* symbols_b = AddSymbolBytes(work_.b, dense.b_size);
    AddSymbols(symbols_a, dense.a_size, symbols_b, dense.b_size, index);
  }

  // Stores numbers as bytes, behind what is stored already, with padding before and after.
  const std::uint8_t* AddSymbolBytes(const std::uint32_t* numbers, std::uint32_t size) {
    std::uint8_t* bytes = work_.symbols + symbols_used_ + kStringPadding;
    for (std::uint32_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(numbers[i]);
    symbols_used_ += size;
    return bytes;
  }

  const StringColumn& left_;
  const StringColumn& right_;
  std::uint32_t* distance_;
  Workspace& work_;
  std::size_t symbols_used_ = 0;
};

}  // namespace leafscore

#endif  // LEAFSCORE_KERNELS_SIMD_BATCH_H_
