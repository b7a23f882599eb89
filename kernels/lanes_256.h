// kernels/lanes_256.h: what the kernels on 256 bits share, whose one source serves AVX2 and NEON. It is
// written against these names, which kernels/lanes_avx2.h or kernels/lanes_neon.h gives, by the instruction
// set that a file is compiled for. Internal linkage as in kernels/lanes_avx512.h.
//
//   Vector<Lane>           unsigned lanes, 256 bits in all, with the operators of xsimd::batch
//   Bytes, Words           lanes of 8 and of 64 bits
//   Block                  128 bits
//   Load<B>(bytes)         a B from 32 bytes of any alignment
//   AndNot(a, b)           a without the bits of b
//   Select(mask, a, b)     a where a comparison held, else b
//   EqualBytes(a, b)       a byte of ones for each two that are equal, else of zeros
//   Bits(low, high)        a bit for each of 64 bytes that are all ones or all zeros
//   StoreBits(bytes, to)   the same of 128 bytes, to 16 bytes
//   HighBits(low, high)    the highest bit of each of 64 bytes
//   StoreHighBits(bytes, to)  the same of 128 bytes, to 16 bytes
//   ShuffleHalves(a, i)    the bytes of each half of `a` at the places in that half of `i`
//   AlternateLanes(a, b)   lanes 0 and 2 of a, 1 and 3 of b
//   JoinHalves(a, b)       lanes 0 and 1 of a, 2 and 3 of b
//   LoadHalves(a, b)       the same, from memory; the other 16 bytes of each must be readable
//   InterleaveLow(a, b), InterleaveHigh(a, b)  the first or the second lane of a half of a, of b, of the
//   other half ... LanesAbove(a)          every lane moved up by one; lane 0 keeps what it has LanesAbove(a,
//   before)  the same; lane 0 takes the last lane of `before` LastLane(a)            lane 3 IsZero(a) whether
//   all bits are zero TrailingZeroBits(bits), LeadingZeroBits(bits)  64 if all bits are zero LowBits(count)
//   the lowest bits set, at most 64 SetBits(bits)          how many bits are set
#ifndef LEAFSCORE_KERNELS_LANES_256_H_
#define LEAFSCORE_KERNELS_LANES_256_H_

#include <cstdint>

#ifdef __AVX2__
#include "kernels/lanes_avx2.h"
#else
#include "kernels/lanes_neon.h"
#endif

namespace leafscore::internal {
namespace {

template <int kBits>
struct LaneOf;
template <>
struct LaneOf<8> {
  using Type = std::uint8_t;
};
template <>
struct LaneOf<16> {
  using Type = std::uint16_t;
};
template <>
struct LaneOf<32> {
  using Type = std::uint32_t;
};
template <>
struct LaneOf<64> {
  using Type = std::uint64_t;
};

template <int kBits>
using Lanes = Vector<typename LaneOf<kBits>::Type>;

// How many columns match words are found ahead of the steps that use them.
constexpr std::uint32_t kAhead = 8;

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_LANES_256_H_
