// kernels/lanes_neon.h: the lanes of kernels/lanes_256.h on NEON, with two registers for 256 bits. NEON has
// 32 registers, and AVX2 has 16. Lane arithmetic is the compiler's, not xsimd's: in version 8 of xsimd, each
// operation on NEON goes through a table of functions, so that compilers take code with such operations for
// too large to inline.
#ifndef LEAFSCORE_KERNELS_LANES_NEON_H_
#define LEAFSCORE_KERNELS_LANES_NEON_H_

#include <arm_neon.h>

#include <cstdint>

namespace leafscore::internal {
namespace {

template <typename Lane>
struct RegisterOf;
template <>
struct RegisterOf<std::uint8_t> {
  using Type = uint8x16_t;
};
template <>
struct RegisterOf<std::uint16_t> {
  using Type = uint16x8_t;
};
template <>
struct RegisterOf<std::uint32_t> {
  using Type = uint32x4_t;
};
template <>
struct RegisterOf<std::uint64_t> {
  using Type = uint64x2_t;
};

template <typename Lane>
struct Vector {
  using Register = typename RegisterOf<Lane>::Type;
  Register low, high;

  Vector() = default;
  explicit Vector(Lane lane) : low(Register{} + lane), high(low) {}
  Vector(Register a, Register b) : low(a), high(b) {}

  static Vector load_aligned(const Lane* from) {
    Vector result;
    __builtin_memcpy(&result, from, sizeof result);
    return result;
  }
  void store_unaligned(Lane* to) const { __builtin_memcpy(to, this, sizeof *this); }
  void store_aligned(Lane* to) const { store_unaligned(to); }

  friend Vector operator&(const Vector& a, const Vector& b) { return {a.low & b.low, a.high & b.high}; }
  friend Vector operator|(const Vector& a, const Vector& b) { return {a.low | b.low, a.high | b.high}; }
  friend Vector operator^(const Vector& a, const Vector& b) { return {a.low ^ b.low, a.high ^ b.high}; }
  friend Vector operator+(const Vector& a, const Vector& b) { return {a.low + b.low, a.high + b.high}; }
  friend Vector operator-(const Vector& a, const Vector& b) { return {a.low - b.low, a.high - b.high}; }
  friend Vector operator>>(const Vector& a, int bits) { return {a.low >> bits, a.high >> bits}; }
  // Lanes of ones where the comparison holds.
  friend Vector operator>(const Vector& a, const Vector& b) {
    return {Register(a.low > b.low), Register(a.high > b.high)};
  }
};

using Bytes = Vector<std::uint8_t>;
using Words = Vector<std::uint64_t>;
using Block = uint8x16_t;

template <typename B>
inline B Load(const void* bytes) {
  B result;
  __builtin_memcpy(&result, bytes, sizeof result);
  return result;
}
inline Words LoadHalves(const void* low, const void* high) {
  return {vreinterpretq_u64_u8(vld1q_u8(static_cast<const std::uint8_t*>(low))),
          vreinterpretq_u64_u8(vld1q_u8(static_cast<const std::uint8_t*>(high) + 16))};
}
template <typename B>
inline B AndNot(const B& a, const B& b) {
  return {a.low & ~b.low, a.high & ~b.high};
}
template <typename B>
inline B Select(const B& mask, const B& a, const B& b) {
  return {(mask.low & a.low) | (~mask.low & b.low), (mask.high & a.high) | (~mask.high & b.high)};
}
inline Bytes EqualBytes(const Bytes& a, const Bytes& b) {
  return {vceqq_u8(a.low, b.low), vceqq_u8(a.high, b.high)};
}

// Turns bytes of ones or zeros into bits, in part. Each byte keeps one bit, which depends on its position
// among eight bytes. Three sums of neighbours combine these bits. SumFours makes the first two sums for 64
// bytes: each byte of the result is the sum of four bytes.
inline uint8x16_t SumFours(const Bytes& low, const Bytes& high) {
  const uint8x16_t places = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
  return vpaddq_u8(vpaddq_u8(low.low & places, low.high & places),
                   vpaddq_u8(high.low & places, high.high & places));
}
inline std::uint64_t Bits(const Bytes& low, const Bytes& high) {
  const uint8x16_t fours = SumFours(low, high);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(fours, fours)), 0);
}
inline uint8x16_t Bits(const Bytes& a, const Bytes& b, const Bytes& c, const Bytes& d) {
  return vpaddq_u8(SumFours(a, b), SumFours(c, d));
}
inline void StoreBits(const Bytes (&bytes)[8], std::uint32_t (&to)[8]) {
  vst1q_u32(to, vreinterpretq_u32_u8(Bits(bytes[0], bytes[1], bytes[2], bytes[3])));
  vst1q_u32(to + 4, vreinterpretq_u32_u8(Bits(bytes[4], bytes[5], bytes[6], bytes[7])));
}
inline Bytes AreNegative(const Bytes& a) {
  return {vcltzq_s8(vreinterpretq_s8_u8(a.low)), vcltzq_s8(vreinterpretq_s8_u8(a.high))};
}
inline std::uint64_t HighBits(const Bytes& low, const Bytes& high) {
  return Bits(AreNegative(low), AreNegative(high));
}
inline void StoreHighBits(const Bytes (&bytes)[4], std::uint64_t* to) {
  vst1q_u64(to, vreinterpretq_u64_u8(Bits(AreNegative(bytes[0]), AreNegative(bytes[1]), AreNegative(bytes[2]),
                                          AreNegative(bytes[3]))));
}
inline Bytes ShuffleHalves(const Bytes& a, const Bytes& places) {
  return {vqtbl1q_u8(a.low, places.low), vqtbl1q_u8(a.high, places.high)};
}
inline Words AlternateLanes(const Words& a, const Words& b) {
  return {vcopyq_laneq_u64(a.low, 1, b.low, 1), vcopyq_laneq_u64(a.high, 1, b.high, 1)};
}
inline Words JoinHalves(const Words& a, const Words& b) { return {a.low, b.high}; }
inline Words InterleaveLow(const Words& a, const Words& b) {
  return {vzip1q_u64(a.low, b.low), vzip1q_u64(a.high, b.high)};
}
inline Words InterleaveHigh(const Words& a, const Words& b) {
  return {vzip2q_u64(a.low, b.low), vzip2q_u64(a.high, b.high)};
}
inline Words LanesAbove(const Words& a) { return {vdupq_laneq_u64(a.low, 0), vextq_u64(a.low, a.high, 1)}; }
inline Words LanesAbove(const Words& a, const Words& before) {
  return {vextq_u64(before.high, a.low, 1), vextq_u64(a.low, a.high, 1)};
}
inline std::uint64_t LastLane(const Words& a) { return vgetq_lane_u64(a.high, 1); }
inline bool IsZero(const Words& a) { return vmaxvq_u32(vreinterpretq_u32_u64(a.low | a.high)) == 0; }

inline Block LoadSymbols(const std::uint8_t* from, int missing, std::uint8_t no_symbol) {
  const uint8x16_t places = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const uint8x16_t is_missing = vcgtq_u8(vdupq_n_u8(static_cast<std::uint8_t>(missing)), places);
  return vbslq_u8(is_missing, vdupq_n_u8(no_symbol), vld1q_u8(from));
}
inline void Interleave8(Block a, Block b, Block& low, Block& high) {
  low = vzip1q_u8(a, b);
  high = vzip2q_u8(a, b);
}
inline void Interleave16(Block a, Block b, Block& low, Block& high) {
  low = vreinterpretq_u8_u16(vzip1q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
  high = vreinterpretq_u8_u16(vzip2q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
}
inline void Interleave32(Block a, Block b, Block& low, Block& high) {
  low = vreinterpretq_u8_u32(vzip1q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
  high = vreinterpretq_u8_u32(vzip2q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
}
inline void StoreTimes128(Block bytes, std::uint16_t* to) {
  vst1q_u16(to, vshll_n_u8(vget_low_u8(bytes), 7));
  vst1q_u16(to + 8, vshll_high_n_u8(bytes, 7));
}

inline std::uint32_t TrailingZeroBits(std::uint64_t bits) {
  return bits == 0 ? 64 : static_cast<std::uint32_t>(__builtin_ctzll(bits));
}
inline std::uint32_t LeadingZeroBits(std::uint64_t bits) {
  return bits == 0 ? 64 : static_cast<std::uint32_t>(__builtin_clzll(bits));
}
inline std::uint64_t LowBits(std::uint32_t count) {
  return count == 0 ? 0 : ~std::uint64_t{0} >> (64 - count);
}
inline std::int64_t SetBits(std::uint64_t bits) { return __builtin_popcountll(bits); }

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_LANES_NEON_H_
