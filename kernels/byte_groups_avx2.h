// kernels/byte_groups_avx2.h: pairs of up to 8, 16, 32 or 64 characters, one pair a lane; the counterpart of
// kernels/byte_groups_avx512.h. All match words of a group come first, from byte comparisons, so that the
// steps need not wait for them.
#ifndef LEAFSCORE_KERNELS_BYTE_GROUPS_AVX2_H_
#define LEAFSCORE_KERNELS_BYTE_GROUPS_AVX2_H_

#include "kernels/lanes_avx2.h"
#include "kernels/pair_groups.h"

namespace leafscore::internal {
namespace {

template <typename B>
inline void LaneStep(const B& equal, B& vp, B& vn) {
  const B x = equal | vn;
  const B d = (((equal & vp) + vp) ^ vp) | equal;
  B not_hp = AndNot(d | vp, vn);
  B hn = vp & d;
  not_hp = not_hp + not_hp;
  hn = hn + hn;
  vp = hn | AndNot(not_hp, x);
  vn = AndNot(x, not_hp);
}

// Returns character j of every text in bytes [32z, 32z + 32), repeated over its pair's bytes there.
template <int kBits>
inline __m256i CharacterOfPairs(const std::uint8_t* texts, int z, std::uint32_t j) {
  if constexpr (kBits >= 32) {
    return _mm256_set1_epi8(static_cast<char>(texts[32 * z / kBits * kBits + j]));
  } else {
    // Two pairs of 16, or four of 8: the shuffle works on each half by itself.
    const __m256i first = kBits == 16 ? _mm256_setzero_si256()
                                      : _mm256_set_epi64x(0x0808080808080808, 0, 0x0808080808080808, 0);
    const __m256i index = _mm256_add_epi8(first, _mm256_set1_epi8(static_cast<char>(j)));
    return _mm256_shuffle_epi8(LoadBytes(texts + 32 * z), index);
  }
}

// The symbols of a group, one pair behind the other: all patterns, all texts.
template <int kBits>
struct GroupSymbols {
  __m256i patterns[8];
  alignas(32) std::uint8_t texts[256];

  GroupSymbols(const ByteGroup& group, std::size_t offset, std::uint32_t pairs) {
    GatherStrings<kBits>(group.strings[0], offset, pairs, 256 / kBits, texts);
    for (int z = 0; z < 8; ++z) patterns[z] = LoadBytes(texts + 32 * z);
    GatherStrings<kBits>(group.strings[1], offset, pairs, 256 / kBits, texts);
  }

  // Returns which rows of the pairs in bytes [32z, 32z + 32) equal character j of their texts.
  __m256i Equal(int z, std::uint32_t j) const {
    return _mm256_cmpeq_epi8(patterns[z], CharacterOfPairs<kBits>(texts, z, j));
  }
};

// Computes the pairs of one group.
template <int kBits, bool kWide>
void RunByteGroup(ByteGroup& group, const GroupShape& shape, std::uint32_t* distance) {
  using B = Batch<kBits>;
  using Lane = typename LaneOf<kBits>::Type;
  constexpr std::uint32_t kPairs = 256 / kBits;
  const std::uint32_t pairs = shape.pairs;
  const std::uint32_t longest = shape.longest;
  const std::uint32_t shortest = pairs < kPairs ? 0 : shape.shortest;
  for (std::uint32_t i = pairs; i < kPairs; ++i) group.text_size[i] = 0;
  alignas(32) std::uint32_t match[kBits][8];
  const GroupSymbols<kBits> low(group, 0, pairs);
  const GroupSymbols<kBits> high(group, kWide ? shape.high_offset : 0, kWide ? pairs : 0);
  const auto find_matches = [&](std::uint32_t j) {
#pragma GCC unroll 8
    for (int z = 0; z < 8; ++z) {
      __m256i equal = low.Equal(z, j);
      if constexpr (kWide) equal = _mm256_and_si256(equal, high.Equal(z, j));
      match[j][z] = static_cast<std::uint32_t>(_mm256_movemask_epi8(equal));
    }
  };
  for (std::uint32_t j = 0; j < kAhead && j < longest; ++j) find_matches(j);

  alignas(32) Lane text_size[kPairs];
  for (std::uint32_t i = 0; i < kPairs; ++i) text_size[i] = group.text_size[i];
  const B sizes = B::load_aligned(text_size);
  B vp(_mm256_set1_epi8(-1));
  B vn(_mm256_setzero_si256());
  for (std::uint32_t j = 0; j < longest; ++j) {
    if (j + kAhead < longest) find_matches(j + kAhead);
    const B equal(LoadBytes(match[j]));
    if (j < shortest) {
      LaneStep(equal, vp, vn);
    } else {
      B next_vp = vp;
      B next_vn = vn;
      LaneStep(equal, next_vp, next_vn);
      const auto running = sizes > B(static_cast<Lane>(j));
      vp = xsimd::select(running, next_vp, vp);
      vn = xsimd::select(running, next_vn, vn);
    }
  }

  alignas(32) Lane up[kPairs];
  alignas(32) Lane down[kPairs];
  vp.store_aligned(up);
  vn.store_aligned(down);
  for (std::uint32_t i = 0; i < pairs; ++i) {
    const std::uint64_t mask = _bzhi_u64(~std::uint64_t{0}, group.pattern_size[i]);
    distance[group.index[i]] = static_cast<std::uint32_t>(group.text_size[i] + _mm_popcnt_u64(up[i] & mask) -
                                                          _mm_popcnt_u64(down[i] & mask));
  }
}

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_BYTE_GROUPS_AVX2_H_
