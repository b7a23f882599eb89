// engine/io/byte_block.h: 64 bytes of text, compared with a character all at once.
// Plain 64-bit arithmetic (eight bytes a step), so it is the same on every machine.
#ifndef LEAFSCORE_ENGINE_IO_BYTE_BLOCK_H_
#define LEAFSCORE_ENGINE_IO_BYTE_BLOCK_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace leafscore::internal {

class ByteBlock {
 public:
  static constexpr std::size_t kBytes = 64;

  // Takes the first 64 bytes of `text`; where it has fewer, zeros follow.
  explicit ByteBlock(std::string_view text) {
    static_assert(std::endian::native == std::endian::little, "bit i must be byte i");
    if (text.size() >= kBytes) {
      std::memcpy(words_, text.data(), kBytes);  // a fixed size, so that no call is made
    } else {
      std::memcpy(words_, text.data(), text.size());
    }
  }

  // Returns bit i set where byte i, with the bits of `ignored` set in it, is c.
  std::uint64_t Equal(char c, std::uint8_t ignored = 0) const {
    const std::uint64_t wanted = kOnes * static_cast<std::uint8_t>(c);
    std::uint64_t mask = 0;
    for (std::size_t w = 0; w < kBytes / 8; ++w) {
      const std::uint64_t x = (words_[w] | kOnes * ignored) ^ wanted;    // zero bytes are equal
      const std::uint64_t equal = ~(((x & kLow7) + kLow7) | x | kLow7);  // their high bits
      mask |= (equal * kGather >> 56) << (8 * w);
    }
    return mask;
  }

 private:
  static constexpr std::uint64_t kOnes = 0x0101010101010101u;
  static constexpr std::uint64_t kLow7 = 0x7f7f7f7f7f7f7f7fu;
  static constexpr std::uint64_t kGather = 0x0002040810204081u;  // high bit of byte k to bit 56 + k

  std::uint64_t words_[kBytes / 8] = {};
};

// Returns bit i set where an odd number of the bits 0..i is.
inline std::uint64_t PrefixParity(std::uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

// Returns the bytes that a backslash escapes: bit i + 1 for every backslash i that is not itself escaped.
// `carry`: byte 0 is escaped; on return, byte 64 is.
inline std::uint64_t EscapedBytes(std::uint64_t backslashes, bool& carry) {
  std::uint64_t escaped = carry ? 1 : 0;
  carry = false;
  for (; backslashes != 0; backslashes &= backslashes - 1) {
    const int i = std::countr_zero(backslashes);
    if ((escaped >> i & 1) != 0) continue;
    if (i == 63) carry = true;
    if (i < 63) escaped |= std::uint64_t{2} << i;
  }
  return escaped;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_BYTE_BLOCK_H_
