// The batch on AVX-512 (Ice Lake's and Zen 4's extensions).
#include <immintrin.h>

#include "kernels/byte_groups_avx512.h"
#include "kernels/decode_avx512.h"
#include "kernels/pair_lanes_avx512.h"
#include "kernels/simd_batch.h"
#include "kernels/strips_avx512.h"
#include "kernels/word_groups_avx512.h"

namespace leafscore::internal {
namespace {

struct Avx512 {
  static constexpr std::uint32_t kVectorBytes = 64;
  static constexpr std::uint32_t kMaxKind = 3;  // groups of wide symbols of up to 2^kMaxKind words
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
  static std::uint64_t NonAsciiBytes(const std::uint8_t* a, const std::uint8_t* b) {
    return _mm512_movepi8_mask(_mm512_or_si512(_mm512_loadu_si512(a), _mm512_loadu_si512(b)));
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
                               std::uint32_t text_size, const StripSpace& space) {
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

}  // namespace leafscore::internal
