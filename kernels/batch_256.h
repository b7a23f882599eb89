// kernels/batch_256.h: the batch on 256 bits, for kernels/simd_batch.h.
#ifndef LEAFSCORE_KERNELS_BATCH_256_H_
#define LEAFSCORE_KERNELS_BATCH_256_H_

#include "kernels/byte_groups_256.h"
#include "kernels/decode_scalar.h"
#include "kernels/pair_lanes_256.h"
#include "kernels/simd_batch.h"
#include "kernels/strips_256.h"
#include "kernels/word_groups_256.h"

namespace leafscore::internal {
namespace {

struct Vectors256 {
  static constexpr std::uint32_t kVectorBytes = 32;
  static constexpr std::uint32_t kMaxKind = 2;  // groups of wide symbols of up to 2^kMaxKind words
  static constexpr std::uint32_t kCannotDecode = leafscore::internal::kCannotDecode;

  static std::uint32_t TrailingZeros(std::uint64_t bits) {
    return leafscore::internal::TrailingZeroBits(bits);
  }
  static std::uint32_t LeadingZeros(std::uint64_t bits) { return leafscore::internal::LeadingZeroBits(bits); }
  static std::uint64_t LowBits(std::uint32_t count) { return leafscore::internal::LowBits(count); }
  static std::uint64_t DifferentBytes(const std::uint8_t* a, const std::uint8_t* b) {
    return ~Bits(EqualBytes(Load<Bytes>(a), Load<Bytes>(b)),
                 EqualBytes(Load<Bytes>(a + 32), Load<Bytes>(b + 32)));
  }
  static std::uint64_t NonAsciiBytes(const std::uint8_t* a, const std::uint8_t* b) {
    return HighBits(Load<Bytes>(a) | Load<Bytes>(b), Load<Bytes>(a + 32) | Load<Bytes>(b + 32));
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
  using PairLanes = PairLanes256;
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
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_BATCH_256_H_
