// kernels/narrow_symbols.h: converts wide symbols to bytes, which have faster kernels, if bytes can represent
// them. This is so for most scripts except those of East Asia, even if the text also has ASCII.
//
// V names an instruction set, see kernels/simd_batch.h.
#ifndef LEAFSCORE_KERNELS_NARROW_SYMBOLS_H_
#define LEAFSCORE_KERNELS_NARROW_SYMBOLS_H_

#include <cstddef>
#include <cstdint>

#include "kernels/lane_space.h"

namespace leafscore::internal {

// A string of wide symbols, with kStringPadding bytes around its low bytes and its high bytes.
struct WideSymbols {
  std::uint8_t* low;
  const std::uint8_t* high;
  std::uint32_t size;
};

// Decides, for strings that are to be compared with each other, whether bytes are enough. They are enough if
// all symbols are below U+00FF. They are also enough if every symbol is ASCII or in one block of 128 symbols,
// but not the last symbol of the block; the block then becomes the upper half of the bytes.
template <typename V>
class NarrowSymbols {
 public:
  void Add(const WideSymbols& symbols) {
    for (std::uint32_t i = 0; i < symbols.size && unfit_ == 0; i += 64) {
      const std::uint32_t rest = symbols.size - i;
      const std::uint64_t inside = V::LowBits(rest < 64 ? rest : 64);
      const std::uint64_t have_high = inside & ~V::BytesEqual(symbols.high + i, 0);
      if (block_ == 0 && have_high != 0) block_ = symbols.high[i + V::TrailingZeros(have_high)];
      const std::uint64_t upper = inside & V::NonAsciiBytes(symbols.low + i, symbols.low + i);
      upper_without_high_ |= upper & ~have_high;
      upper_with_high_ |= upper & have_high;
      lower_with_high_ |= have_high & ~upper;
      const std::uint64_t last = have_high & V::BytesEqual(symbols.low + i, LaneSpace::kNoSymbol & 0x7F);
      unfit_ |= last | (inside & V::BytesEqual(symbols.low + i, LaneSpace::kNoSymbol));
      unfit_ |= have_high & ~V::BytesEqual(symbols.high + i, block_);
    }
  }

  // RETURNS: whether Narrow can convert all strings that were added.
  bool Fit() const {
    if (block_ == 0) return unfit_ == 0;
    return (unfit_ | upper_without_high_) == 0 && (upper_with_high_ == 0 || lower_with_high_ == 0);
  }

  // Converts a string, which was added before, to bytes in place. The bytes are below LaneSpace::kNoSymbol,
  // and are equal where the symbols are equal.
  void Narrow(const WideSymbols& symbols) const {
    if (lower_with_high_ == 0) return;
    constexpr std::uint64_t kTops = 0x8080808080808080;
    for (std::uint32_t i = 0; i < symbols.size; i += 8) {
      std::uint64_t low, high;
      __builtin_memcpy(&low, symbols.low + i, 8);
      __builtin_memcpy(&high, symbols.high + i, 8);
      std::uint64_t have_high = (((high & ~kTops) + ~kTops) | high) & kTops;
      if (symbols.size - i < 8) have_high &= V::LowBits(8 * (symbols.size - i));
      low |= have_high;
      __builtin_memcpy(symbols.low + i, &low, 8);
    }
  }

 private:
  std::uint8_t block_ = 0;  // the high byte of all symbols that have one
  // Each is not 0 if there are symbols of one kind: a low byte in the upper half, without a high byte; a low
  // byte in the upper half, with a high byte; a low byte in the lower half, with a high byte; and symbols
  // that no byte can represent.
  std::uint64_t upper_without_high_ = 0;
  std::uint64_t upper_with_high_ = 0;
  std::uint64_t lower_with_high_ = 0;
  std::uint64_t unfit_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_NARROW_SYMBOLS_H_
