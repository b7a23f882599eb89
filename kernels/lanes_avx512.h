// kernels/lanes_avx512.h: shared code of the AVX-512 kernels: transposition, bit planes, lanes of four
// widths.
//
// Only *_avx512.cc files include this. All *_avx512.h headers use an unnamed namespace, which headers
// otherwise avoid: code compiled for AVX-512 must never be merged with another object's copy.
#ifndef LEAFSCORE_KERNELS_LANES_AVX512_H_
#define LEAFSCORE_KERNELS_LANES_AVX512_H_

#include <immintrin.h>

#include <cstdint>

namespace leafscore::internal {
namespace {

// An 8 x 8 transposition within a register: byte 8c + q from byte 8q + c.
inline __m512i TransposeBytes(__m512i a) {
  const __m512i bytes =
      _mm512_set_epi64(0x3F372F271F170F07, 0x3E362E261E160E06, 0x3D352D251D150D05, 0x3C342C241C140C04,
                       0x3B332B231B130B03, 0x3A322A221A120A02, 0x3931292119110901, 0x3830282018100800);
  return _mm512_permutexvar_epi8(bytes, a);
}

// An 8 x 8 transposition of quadwords between registers, in steps of 1, 2 and 4.
inline void TransposeRegisters(__m512i block[8]) {
  for (int z = 0; z < 8; z += 2) {
    const __m512i low = _mm512_unpacklo_epi64(block[z], block[z + 1]);
    block[z + 1] = _mm512_unpackhi_epi64(block[z], block[z + 1]);
    block[z] = low;
  }
  const __m512i even = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0);
  const __m512i odd = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
  for (int z = 0; z < 8; ++z) {
    if (z & 2) continue;
    const __m512i low = _mm512_permutex2var_epi64(block[z], even, block[z + 2]);
    block[z + 2] = _mm512_permutex2var_epi64(block[z], odd, block[z + 2]);
    block[z] = low;
  }
  for (int z = 0; z < 4; ++z) {
    const __m512i low = _mm512_shuffle_i64x2(block[z], block[z + 4], 0x44);
    block[z + 4] = _mm512_shuffle_i64x2(block[z], block[z + 4], 0xEE);
    block[z] = low;
  }
}

// Transposes 64 quadwords, block[z] with quadwords 8z to 8z + 7, to 8 rows of 64 bytes: afterwards byte q of
// block[c] is byte c of quadword q.
[[gnu::always_inline]] inline void TransposeQuadwords(__m512i block[8]) {
  for (int z = 0; z < 8; ++z) block[z] = TransposeBytes(block[z]);
  TransposeRegisters(block);
}

// Converts 512 characters, block[z] with characters 64z to 64z + 63, to bit planes: afterwards bit i of
// block[b], counted over the whole register, is bit b of character i.
[[gnu::always_inline]] inline void CharactersToPlanes(__m512i block[8]) {
  const __m512i unit = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201));
  const __m512i reversed = _mm512_broadcast_i32x4(_mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607));
  for (int z = 0; z < 8; ++z) {
    // An 8 x 8 bit transposition of each quadword: the characters are the matrix, and the result is its
    // columns.
    block[z] = _mm512_gf2p8affine_epi64_epi8(unit, _mm512_shuffle_epi8(block[z], reversed), 0);
  }
  TransposeQuadwords(block);
}

// Finds the bits that differ among the high bytes of wide symbols. Within one script, few bits differ, and
// the other bits need not be compared.
class DifferentBits {
 public:
  // Compares the bytes with `reference`.
  explicit DifferentBits(std::uint8_t reference)
      : reference_(_mm512_set1_epi8(static_cast<char>(reference))) {}

  void Add(const __m512i block[8]) {
    for (int z = 0; z < 8; ++z) {
      different_ = _mm512_ternarylogic_epi64(different_, reference_, block[z], 0xF6);  // a | (b ^ c)
    }
  }

  std::uint32_t Bits() const {
    std::uint64_t bits = static_cast<std::uint64_t>(_mm512_reduce_or_epi64(different_));
    bits |= bits >> 32;
    bits |= bits >> 16;
    return static_cast<std::uint32_t>(bits | bits >> 8) & 0xFF;
  }

 private:
  __m512i reference_;
  __m512i different_ = _mm512_setzero_si512();
};

// How the symbols of some pairs are compared: as bytes below 128 in seven bit planes; as wide symbols in
// eight planes of the low byte, and either one or all planes of the high byte.
enum class Planes { kBytes, kWideOneHigh, kWideAllHigh };

// The bit planes of 512 pattern rows.
struct PatternPlanes {
  __m512i low[8];
  __m512i high[8];
  std::uint32_t one_high;  // kWideOneHigh: the plane of the high byte to compare
};

// The characters of the texts in a group, eight columns to a row of TransposeQuadwords.
struct TextRows {
  __m512i low[8];
  __m512i high[8];
};

// Returns `equal` without the rows whose plane of bit b differs from that bit of the lane's character. Each
// lane of `characters` has its character in every byte.
inline __m512i MatchPlane(__m512i equal, __m512i plane, __m512i characters, std::uint32_t b) {
  const std::uint64_t matrix = std::uint64_t{0x0101010101010101} << b;  // bit b, over the whole byte
  const __m512i bit =
      _mm512_gf2p8affine_epi64_epi8(characters, _mm512_set1_epi64(static_cast<long long>(matrix)), 0);
  return _mm512_ternarylogic_epi64(equal, plane, bit, 0x90);  // equal & ~(plane ^ bit)
}

// Returns the match words of column j: bit i of a lane says whether row i of its pattern equals the character
// of its text in that column. `chunk` selects the byte of each lane that has the character.
template <Planes kPlanes>
inline __m512i MatchWords(const PatternPlanes& planes, const TextRows& rows, __m512i chunk, std::uint32_t j) {
  __m512i equal = _mm512_set1_epi8(-1);
  const __m512i low = _mm512_permutexvar_epi8(chunk, rows.low[j % 8]);
#pragma GCC unroll 8
  for (std::uint32_t b = 0; b < (kPlanes == Planes::kBytes ? 7 : 8); ++b) {
    equal = MatchPlane(equal, planes.low[b], low, b);
  }
  if constexpr (kPlanes == Planes::kBytes) return equal;
  const __m512i high = _mm512_permutexvar_epi8(chunk, rows.high[j % 8]);
  if constexpr (kPlanes == Planes::kWideOneHigh) {
    return MatchPlane(equal, planes.high[planes.one_high], high, planes.one_high);
  }
#pragma GCC unroll 8
  for (std::uint32_t b = 0; b < 8; ++b) equal = MatchPlane(equal, planes.high[b], high, b);
  return equal;
}

// Lanes of kBits bits.
template <int kBits>
struct Lanes;

template <>
struct Lanes<8> {
  static __m512i Add(__m512i a, __m512i b) { return _mm512_add_epi8(a, b); }
  static __m512i Sub(__m512i a, __m512i b) { return _mm512_sub_epi8(a, b); }
  static __m512i CountBits(__m512i a) { return _mm512_popcnt_epi8(a); }
  static __m512i Widen(const std::uint8_t* bytes) { return _mm512_loadu_si512(bytes); }
  static __m512i Set1(std::uint32_t value) { return _mm512_set1_epi8(static_cast<char>(value)); }
  static __mmask64 Greater(__m512i a, __m512i b) { return _mm512_cmpgt_epu8_mask(a, b); }
  static __m512i Blend(__m512i a, __mmask64 take_b, __m512i b) { return _mm512_mask_mov_epi8(a, take_b, b); }
  static __m512i LowBits(__m512i counts) {
    const __m512i masks = _mm512_broadcast_i32x4(_mm_set_epi64x(0xFF, 0x7F3F1F0F07030100));
    return _mm512_shuffle_epi8(masks, counts);
  }
  static void StoreBytes(std::uint8_t* bytes, __m512i a) { _mm512_storeu_si512(bytes, a); }
};

template <>
struct Lanes<16> {
  static __m512i Add(__m512i a, __m512i b) { return _mm512_add_epi16(a, b); }
  static __m512i Sub(__m512i a, __m512i b) { return _mm512_sub_epi16(a, b); }
  static __m512i CountBits(__m512i a) { return _mm512_popcnt_epi16(a); }
  static __m512i Widen(const std::uint8_t* bytes) {
    return _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes)));
  }
  static __m512i Set1(std::uint32_t value) { return _mm512_set1_epi16(static_cast<short>(value)); }
  static __mmask32 Greater(__m512i a, __m512i b) { return _mm512_cmpgt_epu16_mask(a, b); }
  static __m512i Blend(__m512i a, __mmask32 take_b, __m512i b) { return _mm512_mask_mov_epi16(a, take_b, b); }
  static __m512i LowBits(__m512i counts) {
    return _mm512_srlv_epi16(_mm512_set1_epi8(-1), _mm512_sub_epi16(_mm512_set1_epi16(16), counts));
  }
  static void StoreBytes(std::uint8_t* bytes, __m512i a) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(bytes), _mm512_cvtepi16_epi8(a));
  }
};

template <>
struct Lanes<32> {
  static __m512i Add(__m512i a, __m512i b) { return _mm512_add_epi32(a, b); }
  static __m512i Sub(__m512i a, __m512i b) { return _mm512_sub_epi32(a, b); }
  static __m512i CountBits(__m512i a) { return _mm512_popcnt_epi32(a); }
  static __m512i Widen(const std::uint8_t* bytes) {
    return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
  }
  static __m512i Set1(std::uint32_t value) { return _mm512_set1_epi32(static_cast<int>(value)); }
  static __mmask16 Greater(__m512i a, __m512i b) { return _mm512_cmpgt_epu32_mask(a, b); }
  static __m512i Blend(__m512i a, __mmask16 take_b, __m512i b) { return _mm512_mask_mov_epi32(a, take_b, b); }
  static __m512i LowBits(__m512i counts) {
    return _mm512_srlv_epi32(_mm512_set1_epi8(-1), _mm512_sub_epi32(_mm512_set1_epi32(32), counts));
  }
  static void StoreBytes(std::uint8_t* bytes, __m512i a) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes), _mm512_cvtepi32_epi8(a));
  }
};

template <>
struct Lanes<64> {
  static __m512i Add(__m512i a, __m512i b) { return _mm512_add_epi64(a, b); }
  static __m512i Sub(__m512i a, __m512i b) { return _mm512_sub_epi64(a, b); }
  static __m512i CountBits(__m512i a) { return _mm512_popcnt_epi64(a); }
  static __m512i Widen(const std::uint8_t* bytes) {
    return _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes)));
  }
  static __m512i Set1(std::uint32_t value) { return _mm512_set1_epi64(value); }
  static __mmask8 Greater(__m512i a, __m512i b) { return _mm512_cmpgt_epu64_mask(a, b); }
  static __m512i Blend(__m512i a, __mmask8 take_b, __m512i b) { return _mm512_mask_mov_epi64(a, take_b, b); }
  static __m512i LowBits(__m512i counts) {
    return _mm512_srlv_epi64(_mm512_set1_epi8(-1), _mm512_sub_epi64(_mm512_set1_epi64(64), counts));
  }
  static void StoreBytes(std::uint8_t* bytes, __m512i a) {
    _mm_storel_epi64(reinterpret_cast<__m128i*>(bytes), _mm512_cvtepi64_epi8(a));
  }
};

// Returns, for each byte of a register, the index of byte h of its lane. In row r of a TransposeQuadwords
// result, that byte is character 8h + r of the lane's text.
template <int kBits>
inline __m512i ChunkIndex(int h) {
  constexpr int kBytes = kBits / 8;
  alignas(64) std::uint8_t index[64];
  for (int i = 0; i < 64; ++i) index[i] = static_cast<std::uint8_t>(i / kBytes * kBytes + h);
  return _mm512_load_si512(index);
}

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_LANES_AVX512_H_
