// kernels/decode_avx2.h: decodes UTF-8 to code points up to U+FFFF, with separate low and high bytes. AVX2
// has no instruction that packs the code points of a block, so each step decodes up to 16 bytes of code
// points of the same size. In most texts, a run of such code points is the whole text or a word.
#ifndef LEAFSCORE_KERNELS_DECODE_AVX2_H_
#define LEAFSCORE_KERNELS_DECODE_AVX2_H_

#include <immintrin.h>

#include <cstdint>

namespace leafscore::internal {
namespace {

constexpr std::uint32_t kCannotDecode = ~0u;

// Writes the low and high bytes of the code points, and up to 16 meaningless bytes after them.
// REQUIRES: valid UTF-8.
// RETURNS: the number of code points. If one of them is beyond U+FFFF, kCannotDecode; the bytes are then
// meaningless.
inline std::uint32_t DecodeWide(const std::uint8_t* bytes, std::uint32_t size, std::uint8_t* low,
                                std::uint8_t* high) {
  const auto mask_of = [](__m128i set) { return static_cast<std::uint32_t>(_mm_movemask_epi8(set)); };
  const __m128i six_bits = _mm_set1_epi16(0x3F);
  const __m128i eight_bits = _mm_set1_epi16(0xFF);
  std::uint32_t count = 0;
  bool fits = true;
  for (std::uint32_t i = 0; i < size;) {
    // A full step of 16, 8 or 5 code points has its own branch. Its size is then a constant, and the next
    // step need not wait for it.
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i));
    const std::uint32_t not_ascii = mask_of(block);
    const std::uint32_t middle = mask_of(_mm_cmplt_epi8(block, _mm_set1_epi8(-64)));  // 10xxxxxx
    const auto at_least = [&](int lead) {
      const __m128i leads = _mm_set1_epi8(static_cast<char>(lead));
      return mask_of(_mm_cmpeq_epi8(_mm_max_epu8(block, leads), block));
    };
    const auto store_halves = [&](__m128i both) {
      _mm_storel_epi64(reinterpret_cast<__m128i*>(low + count), both);
      _mm_storeh_pd(reinterpret_cast<double*>(high + count), _mm_castsi128_pd(both));
    };
    const std::uint32_t lead = bytes[i];
    const std::uint32_t rest = size - i;
    std::uint32_t points, point_bytes, most;
    if (lead < 0x80) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(low + count), block);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(high + count), _mm_setzero_si128());
      if (not_ascii == 0 && rest >= 16) {
        count += 16;
        i += 16;
        continue;
      }
      points = _tzcnt_u32(not_ascii | 0x10000);
      point_bytes = 1;
      most = rest;
    } else if (lead < 0xE0) {
      // 110xxxyy 10zzzzzz, in lanes of 16 bits.
      const __m128i top = _mm_slli_epi16(_mm_and_si128(block, _mm_set1_epi16(0x1F)), 6);
      const __m128i point = _mm_or_si128(top, _mm_and_si128(_mm_srli_epi16(block, 8), six_bits));
      const __m128i both = _mm_packus_epi16(_mm_and_si128(point, eight_bits), _mm_srli_epi16(point, 8));
      store_halves(both);
      const std::uint32_t others = (middle ^ 0xAAAA) | (~not_ascii & 0x5555) | at_least(0xE0);
      if (others == 0 && rest >= 16) {
        count += 8;
        i += 16;
        continue;
      }
      points = _tzcnt_u32(others | 0x10000) / 2;
      point_bytes = 2;
      most = rest / 2;
    } else if (lead < 0xF0) {
      // 1110wwww 10xxxxyy 10zzzzzz, five of them.
      const auto byte_of_each = [&](char k) {
        const __m128i places = _mm_set_epi8(-1, -1, -1, -1, -1, -1, -1, 12, -1, 9, -1, 6, -1, 3, -1, 0);
        return _mm_shuffle_epi8(block, _mm_add_epi8(places, _mm_set1_epi16(k)));
      };
      const __m128i second = byte_of_each(1);
      const __m128i low_bytes = _mm_and_si128(
          _mm_or_si128(_mm_slli_epi16(second, 6), _mm_and_si128(byte_of_each(2), six_bits)), eight_bits);
      const __m128i high_bytes =
          _mm_and_si128(_mm_or_si128(_mm_slli_epi16(byte_of_each(0), 4),
                                     _mm_srli_epi16(_mm_and_si128(second, six_bits), 2)),
                        eight_bits);
      const __m128i both = _mm_packus_epi16(low_bytes, high_bytes);
      store_halves(both);
      const std::uint32_t others = ((middle ^ 0x6DB6) | at_least(0xF0)) & 0x7FFF;
      if (others == 0 && rest >= 15) {
        count += 5;
        i += 15;
        continue;
      }
      points = _tzcnt_u32(others | 0x8000) / 3;
      point_bytes = 3;
      most = rest / 3;
    } else {
      fits = false;
      points = 1;
      point_bytes = 4;
      most = 1;
    }
    points = points < most ? points : most;
    count += points;
    i += points * point_bytes;
  }
  return fits ? count : kCannotDecode;
}

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_DECODE_AVX2_H_
