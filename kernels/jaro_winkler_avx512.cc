// Jaro's matches on AVX-512.
#include <immintrin.h>

#include "kernels/jaro_bits.h"
#include "kernels/jaro_lanes.h"

namespace leafscore::internal {
namespace {

template <int kWords>
struct ComparedBytes {
  __m512i b[kWords];

  explicit ComparedBytes(const std::uint8_t* text) {
    for (int w = 0; w < kWords; ++w) b[w] = _mm512_loadu_si512(text + 64 * w);
  }
  std::uint64_t Word(std::uint8_t symbol, int w) const {
    return _mm512_cmpeq_epi8_mask(b[w], _mm512_set1_epi8(static_cast<char>(symbol)));
  }
  std::uint64_t HighBits() const { return _mm512_movepi8_mask(b[0]); }
  std::uint32_t CountOthers(const std::uint8_t* row, std::uint32_t size, const std::uint8_t* /*text*/,
                            const PlaceBits<kWords>& places) const {
    alignas(64) std::uint8_t packed[64 * kWords + 64];
    std::uint8_t* end = packed;
    for (int w = 0; w < kWords; ++w) {
      _mm512_storeu_si512(end, _mm512_maskz_compress_epi8(places.words[w], b[w]));
      end += _mm_popcnt_u64(places.words[w]);
    }
    std::uint32_t others = 0;
    for (int w = 0; w < kWords; ++w) {
      const __m512i other = _mm512_load_si512(packed + 64 * w);
      others += static_cast<std::uint32_t>(_mm_popcnt_u64(_mm512_mask_cmpneq_epi8_mask(
          PlaceBits<kWords>::Below(size).words[w], other, _mm512_loadu_si512(row + 64 * w))));
    }
    return others;
  }
};

struct ComparedHalf {
  __m256i b;

  explicit ComparedHalf(const std::uint8_t* text)
      : b(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(text))) {}
  std::uint64_t Word(std::uint8_t symbol, int /*w*/) const {
    return _mm256_cmpeq_epi8_mask(b, _mm256_set1_epi8(static_cast<char>(symbol)));
  }
  std::uint64_t HighBits() const { return _mm256_movepi8_mask(b); }
};

}  // namespace

JaroMatches JaroMatchesAvx512(const BytePair& pair, std::uint32_t window, std::uint32_t prefix,
                              std::uint64_t* /*places*/) noexcept {
  return pair.b_size <= 64 ? MatchBits<1>(pair, window, prefix, ComparedBytes<1>(pair.b))
                           : MatchBits<2>(pair, window, prefix, ComparedBytes<2>(pair.b));
}

std::uint32_t JaroWinklerOf8Avx512(const JaroGroup& group, double* similarity) noexcept {
  return JaroLanes<64, ComparedBytes<1>, ComparedHalf>::SimilaritiesOf8(group, similarity);
}

}  // namespace leafscore::internal
