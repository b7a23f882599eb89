// The batch on AVX2.
#include <immintrin.h>

#include "kernels/byte_groups_avx2.h"
#include "kernels/decode_avx2.h"
#include "kernels/pair_lanes_avx2.h"
#include "kernels/simd_batch.h"
#include "kernels/strips_avx2.h"
#include "kernels/word_groups_avx2.h"

namespace leafscore::internal {
namespace {

struct Avx2 {
  static constexpr std::uint32_t kVectorBytes = 32;
  static constexpr std::uint32_t kMaxKind = 2;  // groups of wide symbols of up to 2^kMaxKind words
  static constexpr std::uint32_t kCannotDecode = leafscore::internal::kCannotDecode;

  static std::uint32_t TrailingZeros(std::uint64_t bits) {
    return static_cast<std::uint32_t>(_tzcnt_u64(bits));
  }
  static std::uint32_t LeadingZeros(std::uint64_t bits) {
    return static_cast<std::uint32_t>(_lzcnt_u64(bits));
  }
  static std::uint64_t LowBits(std::uint32_t count) { return _bzhi_u64(~std::uint64_t{0}, count); }
  static std::uint64_t DifferentBytes(const std::uint8_t* a, const std::uint8_t* b) {
    return ~(EqualBytes(LoadBytes(a), LoadBytes(b)) |
             std::uint64_t{EqualBytes(LoadBytes(a + 32), LoadBytes(b + 32))} << 32);
  }
  static std::uint64_t NonAsciiBytes(const std::uint8_t* a, const std::uint8_t* b) {
    const auto high_bits = [](__m256i bytes) {
      return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
    };
    return high_bits(_mm256_or_si256(LoadBytes(a), LoadBytes(b))) |
           std::uint64_t{high_bits(_mm256_or_si256(LoadBytes(a + 32), LoadBytes(b + 32)))} << 32;
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
  using PairLanes = PairLanesAvx2;
  static std::uint32_t DecodeWide(const std::uint8_t* bytes, std::uint32_t size, std::uint8_t* low,
                                  std::uint8_t* high) {
    return leafscore::internal::DecodeWide(bytes, size, low, high);
  }
  static constexpr std::uint32_t kStripRows = 512;
  static std::int64_t RunStrip(const std::uint8_t* pattern, std::uint32_t rows, const std::uint8_t* text,
                               std::uint32_t text_size, const StripSpace& space) {
    return (rows <= kStripRows / 2 ? RunLongStrip<1> : RunLongStrip<2>)(pattern, rows, text, text_size,
                                                                        space);
  }
};

}  // namespace

void LevenshteinAvx2(const ColumnPair& columns, std::uint32_t* distance, Workspace& work) noexcept {
  SimdBatch<Avx2>(columns, distance, work).Run();
}

std::uint32_t RunTileAvx2(const Tile<std::uint8_t>& tile, TileSpace& space) noexcept {
  return RunStripsOfTile<VectorStrips<Avx2>>(tile, space);
}

}  // namespace leafscore::internal
