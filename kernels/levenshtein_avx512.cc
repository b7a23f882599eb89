// The batch kernels on AVX-512 (with the extensions of Ice Lake and Zen 4).
#include <immintrin.h>

#include "kernels/byte_groups_avx512.h"
#include "kernels/decode_avx512.h"
#include "kernels/matrix_lanes.h"
#include "kernels/pair_lanes_avx512.h"
#include "kernels/simd_batch.h"
#include "kernels/strips_avx512.h"
#include "kernels/word_groups_avx512.h"

namespace leafscore::internal {
namespace {

inline __m512i LoadHalves(const std::uint8_t* low, const std::uint8_t* high) {
  const __m256i low_half = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(low));
  const __m256i high_half = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(high));
  return _mm512_inserti64x4(_mm512_castsi256_si512(low_half), high_half, 1);
}

// The bits that are set in any of the bytes seen.
class SeenBytes {
 public:
  void Add(const std::uint8_t* a, const std::uint8_t* b) {
    seen_ = _mm512_ternarylogic_epi64(seen_, _mm512_loadu_si512(a), _mm512_loadu_si512(b), 0xFE);  // or
  }
  // The first 32 bytes of each, then the second 32.
  void AddHalves(const std::uint8_t* a_low, const std::uint8_t* a_high, const std::uint8_t* b_low,
                 const std::uint8_t* b_high) {
    seen_ = _mm512_ternarylogic_epi64(seen_, LoadHalves(a_low, a_high), LoadHalves(b_low, b_high), 0xFE);
  }
  bool IsAscii() const { return _mm512_movepi8_mask(seen_) == 0; }

 private:
  __m512i seen_ = _mm512_setzero_si512();
};

struct Avx512 {
  using Seen = SeenBytes;
  static constexpr std::uint32_t kVectorBytes = 64;
  static constexpr std::uint32_t kMaxKind = 3;       // groups of wide symbols of up to 2^kMaxKind words
  static constexpr std::uint32_t kMinBytesKind = 2;  // from this kind on, bytes are faster, if possible
  static constexpr std::uint32_t kCannotDecode = leafscore::internal::kCannotDecode;

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
  // The first 32 bytes of each, then the second 32.
  static std::uint64_t DifferentHalves(const std::uint8_t* a_low, const std::uint8_t* a_high,
                                       const std::uint8_t* b_low, const std::uint8_t* b_high) {
    return _mm512_cmpneq_epi8_mask(LoadHalves(a_low, a_high), LoadHalves(b_low, b_high));
  }
  static std::uint64_t BytesEqual(const std::uint8_t* bytes, std::uint8_t value) {
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(bytes), _mm512_set1_epi8(static_cast<char>(value)));
  }
  static std::uint64_t NonAsciiBytes(const std::uint8_t* a, const std::uint8_t* b) {
    return _mm512_movepi8_mask(_mm512_or_si512(_mm512_loadu_si512(a), _mm512_loadu_si512(b)));
  }

  static std::uint64_t LeadBytes(const std::uint8_t* bytes) {
    return _mm512_cmpgt_epi8_mask(_mm512_loadu_si512(bytes), _mm512_set1_epi8(-65));  // all but 10xxxxxx
  }
  static std::uint32_t CountBits(std::uint64_t bits) {
    return static_cast<std::uint32_t>(_mm_popcnt_u64(bits));
  }
  // Writes the indexes of the flags that are 1. REQUIRES: at most 256 flags, in an array of 256.
  static std::uint32_t Places(const std::uint8_t* flags, std::uint32_t count, std::uint8_t* places) {
    std::uint32_t found = 0;
    __m512i place = ChunkIndex<8>(0);
    for (std::uint32_t i = 0; i < count; i += 64) {
      const __mmask64 inside = LowBits(count - i < 64 ? count - i : 64);
      const __m512i flag = _mm512_loadu_si512(flags + i);
      const __mmask64 set = _mm512_mask_test_epi8_mask(inside, flag, flag);
      const std::uint32_t more = CountBits(set);
      _mm512_mask_storeu_epi8(places + found, LowBits(more), _mm512_maskz_compress_epi8(set, place));
      found += more;
      place = _mm512_add_epi8(place, _mm512_set1_epi8(64));
    }
    return found;
  }

  template <int kBits, bool kWide>
  static void RunBytes(ByteGroup& group, const GroupShape& shape, std::uint32_t* distance) {
    RunByteGroup<kBits, kWide>(group, shape, distance);
  }
  template <int kWords>
  static void RunWide(const WordPair* pairs, std::uint32_t count, std::size_t high_offset,
                      std::uint32_t* distance) {
    RunWideGroup<kWords>(pairs, count, high_offset, distance);
  }
  using PairLanes = PairLanesAvx512;
  static std::uint32_t DecodeWide(const std::uint8_t* bytes, std::uint32_t size, std::uint8_t* low,
                                  std::uint8_t* high) {
    return leafscore::internal::DecodeWide(bytes, size, low, high);
  }
  static constexpr std::uint32_t kStripRows = 1024;
  static std::int64_t RunStrip(const std::uint8_t* pattern, std::uint32_t rows, const std::uint8_t* text,
                               std::uint32_t text_size, const StripArrays& space) {
    return (rows <= kStripRows / 2 ? RunLongStrip<1> : RunLongStrip<2>)(pattern, rows, text, text_size,
                                                                        space);
  }
};

}  // namespace

void LevenshteinAvx512(const ColumnPair& columns, std::uint32_t* distance, Workspace& work) noexcept {
  SimdBatch<Avx512>(columns, distance, work).Run();
}

std::uint32_t RunTileAvx512(const Tile<std::uint8_t>& tile, TileSpace& space) noexcept {
  return RunStripsOfTile<VectorStrips<Avx512>>(tile, space);
}

void LevenshteinMatrixAvx512(const NumberedStrings& texts, const NumberedStrings& patterns,
                             std::uint32_t longest_pattern, std::byte* rows,
                             std::uint32_t* distance) noexcept {
  RunMatrix<64>(texts, patterns, longest_pattern, rows, distance);
}

}  // namespace leafscore::internal
