// Jaro's matches on AVX2.
#include "kernels/jaro_bits.h"
#include "kernels/jaro_lanes.h"
#include "kernels/lanes_256.h"

namespace leafscore::internal {
namespace {

template <int kWords>
struct ComparedBytes {
  Bytes b[2 * kWords];

  explicit ComparedBytes(const std::uint8_t* text) {
    for (int half = 0; half < 2 * kWords; ++half) b[half] = Load<Bytes>(text + 32 * half);
  }
  std::uint64_t Word(std::uint8_t symbol, int w) const {
    const Bytes all(symbol);
    return Bits(EqualBytes(b[2 * w], all), EqualBytes(b[2 * w + 1], all));
  }
  std::uint64_t HighBits() const { return leafscore::internal::HighBits(b[0], b[1]); }
  std::uint32_t CountOthers(const std::uint8_t* row, std::uint32_t /*size*/, const std::uint8_t* text,
                            const PlaceBits<kWords>& places) const {
    return CountOtherBytes(row, text, places);
  }
};

struct ComparedHalf {
  Bytes b;

  explicit ComparedHalf(const std::uint8_t* text) : b(Load<Bytes>(text)) {}
  std::uint64_t Word(std::uint8_t symbol, int /*w*/) const {
    return leafscore::internal::HighBits(EqualBytes(b, Bytes(symbol)));
  }
  std::uint64_t HighBits() const { return leafscore::internal::HighBits(b); }
};

}  // namespace

JaroMatches JaroMatchesAvx2(const BytePair& pair, std::uint32_t window, std::uint32_t prefix,
                            std::uint64_t* /*places*/) noexcept {
  return pair.b_size <= 64 ? MatchBits<1>(pair, window, prefix, ComparedBytes<1>(pair.b))
                           : MatchBits<2>(pair, window, prefix, ComparedBytes<2>(pair.b));
}

std::uint32_t JaroWinklerOf8Avx2(const JaroGroup& group, double* similarity) noexcept {
  return JaroLanes<32, ComparedBytes<1>, ComparedHalf>::SimilaritiesOf8(group, similarity);
}

}  // namespace leafscore::internal
