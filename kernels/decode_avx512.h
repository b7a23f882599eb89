// kernels/decode_avx512.h: decodes UTF-8 to code points up to U+FFFF, 64 bytes at a time, with separate low
// and high bytes.
#ifndef LEAFSCORE_KERNELS_DECODE_AVX512_H_
#define LEAFSCORE_KERNELS_DECODE_AVX512_H_

#include <immintrin.h>

#include <cstdint>

namespace leafscore::internal {
namespace {

constexpr std::uint32_t kCannotDecode = ~0u;

// Multiplies each byte by an 8 x 8 bit matrix. Byte 7 - i of the matrix selects the bits whose XOR is bit i.
inline __m512i ThroughMatrix(__m512i bytes, std::uint64_t matrix) {
  return _mm512_gf2p8affine_epi64_epi8(bytes, _mm512_set1_epi64(static_cast<long long>(matrix)), 0);
}

// A block of 21 code points of three bytes each, and one more lead byte: bit i says whether byte i is a lead
// byte.
constexpr std::uint64_t kThreeByteLeads = 0x9249249249249249;

// Writes 21 code points of three bytes: 1110wwww 10xxxxyy 10zzzzzz gives wwwwxxxx and yyzzzzzz.
inline void StoreThreeBytes(__m512i bytes, std::uint8_t* low, std::uint8_t* high) {
  alignas(64) std::uint8_t places[64];
  for (int i = 0; i < 64; ++i) places[i] = static_cast<std::uint8_t>(3 * i % 63);
  const __m512i first_places = _mm512_load_si512(places);
  const __m512i one = _mm512_set1_epi8(1);
  const __m512i first = _mm512_permutexvar_epi8(first_places, bytes);
  const __m512i second = _mm512_permutexvar_epi8(_mm512_add_epi8(first_places, one), bytes);
  const __m512i third =
      _mm512_permutexvar_epi8(_mm512_add_epi8(first_places, _mm512_add_epi8(one, one)), bytes);
  const __m512i low_bytes = _mm512_ternarylogic_epi64(ThroughMatrix(second, 0x0000000000000102), third,
                                                      _mm512_set1_epi8(0x3F), 0xF8);  // a | (b & c)
  const __m512i high_bytes =
      _mm512_or_si512(ThroughMatrix(first, 0x0000000001020408), ThroughMatrix(second, 0x0408102000000000));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(low), _mm512_castsi512_si256(low_bytes));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(high), _mm512_castsi512_si256(high_bytes));
}

// Writes the low and high bytes of the code points, and up to 64 meaningless bytes after them.
// REQUIRES: valid UTF-8.
// RETURNS: the number of code points. If one of them is beyond U+FFFF, kCannotDecode; the bytes are then
// meaningless.
inline std::uint32_t DecodeWide(const std::uint8_t* bytes, std::uint32_t size, std::uint8_t* low,
                                std::uint8_t* high) {
  const __m512i six_bits = _mm512_set1_epi8(0x3F);
  std::uint32_t count = 0;
  __mmask64 four = 0;
  std::uint32_t step = 64;
  for (std::uint32_t i = 0; i < size; i += step) {
    const std::uint32_t rest = size - i;
    const __mmask64 inside = _bzhi_u64(~std::uint64_t{0}, rest < 64 ? rest : 64);
    const __m512i first = _mm512_loadu_si512(bytes + i);
    const __mmask64 leads =
        inside & _mm512_cmpgt_epi8_mask(first, _mm512_set1_epi8(-65));  // all but 10xxxxxx
    if (leads == kThreeByteLeads) {
      StoreThreeBytes(first, low + count, high + count);
      count += 21;
      step = 63;
      continue;
    }
    step = 64;
    const __m512i second = _mm512_loadu_si512(bytes + i + 1);
    const __mmask64 has_third = rest > 2 ? ~__mmask64{0} : 0;  // so that the load stays in the padding
    const __m512i third = _mm512_maskz_loadu_epi8(has_third, bytes + i + 2);
    const __mmask64 several = _mm512_movepi8_mask(first);
    const __mmask64 three = _mm512_cmpge_epu8_mask(first, _mm512_set1_epi8(static_cast<char>(0xE0)));
    four |= _mm512_mask_cmpge_epu8_mask(inside, first, _mm512_set1_epi8(static_cast<char>(0xF0)));

    // The last two bytes of each code point: aaaaaabb 10cccccc gives bbcccccc.
    const __m512i before_last = _mm512_mask_mov_epi8(first, three, second);
    const __m512i last = _mm512_mask_mov_epi8(second, three, third);
    const __m512i top_bits = ThroughMatrix(before_last, 0x0000000000000102);  // shifted left by 6
    const __m512i tail =
        _mm512_ternarylogic_epi64(top_bits, last, six_bits, 0xF8);  // top_bits | (last & six_bits)
    // 110xxxyy gives 00000xxx; 1110wwww 10xxxxyy gives wwwwxxxx.
    const __m512i high_of_two = ThroughMatrix(first, 0x0408100000000000);
    const __m512i high_of_three =
        _mm512_or_si512(ThroughMatrix(first, 0x0000000001020408), ThroughMatrix(second, 0x0408102000000000));

    const __m512i low_bytes = _mm512_mask_mov_epi8(first, several, tail);
    const __m512i high_bytes =
        _mm512_maskz_mov_epi8(several, _mm512_mask_mov_epi8(high_of_two, three, high_of_three));
    _mm512_storeu_si512(low + count, _mm512_maskz_compress_epi8(leads, low_bytes));
    _mm512_storeu_si512(high + count, _mm512_maskz_compress_epi8(leads, high_bytes));
    count += static_cast<std::uint32_t>(_mm_popcnt_u64(leads));
  }
  return four == 0 ? count : kCannotDecode;
}

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_DECODE_AVX512_H_
