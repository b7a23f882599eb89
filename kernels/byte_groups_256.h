// kernels/byte_groups_256.h: pairs of up to 8, 16, 32 or 64 characters, one pair a lane; the counterpart of
// kernels/byte_groups_avx512.h. Match words are computed by comparing bytes, some columns ahead, so that the
// steps need not wait for them.
#ifndef LEAFSCORE_KERNELS_BYTE_GROUPS_256_H_
#define LEAFSCORE_KERNELS_BYTE_GROUPS_256_H_

#include "kernels/lanes_256.h"
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

// If each half of a vector has two texts: for each byte, the position in its half where its text begins.
alignas(32) constexpr std::uint64_t kSecondOfTwo[4] = {0, 0x0808080808080808, 0, 0x0808080808080808};

// Returns character j of each text, in all bytes of its pair, for the pairs in bytes [32z, 32z + 32).
template <int kBits>
inline Bytes CharacterOfPairs(const std::uint8_t* texts, int z, std::uint32_t j) {
  if constexpr (kBits >= 32) {
    return Bytes(texts[32 * z / kBits * kBits + j]);
  } else {
    // Each half has one text of 16 characters, or two of 8.
    const Bytes first = kBits == 16 ? Bytes(std::uint8_t{0}) : Load<Bytes>(kSecondOfTwo);
    return ShuffleHalves(Load<Bytes>(texts + 32 * z), first + Bytes(static_cast<std::uint8_t>(j)));
  }
}

// The symbols of a group, one pair after another: all patterns, then all texts.
template <int kBits>
struct GroupSymbols {
  Bytes patterns[8];
  alignas(32) std::uint8_t texts[256];

  GroupSymbols(const ByteGroup& group, std::size_t offset, std::uint32_t pairs) {
    GatherStrings<kBits>(group.strings[0], offset, pairs, 256 / kBits, texts);
    for (int z = 0; z < 8; ++z) patterns[z] = Load<Bytes>(texts + 32 * z);
    GatherStrings<kBits>(group.strings[1], offset, pairs, 256 / kBits, texts);
  }

  // Returns which rows of the pairs in bytes [32z, 32z + 32) equal character j of their texts.
  Bytes Equal(int z, std::uint32_t j) const {
    return EqualBytes(patterns[z], CharacterOfPairs<kBits>(texts, z, j));
  }
};

// Computes the pairs of one group.
template <int kBits, bool kWide>
void RunByteGroup(ByteGroup& group, const GroupShape& shape, std::uint32_t* distance) {
  using B = Lanes<kBits>;
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
    Bytes equal[8];
#pragma GCC unroll 8
    for (int z = 0; z < 8; ++z) {
      equal[z] = low.Equal(z, j);
      if constexpr (kWide) equal[z] = equal[z] & high.Equal(z, j);
    }
    StoreBits(equal, match[j]);
  };
  for (std::uint32_t j = 0; j < kAhead && j < longest; ++j) find_matches(j);

  alignas(32) Lane text_size[kPairs];
  for (std::uint32_t i = 0; i < kPairs; ++i) text_size[i] = group.text_size[i];
  const B sizes = B::load_aligned(text_size);
  B vp(static_cast<Lane>(~Lane{0}));
  B vn(Lane{0});
  for (std::uint32_t j = 0; j < longest; ++j) {
    if (j + kAhead < longest) find_matches(j + kAhead);
    const B equal = Load<B>(match[j]);
    if (j < shortest) {
      LaneStep(equal, vp, vn);
    } else {
      B next_vp = vp;
      B next_vn = vn;
      LaneStep(equal, next_vp, next_vn);
      const auto running = sizes > B(static_cast<Lane>(j));
      vp = Select(running, next_vp, vp);
      vn = Select(running, next_vn, vn);
    }
  }

  alignas(32) Lane up[kPairs];
  alignas(32) Lane down[kPairs];
  vp.store_aligned(up);
  vn.store_aligned(down);
  for (std::uint32_t i = 0; i < pairs; ++i) {
    const std::uint64_t mask = LowBits(group.pattern_size[i]);
    distance[group.index[i]] =
        static_cast<std::uint32_t>(group.text_size[i] + SetBits(up[i] & mask) - SetBits(down[i] & mask));
  }
}

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_BYTE_GROUPS_256_H_
