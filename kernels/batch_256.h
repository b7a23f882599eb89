// kernels/batch_256.h: the part of the batch that depends on vectors of 256 bits, for kernels/simd_batch.h.
#ifndef LEAFSCORE_KERNELS_BATCH_256_H_
#define LEAFSCORE_KERNELS_BATCH_256_H_

#include "kernels/byte_groups_256.h"
#ifdef __AVX2__
#include "kernels/decode_avx2.h"
#else
#include "kernels/decode_scalar.h"
#endif
#include "kernels/pair_lanes_256.h"
#include "kernels/simd_batch.h"
#include "kernels/strips_256.h"
#include "kernels/word_groups_256.h"

namespace leafscore::internal {
namespace {

// RETURNS: bytes whose highest bits say which of the given bytes are continuation bytes, 10xxxxxx.
inline Bytes Continuations(const Bytes& bytes) { return AndNot(bytes, bytes + bytes); }

// The bits that are set in any of the bytes seen.
class SeenBytes {
 public:
  void Add(const std::uint8_t* a, const std::uint8_t* b) { AddHalves(a, a + 32, b, b + 32); }
  // The first 32 bytes of each, then the second 32.
  void AddHalves(const std::uint8_t* a_low, const std::uint8_t* a_high, const std::uint8_t* b_low,
                 const std::uint8_t* b_high) {
    low_ = low_ | Load<Bytes>(a_low) | Load<Bytes>(b_low);
    high_ = high_ | Load<Bytes>(a_high) | Load<Bytes>(b_high);
  }
  bool IsAscii() const { return HighBits(low_, high_) == 0; }

 private:
  Bytes low_ = Bytes(std::uint8_t{0});
  Bytes high_ = Bytes(std::uint8_t{0});
};

struct Vectors256 {
  using Seen = SeenBytes;
  static constexpr std::uint32_t kVectorBytes = 32;
  static constexpr std::uint32_t kMaxKind = 2;       // groups of wide symbols of up to 2^kMaxKind words
  static constexpr std::uint32_t kMinBytesKind = 0;  // from this kind on, bytes are faster, if possible
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
  // The first 32 bytes of each, then the second 32.
  static std::uint64_t DifferentHalves(const std::uint8_t* a_low, const std::uint8_t* a_high,
                                       const std::uint8_t* b_low, const std::uint8_t* b_high) {
    return ~Bits(EqualBytes(Load<Bytes>(a_low), Load<Bytes>(b_low)),
                 EqualBytes(Load<Bytes>(a_high), Load<Bytes>(b_high)));
  }
  static std::uint64_t BytesEqual(const std::uint8_t* bytes, std::uint8_t value) {
    const Bytes values(value);
    return Bits(EqualBytes(Load<Bytes>(bytes), values), EqualBytes(Load<Bytes>(bytes + 32), values));
  }
  static std::uint64_t NonAsciiBytes(const std::uint8_t* a, const std::uint8_t* b) {
    return HighBits(Load<Bytes>(a) | Load<Bytes>(b), Load<Bytes>(a + 32) | Load<Bytes>(b + 32));
  }

  static std::uint64_t LeadBytes(const std::uint8_t* bytes) {
    return ~HighBits(Continuations(Load<Bytes>(bytes)), Continuations(Load<Bytes>(bytes + 32)));
  }
  static std::uint32_t CountBits(std::uint64_t bits) { return static_cast<std::uint32_t>(SetBits(bits)); }
  // Writes the indexes of the flags that are 1. REQUIRES: at most 256 flags, in an array of 256.
  static std::uint32_t Places(const std::uint8_t* flags, std::uint32_t count, std::uint8_t* places) {
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      places[found] = static_cast<std::uint8_t>(i);
      found += flags[i];
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
  using PairLanes = PairLanes256;
  static std::uint32_t DecodeWide(const std::uint8_t* bytes, std::uint32_t size, std::uint8_t* low,
                                  std::uint8_t* high) {
    return leafscore::internal::DecodeWide(bytes, size, low, high);
  }
  static constexpr std::uint32_t kStripRows = 512;
  static std::int64_t RunStrip(const std::uint8_t* pattern, std::uint32_t rows, const std::uint8_t* text,
                               std::uint32_t text_size, const StripArrays& space) {
    return (rows <= kStripRows / 2 ? RunLongStrip<1> : RunLongStrip<2>)(pattern, rows, text, text_size,
                                                                        space);
  }
};

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_BATCH_256_H_
