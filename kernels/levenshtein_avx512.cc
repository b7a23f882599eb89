// The batch on AVX-512 (Ice Lake's and Zen 4's extensions).
#include <immintrin.h>

#include "kernels/byte_groups_avx512.h"
#include "kernels/simd_batch.h"
#include "kernels/strips_avx512.h"
#include "kernels/word_groups_avx512.h"

namespace leafscore {
namespace {

struct Avx512 {
  static constexpr std::uint32_t kVectorBytes = 64;
  static constexpr std::uint32_t kMaxGroupWords = 8;

  static std::uint32_t TrailingZeros(std::uint64_t bits) {
    return static_cast<std::uint32_t>(_tzcnt_u64(bits));
  }
  static std::uint32_t LeadingZeros(std::uint64_t bits) {
    return static_cast<std::uint32_t>(_lzcnt_u64(bits));
  }
  static std::uint64_t LowBits(std::uint32_t count) { return _bzhi_u64(~std::uint64_t{0}, count); }
  static std::uint64_t DifferentBytes(const std::uint8_t* a, const std::uint8_t* b) {
    return _mm512_cmpneq_epi8_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
  }
  static std::uint64_t NonAsciiBytes(const std::uint8_t* a, const std::uint8_t* b) {
    return _mm512_movepi8_mask(_mm512_or_si512(_mm512_loadu_si512(a), _mm512_loadu_si512(b)));
  }

  template <int kBits>
  static void RunBytes(ByteGroup& group, std::uint32_t shortest, std::uint32_t longest,
                       std::uint32_t* distance) {
    RunByteGroup<kBits>(group, shortest, longest, distance);
  }
  template <int kWords>
  static void RunWords(const WordPair* pairs, std::uint32_t count, std::uint32_t* distance) {
    RunWordGroup<kWords>(pairs, count, distance);
  }
  static std::uint32_t Strips(const WordPair& pair, const StripSpace& space) {
    return StripDistance(pair, space);
  }
};

}  // namespace

void LevenshteinAvx512(const ColumnPair& columns, std::uint32_t* distance, Workspace& work) noexcept {
  SimdBatch<Avx512>(columns, distance, work).Run();
}

}  // namespace leafscore
