// kernels/lanes_256.h: shared code of the kernels on 256 bits. These kernels have the same source on AVX2 and
// on NEON. They use the following names, which kernels/lanes_avx2.h or kernels/lanes_neon.h defines,
// depending on the instruction set that a file is compiled for. Internal linkage as in
// kernels/lanes_avx512.h.
//
//   Vector<Lane>  unsigned lanes, 256 bits in all, with the operators of xsimd::batch
//   Bytes, Words  lanes of 8 and of 64 bits
//   Block         128 bits
//
//   Load<B>(bytes)             a B from 32 bytes of any alignment
//   LoadHalves(low, high)      the first half of 32 bytes at `low`, the second half of 32 bytes at `high`
//   AndNot(a, b)               a without the bits of b
//   Select(mask, a, b)         a where a comparison held, else b
//   EqualBytes(a, b)           a byte of ones where two bytes are equal, else of zeros
//   Bits(low, high)            a bit for each of 64 bytes that are ones or zeros
//   StoreBits(bytes, to)       the same for 256 bytes, to 32 bytes
//   HighBits(low, high)        the highest bit of each of 64 bytes
//   StoreHighBits(bytes, to)   the same for 128 bytes, to 16 bytes
//   ShuffleHalves(a, places)   the bytes of each half of a at the places given for that half
//   AlternateLanes(a, b)       lanes 0 and 2 of a, 1 and 3 of b
//   JoinHalves(a, b)           lanes 0 and 1 of a, 2 and 3 of b
//   InterleaveLow(a, b)        lanes 0 of a and of b, 2 of a and of b
//   InterleaveHigh(a, b)       lanes 1 of a and of b, 3 of a and of b
//   LanesAbove(a)              every lane moved up by one; lane 0 keeps what it has
//   LanesAbove(a, before)      the same; lane 0 takes lane 3 of `before`
//   LastLane(a)                lane 3
//   IsZero(a)                  whether all bits are zero
//   LoadSymbols(from, missing, no_symbol)   16 bytes; the first `missing` become no_symbol
//   Interleave8, 16, 32(a, b, low, high)    elements of that many bits of a and b in turn, in two blocks
//   StoreTimes128(block, to)   each byte times 128, as 16 bits
//   TrailingZeroBits(bits), LeadingZeroBits(bits)   64 if all bits are zero
//   LowBits(count)             a word with its `count` lowest bits set
//   SetBits(bits)              how many bits are set
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

// Match words are computed this number of columns ahead of the steps.
constexpr std::uint32_t kAhead = 8;

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_LANES_256_H_
