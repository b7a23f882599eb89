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

// Returns the bytes of an ASCII string one by one. It loads eight bytes at a time, up to 23 bytes beyond the
// last one.
class ByteReader {
 public:
  LEAFSCORE_HOST_DEVICE explicit ByteReader(const std::uint8_t* first) : next_(first) {}

  LEAFSCORE_HOST_DEVICE std::uint32_t Next() {
    if (read_ % 8 == 0) word_ = LoadWord(next_ + read_);
    ++read_;
    const auto symbol = static_cast<std::uint32_t>(word_ & 0xFF);
    word_ >>= 8;
    return symbol;
  }

  // Goes to a row of a pattern, which may be before the first row. Call it before Next.
  LEAFSCORE_HOST_DEVICE void GoToRow(std::int64_t row) { next_ += row; }

  // Makes the planes of the next 32 rows. The bits of rows before first_row are arbitrary. Loads up to 14
  // bytes before the pattern.
  template <int kSymbolBits>
  LEAFSCORE_HOST_DEVICE void MakePlanes(int first_row, std::uint32_t (&planes)[kSymbolBits]) {
    for (std::uint32_t& plane : planes) plane = 0;
    for (int row = 0; row < 32; row += 8) {
      if (row + 8 <= first_row) continue;
      const std::uint64_t bits = TransposeBits(LoadWord(next_ + row));
      for (int k = 0; k < kSymbolBits; ++k) planes[k] = TakeByte(planes[k], bits, k);
    }
    next_ += 32;
  }

  // The address of the bytes of the next row.
  LEAFSCORE_HOST_DEVICE const std::uint8_t* position() const { return next_; }

 private:
  const std::uint8_t* next_;
  std::uint32_t read_ = 0;
  std::uint64_t word_ = 0;
};

// As ByteReader, for the code points of UTF-8 whose longest sequence has kLongest bytes. It keeps eight
// bytes, so that a lane loads no byte twice: the threads of a warp all read from different places, so loads
// would be the bottleneck. Next loads up to 11 bytes beyond the last one, and GoToRow up to 15.
template <int kLongest>
class Utf8Reader {
 public:
  // `first` is null for a group without a pair.
  LEAFSCORE_HOST_DEVICE explicit Utf8Reader(const std::uint8_t* first) {
    if (first != nullptr) MoveTo(first);
  }

  LEAFSCORE_HOST_DEVICE std::uint32_t Next() {
    const std::uint32_t bytes = FunnelRight(high_, low_, shift_);
    std::uint32_t symbol = (bytes & 0x1F) << 6 | (bytes >> 8 & 0x3F);
    std::uint32_t size = 16;  // in bits
    if constexpr (kLongest >= 3) {
      if ((bytes & 0x20) != 0) {
        symbol = (bytes & 0x0F) << 12 | (bytes >> 2 & 0xFC0) | (bytes >> 16 & 0x3F);
        size = 24;
      }
    }
    if constexpr (kLongest >= 4) {
      if ((bytes & 0x30) == 0x30) {
        symbol = (bytes & 0x07) << 18 | (bytes << 4 & 0x3F000) | (bytes >> 10 & 0xFC0) | (bytes >> 24 & 0x3F);
        size = 32;
      }
    }
    if ((bytes & 0x80) == 0) {
      symbol = bytes & 0x7F;
      size = 8;
    }
    shift_ += size;
    if (shift_ >= 32) {
      low_ = high_;
      high_ = LoadAligned(words_);
      words_ += 4;
      shift_ -= 32;
    }
    return symbol;
  }

  // Rows before the first have no bytes.
  LEAFSCORE_HOST_DEVICE void GoToRow(std::int64_t row) {
    if (row <= 0) return;
    constexpr std::uint64_t kTopBits = 0x8080808080808080u;
    auto before = static_cast<std::uint64_t>(row);
    const std::uint8_t* bytes = position();
    for (;; bytes += 8) {
      const std::uint64_t word = LoadWord(bytes);
      std::uint64_t leads = kTopBits & (~word | word << 1);  // bytes that begin a code point
      const std::uint32_t count = OneBits(leads);
      if (count <= before) {
        before -= count;
        continue;
      }
      for (; before != 0; --before) leads &= leads - 1;
      MoveTo(bytes + TrailingZeros(leads) / 8);
      return;
    }
  }

  template <int kSymbolBits>
  LEAFSCORE_HOST_DEVICE void MakePlanes(int first_row, std::uint32_t (&planes)[kSymbolBits]) {
    constexpr int kBytes = (kSymbolBits + 7) / 8;  // of a symbol
    for (std::uint32_t& plane : planes) plane = 0;
    LEAFSCORE_KEEP_LOOP
    for (int row = 0; row < 32; row += 8) {
      if (row + 8 <= first_row) continue;
      std::uint32_t first_four[kBytes] = {};  // byte i of each of four symbols
      std::uint32_t last_four[kBytes] = {};
      LEAFSCORE_UNROLL
      for (int k = 0; k < 4; ++k) TakeRow(row + k >= first_row, first_four);
      LEAFSCORE_UNROLL
      for (int k = 4; k < 8; ++k) TakeRow(row + k >= first_row, last_four);
      LEAFSCORE_UNROLL
      for (int i = 0; i < kBytes; ++i) {
        const std::uint64_t bits = TransposeBits(std::uint64_t{last_four[i]} << 32 | first_four[i]);
        LEAFSCORE_UNROLL
        for (int k = 8 * i; k < 8 * i + 8 && k < kSymbolBits; ++k)
          planes[k] = TakeByte(planes[k], bits, k % 8);
      }
    }
  }

  LEAFSCORE_HOST_DEVICE const std::uint8_t* position() const { return words_ - 8 + shift_ / 8; }

 private:
  LEAFSCORE_HOST_DEVICE void MoveTo(const std::uint8_t* bytes) {
    const auto beyond = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(bytes) & 3);
    words_ = bytes - beyond + 8;
    low_ = LoadAligned(words_ - 8);
    high_ = LoadAligned(words_ - 4);
    shift_ = 8 * beyond;
  }
  template <int kBytes>
  LEAFSCORE_HOST_DEVICE void TakeRow(bool exists, std::uint32_t (&four)[kBytes]) {
    const std::uint32_t symbol = exists ? Next() : 0;
    for (int i = 0; i < kBytes; ++i) four[i] = TakeByte(four[i], symbol, i);
  }

  const std::uint8_t* words_ = nullptr;  // the next word to load, aligned; low_ and high_ precede it
  std::uint32_t low_ = 0;
  std::uint32_t high_ = 0;
  std::uint32_t shift_ = 0;  // how many bits of low_ were read, below 32
};

template <int kSymbolBits, int kWords, typename SymbolReader>
struct Lane {
  using Reader = SymbolReader;
  static constexpr int kRows = 32 * kWords;

  std::uint32_t planes[kWords][kSymbolBits];
  std::uint32_t rows[kWords];  // the bits that are rows of the pattern
  std::uint32_t vp[kWords];
  std::uint32_t vn[kWords];
  std::uint32_t packet;
  std::int32_t sum;  // sum of the differences along the last row

  // Takes kRows rows of the pattern from row `first` on, at the left edge of the table. Rows before the
  // pattern, whose number is negative, match nothing and hand the differences above them down unchanged.
  // Returns the address of the bytes of the row after these rows.
  LEAFSCORE_HOST_DEVICE const std::uint8_t* Begin(const std::uint8_t* pattern, std::int64_t first) {
    Reader reader(pattern);
    reader.GoToRow(first);
    LEAFSCORE_UNROLL
    for (int w = 0; w < kWords; ++w) {
      const std::int64_t begin = first + 32 * w;
      const int first_row = begin >= 0 ? 0 : begin > -32 ? static_cast<int>(-begin) : 32;
      reader.MakePlanes(first_row, planes[w]);
      rows[w] = first_row == 32 ? 0 : ~0u << first_row;
      KeepInRegister(rows[w]);
      vp[w] = rows[w];
      vn[w] = 0;
    }
    packet = 0;
    sum = 0;
    return reader.position();
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
