// kernels/lanes_avx2.h: the lanes of kernels/lanes_256.h on AVX2, one register for 256 bits. Lane arithmetic
// is xsimd's; intrinsics do the rest.
#ifndef LEAFSCORE_KERNELS_LANES_AVX2_H_
#define LEAFSCORE_KERNELS_LANES_AVX2_H_

#include <immintrin.h>

#include <cstdint>
#include <xsimd/xsimd.hpp>

namespace leafscore::internal {
namespace {

template <typename Lane>
using Vector = xsimd::batch<Lane, xsimd::avx2>;
using Bytes = Vector<std::uint8_t>;
using Words = Vector<std::uint64_t>;
using Block = __m128i;

template <typename B>
inline B Load(const void* bytes) {
  return B(_mm256_loadu_si256(static_cast<const __m256i*>(bytes)));
}
template <typename B>
inline B AndNot(const B& a, const B& b) {
  return B(_mm256_andnot_si256(b, a));
}
template <typename Mask, typename B>
inline B Select(const Mask& mask, const B& a, const B& b) {
  return xsimd::select(mask, a, b);
}
inline Bytes EqualBytes(const Bytes& a, const Bytes& b) { return Bytes(_mm256_cmpeq_epi8(a, b)); }
inline Words LoadHalves(const void* low, const void* high) {
  return Words(_mm256_blend_epi32(Load<Words>(low), Load<Words>(high), 0xF0));
}
inline std::uint32_t HighBits(const Bytes& a) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(a)); }
inline std::uint64_t HighBits(const Bytes& low, const Bytes& high) {
  return HighBits(low) | std::uint64_t{HighBits(high)} << 32;
}
inline std::uint64_t Bits(const Bytes& low, const Bytes& high) { return HighBits(low, high); }
inline void StoreHighBits(const Bytes (&bytes)[4], void* to) {
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) static_cast<std::uint32_t*>(to)[i] = HighBits(bytes[i]);
}
inline void StoreBits(const Bytes (&bytes)[8], std::uint32_t (&to)[8]) {
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) to[i] = HighBits(bytes[i]);
}
inline Bytes ShuffleHalves(const Bytes& a, const Bytes& places) {
  return Bytes(_mm256_shuffle_epi8(a, places));
}
inline Words AlternateLanes(const Words& a, const Words& b) { return Words(_mm256_blend_epi32(a, b, 0xCC)); }
inline Words JoinHalves(const Words& a, const Words& b) { return Words(_mm256_blend_epi32(a, b, 0xF0)); }
inline Words InterleaveLow(const Words& a, const Words& b) { return Words(_mm256_unpacklo_epi64(a, b)); }
inline Words InterleaveHigh(const Words& a, const Words& b) { return Words(_mm256_unpackhi_epi64(a, b)); }
inline Words LanesAbove(const Words& a) { return Words(_mm256_permute4x64_epi64(a, 0x90)); }
inline Words LanesAbove(const Words& a, const Words& before) {
  return Words(_mm256_blend_epi32(LanesAbove(a), _mm256_permute4x64_epi64(before, 0x03), 0x03));
}
inline std::uint64_t LastLane(const Words& a) {
  return static_cast<std::uint64_t>(_mm256_extract_epi64(a, 3));
}
inline bool IsZero(const Words& a) { return _mm256_testz_si256(a, a) != 0; }

inline Block LoadSymbols(const std::uint8_t* from, int missing, std::uint8_t no_symbol) {
  const __m128i places = _mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m128i is_missing = _mm_cmpgt_epi8(_mm_set1_epi8(static_cast<char>(missing)), places);
  return _mm_blendv_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)),
                         _mm_set1_epi8(static_cast<char>(no_symbol)), is_missing);
}
inline void Interleave8(Block a, Block b, Block& low, Block& high) {
  low = _mm_unpacklo_epi8(a, b);
  high = _mm_unpackhi_epi8(a, b);
}
inline void Interleave16(Block a, Block b, Block& low, Block& high) {
  low = _mm_unpacklo_epi16(a, b);
  high = _mm_unpackhi_epi16(a, b);
}
inline void Interleave32(Block a, Block b, Block& low, Block& high) {
  low = _mm_unpacklo_epi32(a, b);
  high = _mm_unpackhi_epi32(a, b);
}
inline void StoreTimes128(Block bytes, std::uint16_t* to) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_slli_epi16(_mm256_cvtepu8_epi16(bytes), 7));
}

inline std::uint32_t TrailingZeroBits(std::uint64_t bits) {
  return static_cast<std::uint32_t>(_tzcnt_u64(bits));
}
inline std::uint32_t LeadingZeroBits(std::uint64_t bits) {
  return static_cast<std::uint32_t>(_lzcnt_u64(bits));
}
inline std::uint64_t LowBits(std::uint32_t count) { return _bzhi_u64(~std::uint64_t{0}, count); }
inline std::int64_t SetBits(std::uint64_t bits) { return _mm_popcnt_u64(bits); }

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_LANES_AVX2_H_
