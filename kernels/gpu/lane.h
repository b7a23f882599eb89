// kernels/gpu/lane.h: the work of one thread in the bit-parallel edit distance (see kernels/myers.h), on
// 32-bit words. The same code runs on the GPU and, thread by thread, on the CPU.
//
// There is no table of match words, which would not fit. Instead, the thread keeps the pattern as bit planes:
// plane k has bit k of the symbols in its rows, and a row matches a symbol if it agrees in all planes.
//
// Lanes form a chain. A packet, which is the symbol of a text column with the horizontal difference along the
// row above, enters the first lane. Each lane advances its words over the column and passes the packet on,
// with the difference along its own last row. So all lanes of a chain are busy, each one column behind the
// lane before.
#ifndef LEAFSCORE_KERNELS_GPU_LANE_H_
#define LEAFSCORE_KERNELS_GPU_LANE_H_

#include <cstdint>

#include "kernels/host_device.h"

namespace leafscore::internal::gpu {

// A packet: a symbol, and whether the difference is +1 or -1.
inline constexpr std::uint32_t kPlusOne = 1u << 31;
inline constexpr std::uint32_t kMinusOne = 1u << 30;
inline constexpr std::uint32_t kSymbolMask = kMinusOne - 1;

// Returns the 8 x 8 bits of a word transposed: byte k of the result has bit k of every byte (Warren, Hacker's
// Delight, 7-3).
LEAFSCORE_HOST_DEVICE inline std::uint64_t TransposeBits(std::uint64_t word) {
  std::uint64_t swapped = (word ^ word >> 7) & 0x00AA00AA00AA00AAu;
  word ^= swapped ^ swapped << 7;
  swapped = (word ^ word >> 14) & 0x0000CCCC0000CCCCu;
  word ^= swapped ^ swapped << 14;
  swapped = (word ^ word >> 28) & 0x00000000F0F0F0F0u;
  return word ^ swapped ^ swapped << 28;
}

// Returns symbols one by one: bytes, loaded eight at a time, up to 23 bytes beyond the last one.
class ByteReader {
 public:
  using Symbol = std::uint8_t;
  LEAFSCORE_HOST_DEVICE explicit ByteReader(const Symbol* first) : next_(first) {}
  LEAFSCORE_HOST_DEVICE std::uint32_t Next() {
    if (read_ % 8 == 0) word_ = LoadWord(next_ + read_);
    ++read_;
    const auto symbol = static_cast<std::uint32_t>(word_ & 0xFF);
    word_ >>= 8;
    return symbol;
  }

  // Makes the planes of rows [begin + first_row, begin + 32) of a pattern; the rows before are arbitrary.
  // Reads up to 14 bytes before them.
  template <int kSymbolBits>
  LEAFSCORE_HOST_DEVICE static void MakePlanes(const Symbol* pattern, std::int64_t begin, int first_row,
                                               std::uint32_t (&planes)[kSymbolBits]) {
    for (std::uint32_t& plane : planes) plane = 0;
    for (int row = 0; row < 32; row += 8) {
      if (row + 8 <= first_row) continue;
      const std::uint64_t bits = TransposeBits(LoadWord(pattern + (begin + row)));
      for (int k = 0; k < kSymbolBits; ++k) planes[k] = TakeByte(planes[k], bits, k);
    }
  }

 private:
  const Symbol* next_;
  std::uint32_t read_ = 0;
  std::uint64_t word_ = 0;
};

// Like ByteReader, for code points or the packets of an earlier strip.
class PacketReader {
 public:
  using Symbol = std::uint32_t;
  LEAFSCORE_HOST_DEVICE explicit PacketReader(const Symbol* first) : next_(first) {}
  LEAFSCORE_HOST_DEVICE std::uint32_t Next() { return *next_++; }

  template <int kSymbolBits>
  LEAFSCORE_HOST_DEVICE static void MakePlanes(const Symbol* pattern, std::int64_t begin, int first_row,
                                               std::uint32_t (&planes)[kSymbolBits]) {
    for (std::uint32_t& plane : planes) plane = 0;
    for (int row = first_row; row < 32; ++row) {
      const Symbol symbol = pattern[begin + row];
      for (int k = 0; k < kSymbolBits; ++k) planes[k] = planes[k] >> 1 | symbol >> k << 31;
    }
  }

 private:
  const Symbol* next_;
};

template <int kSymbolBits, int kWords, typename SymbolReader>
struct Lane {
  using Reader = SymbolReader;
  using Symbol = typename Reader::Symbol;
  static constexpr int kRows = 32 * kWords;

  std::uint32_t planes[kWords][kSymbolBits];
  std::uint32_t rows[kWords];  // the bits that are rows of the pattern
  std::uint32_t vp[kWords];
  std::uint32_t vn[kWords];
  std::uint32_t packet;
  std::int32_t sum;  // sum of the differences along the last row

  // Sets kRows rows of the pattern from row `first` on, at the left edge of the table. Rows before the
  // pattern, with negative numbers, match nothing and pass the differences above them down unchanged.
  LEAFSCORE_HOST_DEVICE void Begin(const Symbol* pattern, std::int64_t first) {
    for (int w = 0; w < kWords; ++w) {
      const std::int64_t begin = first + 32 * w;
      const int first_row = begin >= 0 ? 0 : begin > -32 ? static_cast<int>(-begin) : 32;
      Reader::MakePlanes(pattern, begin, first_row, planes[w]);
      rows[w] = first_row == 32 ? 0 : ~0u << first_row;
      KeepInRegister(rows[w]);
      vp[w] = rows[w];
      vn[w] = 0;
    }
    packet = 0;
    sum = 0;
  }

  // Advances the words over the column of the packet.
  LEAFSCORE_HOST_DEVICE void Step() {
    std::uint32_t equal[kWords];
    for (int w = 0; w < kWords; ++w) equal[w] = rows[w];
    for (int k = 0; k < kSymbolBits; ++k) {
      const auto bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(packet << (31 - k)) >> 31);
      for (int w = 0; w < kWords; ++w) equal[w] &= ~(planes[w][k] ^ bits);
    }
    std::uint32_t plus_above = packet;  // the top bit matters
    std::uint32_t minus_above = packet << 1;
    for (int w = 0; w < kWords; ++w) {
      const std::uint32_t xv = equal[w] | vn[w];
      const std::uint32_t eq = equal[w] | minus_above >> 31;
      const std::uint32_t xh = (((eq & vp[w]) + vp[w]) ^ vp[w]) | eq;
      const std::uint32_t hp = vn[w] | ~(xh | vp[w]);
      const std::uint32_t hn = vp[w] & xh;
      const std::uint32_t hp_shifted = ShiftIn(hp, plus_above);
      vp[w] = ShiftIn(hn, minus_above) | ~(xv | hp_shifted);
      vn[w] = hp_shifted & xv;
      plus_above = hp;
      minus_above = hn;
    }
    packet = (packet & kSymbolMask) | (plus_above & kPlusOne) | (minus_above >> 1 & kMinusOne);
    sum += static_cast<std::int32_t>(packet >> 31);
    sum -= static_cast<std::int32_t>(packet >> 30 & 1);
  }
};

}  // namespace leafscore::internal::gpu

#endif  // LEAFSCORE_KERNELS_GPU_LANE_H_
