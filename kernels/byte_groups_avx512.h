// kernels/byte_groups_avx512.h: pairs of up to 8, 16, 32 or 64 characters, one pair a lane. Takes the step of
// kernels/myers.h in all lanes at once. There are no carries, since a lane holds the whole pattern. The
// horizontal vector is kept complemented (not_hp): a shift to the left then brings in the +1 of the row
// above.
#ifndef LEAFSCORE_KERNELS_BYTE_GROUPS_AVX512_H_
#define LEAFSCORE_KERNELS_BYTE_GROUPS_AVX512_H_

#include "kernels/byte_matches_avx512.h"
#include "kernels/lanes_avx512.h"
#include "kernels/pair_groups.h"

namespace leafscore::internal {
namespace {

template <int kBits>
[[gnu::always_inline]] inline void LaneStep(__m512i equal, __m512i& vp, __m512i& vn) {
  using L = Lanes<kBits>;
  const __m512i x = _mm512_or_si512(equal, vn);
  const __m512i sum = L::Add(_mm512_and_si512(equal, vp), vp);
  const __m512i d = _mm512_ternarylogic_epi64(sum, vp, equal, 0xBE);  // (sum ^ vp) | equal
  __m512i not_hp = _mm512_ternarylogic_epi64(vn, d, vp, 0x0E);        // ~vn & (d | vp)
  __m512i hn = _mm512_and_si512(vp, d);
  not_hp = L::Add(not_hp, not_hp);
  hn = L::Add(hn, hn);
  vp = _mm512_ternarylogic_epi64(hn, x, not_hp, 0xF2);  // hn | (~x & not_hp)
  vn = _mm512_andnot_si512(not_hp, x);
}

// Loads a group's strings one after another; unused places are zero.
template <int kBits>
[[gnu::always_inline]] inline void LoadStrings(const std::uint8_t* const* strings, std::size_t offset,
                                               std::uint32_t count, __m512i block[8]) {
  alignas(64) std::uint8_t bytes[512];
  GatherStrings<kBits>(strings, offset, count, 512 / kBits, bytes);
  for (int z = 0; z < 8; ++z) block[z] = _mm512_load_si512(bytes + 64 * z);
}

// Advances the lanes over all columns of their texts.
template <int kBits, Planes kPlanes>
inline void RunColumns(const PatternPlanes& planes, const TextRows& rows, __m512i text_size,
                       std::uint32_t shortest, std::uint32_t longest, __m512i& vp, __m512i& vn) {
  using L = Lanes<kBits>;
  __m512i chunk = ChunkIndex<kBits>(0);
  for (std::uint32_t j = 0; j < longest; ++j) {
    const __m512i equal = MatchWords<kPlanes>(planes, rows, chunk, j);
    if (j < shortest) {
      LaneStep<kBits>(equal, vp, vn);
    } else {
      __m512i next_vp = vp;
      __m512i next_vn = vn;
      LaneStep<kBits>(equal, next_vp, next_vn);
      const auto running = L::Greater(text_size, L::Set1(j));
      vp = L::Blend(vp, running, next_vp);
      vn = L::Blend(vn, running, next_vn);
    }
    if (j % 8 == 7) chunk = _mm512_add_epi8(chunk, _mm512_set1_epi8(1));
  }
}

// Stores the distances at the bottom of the last column: the text size, from the row above the table, plus
// the vertical differences.
template <int kBits>
inline void StoreDistances(const ByteGroup& group, std::uint32_t pairs, __m512i text_size, __m512i vp,
                           __m512i vn, std::uint32_t* distance) {
  using L = Lanes<kBits>;
  const __m512i rows_used = L::LowBits(L::Widen(group.pattern_size));
  const __m512i up = L::CountBits(_mm512_and_si512(vp, rows_used));
  const __m512i down = L::CountBits(_mm512_and_si512(vn, rows_used));
  alignas(64) std::uint8_t result[64];
  L::StoreBytes(result, L::Sub(L::Add(text_size, up), down));
  // The analyzer does not see that `result` is set. NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign)
  for (std::uint32_t i = 0; i < pairs; ++i) distance[group.index[i]] = result[i];
}

// Advances lanes of 64 rows over all columns of their texts.
template <Symbols kSymbols>
[[gnu::always_inline]] inline void RunColumns64(const LaneRows& patterns, const SpreadTexts& texts,
                                                __m512i text_size, std::uint32_t shortest,
                                                std::uint32_t longest, __m512i& vp, __m512i& vn) {
  longest = static_cast<std::uint32_t>(_mm512_reduce_max_epu64(text_size));
  ForEachColumn<1, kSymbols>(
      patterns, texts, longest, 0, shortest, [](std::uint32_t) {},
      [&]<bool kIsFull>(__m512i equal, std::uint32_t j) {
        if (kIsFull) return LaneStep<64>(equal, vp, vn);
        __m512i next_vp = vp;
        __m512i next_vn = vn;
        LaneStep<64>(equal, next_vp, next_vn);
        const __mmask8 running = _mm512_cmpgt_epu64_mask(text_size, _mm512_set1_epi64(j));
        vp = _mm512_mask_mov_epi64(vp, running, next_vp);
        vn = _mm512_mask_mov_epi64(vn, running, next_vn);
      });
}

// The same, starting with the strings.
template <bool kWide>
[[gnu::always_inline]] inline void RunStrings64(const ByteGroup& group, const GroupShape& shape,
                                                __m512i text_size, std::uint32_t shortest, __m512i& vp,
                                                __m512i& vn) {
  LaneRows patterns;
  SpreadTexts texts;
  // A lane without a pair repeats the first lane.
  const auto load = [&](int side, std::uint32_t lane, std::size_t offset) {
    return _mm512_loadu_si512(group.strings[side][lane < shape.pairs ? lane : 0] + offset);
  };
  if constexpr (!kWide) {
    for (std::uint32_t lane = 0; lane < 8; ++lane) {
      patterns.low[lane] = load(0, lane, 0);
      SpreadTexts::Spread(load(1, lane, 0), texts.low[lane]);
    }
    RunColumns64<Symbols::kOneByte>(patterns, texts, text_size, shortest, shape.longest, vp, vn);
    return;
  }
  const std::size_t high = shape.high_offset;
  const __m512i reference = _mm512_set1_epi8(static_cast<char>(group.strings[0][0][high]));
  JoinedBytes joined;
  for (std::uint32_t lane = 0; lane < 8; ++lane) {
    patterns.low[lane] = load(0, lane, 0);
    patterns.high[lane] = load(0, lane, high);
    joined.Add(patterns.low[lane], patterns.high[lane], reference);
    joined.Add(load(1, lane, 0), load(1, lane, high), reference);
  }
  if (joined.Suffice()) {
    for (std::uint32_t lane = 0; lane < 8; ++lane) {
      patterns.low[lane] = joined.Join(patterns.low[lane], patterns.high[lane]);
      SpreadTexts::Spread(joined.Join(load(1, lane, 0), load(1, lane, high)), texts.low[lane]);
    }
    RunColumns64<Symbols::kOneByte>(patterns, texts, text_size, shortest, shape.longest, vp, vn);
  } else {
    for (std::uint32_t lane = 0; lane < 8; ++lane) {
      SpreadTexts::Spread(load(1, lane, 0), texts.low[lane]);
      SpreadTexts::Spread(load(1, lane, high), texts.high[lane]);
    }
    RunColumns64<Symbols::kTwoBytes>(patterns, texts, text_size, shortest, shape.longest, vp, vn);
  }
}

// Advances lanes of 32 rows over all columns of their texts, comparing symbols of 16 bits: as in
// kernels/byte_matches_avx512.h, but a register contains the rows of one lane.
[[gnu::always_inline]] inline void RunWide32(const ByteGroup& group, const GroupShape& shape,
                                             __m512i text_size, std::uint32_t shortest, __m512i& vp,
                                             __m512i& vn) {
  alignas(64) std::uint32_t texts[16][32];
  alignas(64) std::uint32_t match[kAhead + 32][16];
  __m512i patterns[16];
  // A lane without a pair repeats the first lane.
  const auto load = [&](int side, std::uint32_t lane) {
    const std::uint8_t* low = group.strings[side][lane < shape.pairs ? lane : 0];
    const auto widened = [](const std::uint8_t* bytes) {
      return _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes)));
    };
    return _mm512_or_si512(widened(low), _mm512_slli_epi16(widened(low + shape.high_offset), 8));
  };
  const __m512i twice =
      _mm512_set_epi32(0xF000F, 0xE000E, 0xD000D, 0xC000C, 0xB000B, 0xA000A, 0x90009, 0x80008, 0x70007,
                       0x60006, 0x50005, 0x40004, 0x30003, 0x20002, 0x10001, 0);
  for (std::uint32_t lane = 0; lane < 16; ++lane) {
    patterns[lane] = load(0, lane);
    const __m512i text = load(1, lane);
    _mm512_store_si512(texts[lane], _mm512_permutexvar_epi16(twice, text));
    _mm512_store_si512(texts[lane] + 16,
                       _mm512_permutexvar_epi16(_mm512_add_epi16(twice, _mm512_set1_epi16(16)), text));
  }
  for (std::uint32_t j = 0; j < shape.longest + kAhead; ++j) {
    const std::uint32_t column = j % 32;
#pragma GCC unroll 16
    for (std::uint32_t lane = 0; lane < 16; ++lane) {
      const __m512i character = _mm512_set1_epi32(static_cast<int>(texts[lane][column]));
      match[j][lane] = _mm512_cmpeq_epi16_mask(patterns[lane], character);
    }
    if (j < kAhead) continue;
    const __m512i equal = _mm512_load_si512(match[j - kAhead]);
    if (j - kAhead < shortest) {
      LaneStep<32>(equal, vp, vn);
    } else {
      __m512i next_vp = vp;
      __m512i next_vn = vn;
      LaneStep<32>(equal, next_vp, next_vn);
      const __mmask16 running =
          _mm512_cmpgt_epu32_mask(text_size, _mm512_set1_epi32(static_cast<int>(j - kAhead)));
      vp = _mm512_mask_mov_epi32(vp, running, next_vp);
      vn = _mm512_mask_mov_epi32(vn, running, next_vn);
    }
  }
}

// Computes the pairs of one group.
template <int kBits, bool kWide>
void RunByteGroup(ByteGroup& group, const GroupShape& shape, std::uint32_t* distance) {
  using L = Lanes<kBits>;
  constexpr std::uint32_t kPairs = 512 / kBits;
  const std::uint32_t pairs = shape.pairs;
  const std::uint32_t longest = shape.longest;
  const std::uint32_t shortest = pairs < kPairs ? 0 : shape.shortest;
  for (std::uint32_t i = pairs; i < kPairs; ++i) group.text_size[i] = 0;
  const __m512i text_size = L::Widen(group.text_size);
  __m512i vp = _mm512_set1_epi8(-1);
  __m512i vn = _mm512_setzero_si512();

  if constexpr (kBits == 64) {
    RunStrings64<kWide>(group, shape, text_size, shortest, vp, vn);
    return StoreDistances<kBits>(group, pairs, text_size, vp, vn, distance);
  }
  if constexpr (kBits == 32 && kWide) {
    RunWide32(group, shape, text_size, shortest, vp, vn);
    return StoreDistances<kBits>(group, pairs, text_size, vp, vn, distance);
  }
  PatternPlanes planes;
  TextRows rows;
  LoadStrings<kBits>(group.strings[0], 0, pairs, planes.low);
  CharactersToPlanes(planes.low);
  LoadStrings<kBits>(group.strings[1], 0, pairs, rows.low);
  TransposeQuadwords(rows.low);
  if constexpr (kWide) {
    LoadStrings<kBits>(group.strings[0], shape.high_offset, pairs, planes.high);
    LoadStrings<kBits>(group.strings[1], shape.high_offset, pairs, rows.high);
    DifferentBits different(group.strings[0][0][shape.high_offset]);
    different.Add(planes.high);
    different.Add(rows.high);
    CharactersToPlanes(planes.high);
    TransposeQuadwords(rows.high);
    const std::uint32_t bits = different.Bits();
    if ((bits & (bits - 1)) == 0) {
      planes.one_high = bits == 0 ? 0 : _tzcnt_u32(bits);
      RunColumns<kBits, Planes::kWideOneHigh>(planes, rows, text_size, shortest, longest, vp, vn);
    } else {
      RunColumns<kBits, Planes::kWideAllHigh>(planes, rows, text_size, shortest, longest, vp, vn);
    }
  } else {
    RunColumns<kBits, Planes::kBytes>(planes, rows, text_size, shortest, longest, vp, vn);
  }

  StoreDistances<kBits>(group, pairs, text_size, vp, vn, distance);
}

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_BYTE_GROUPS_AVX512_H_
