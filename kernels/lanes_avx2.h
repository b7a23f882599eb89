// kernels/lanes_avx2.h: what the AVX2 kernels share: lanes of four widths and match words by comparison. Lane
// arithmetic is xsimd's; intrinsics do what it cannot. Internal linkage as in kernels/lanes_avx512.h.
#ifndef LEAFSCORE_KERNELS_LANES_AVX2_H_
#define LEAFSCORE_KERNELS_LANES_AVX2_H_

#include <immintrin.h>

#include <cstdint>
#include <xsimd/xsimd.hpp>

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

// Unsigned lanes of kBits bits, 256 bits in all.
template <int kBits>
using Batch = xsimd::batch<typename LaneOf<kBits>::Type, xsimd::avx2>;

using Words = Batch<64>;

// How many columns match words are found ahead of the steps that use them.
constexpr std::uint32_t kAhead = 8;

inline __m256i LoadBytes(const void* bytes) { return _mm256_loadu_si256(static_cast<const __m256i*>(bytes)); }

// Returns a bit for each of 32 bytes that equals its counterpart.
inline std::uint32_t EqualBytes(__m256i a, __m256i b) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, b)));
}

// Clears the lanes of a that are set in b.
template <typename B>
inline B AndNot(const B& a, const B& b) {
  return B(_mm256_andnot_si256(b, a));
}

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_LANES_AVX2_H_
