// kernels/code_point_table.h: a number for each code point of a text, zero until it is set. Other symbols
// below 0x110000 can take the place of code points. The table has two levels: a directory indexed by the high
// bits, and a page of 64 entries for each part in use. Page 0 stands for all other parts. Unlike a hash
// table, it is never slow, whatever the code points are. Each entry stores the text for which it was set, so
// that pages can be reused for the next text without being cleared. The caller owns the memory; one table
// serves one thread.
#ifndef LEAFSCORE_KERNELS_CODE_POINT_TABLE_H_
#define LEAFSCORE_KERNELS_CODE_POINT_TABLE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/scratch.h"

namespace leafscore::internal {

inline constexpr std::uint32_t kCodePoints = 0x110000;

class CodePointTable {
 public:
  // Takes room for the code points of a text of up to `text_bytes` bytes of UTF-8.
  CodePointTable(ScratchArena& arena, std::size_t text_bytes)
      : directory_(arena.Take<std::uint16_t>(kDirectorySize)),
        pages_(arena.Take<Page>(1 + std::min(kDirectorySize, kSparePages + kAsciiPages + text_bytes / 2))) {}

  // Begins a new text: all numbers are zero.
  void Clear() {
    ++generation_;
    if (pages_used_ <= kSparePages) return;
    std::memset(directory_, 0, kDirectorySize * sizeof *directory_);
    std::memset(pages_, 0, sizeof *pages_);
    pages_used_ = 0;
  }

  // Returns a reference to the number of a code point. No branch depends on whether the number is set.
  std::uint32_t& Slot(std::uint32_t code_point) {
    std::uint16_t& page = directory_[code_point / kPageSize];
    if (page == 0) {
      page = ++pages_used_;
      std::memset(pages_ + page, 0, sizeof *pages_);
    }
    Entry& entry = pages_[page][code_point % kPageSize];
    entry = {generation_, entry.generation == generation_ ? entry.number : 0};
    return entry.number;
  }

  // Like Slot, but cheaper. Do not set a number that is zero: code points without a number may share it.
  std::uint32_t& SlotInUse(std::uint32_t code_point) {
    Entry& entry = pages_[directory_[code_point / kPageSize]][code_point % kPageSize];
    return entry.generation == generation_ ? entry.number : zero_;
  }

 private:
  static constexpr std::size_t kPageSize = 64;
  static constexpr std::size_t kDirectorySize = kCodePoints / kPageSize;
  static constexpr std::size_t kAsciiPages = 2;    // all other code points take at least two bytes
  static constexpr std::size_t kSparePages = 512;  // for earlier texts; enough for all common ideographs

  struct Entry {
    std::uint32_t generation;  // 0 belongs to no text
    std::uint32_t number;
  };
  using Page = Entry[kPageSize];

  std::uint16_t* directory_;
  Page* pages_;
  std::uint16_t pages_used_ = kSparePages + 1;  // makes the first Clear initialise the memory
  std::uint32_t generation_ = 0;
  std::uint32_t zero_ = 0;
};

// Numbers the symbols of a pattern 1, 2, 3, ... in order of appearance, and gives the symbols of a text the
// same numbers; symbols that are not in the pattern get 0. The numbers may overwrite the symbols.
// REQUIRES: a table for the pattern.
// RETURNS: the number of different symbols in the pattern.
template <typename Number>
std::uint32_t NumberSymbols(const std::uint32_t* pattern, std::uint32_t pattern_size, Number* pattern_numbers,
                            const std::uint32_t* text, std::uint32_t text_size, Number* text_numbers,
                            CodePointTable& table) {
  table.Clear();
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < pattern_size; ++i) {
    std::uint32_t& number = table.Slot(pattern[i]);
    const bool is_new = number == 0;
    count += is_new;
    number = is_new ? count : number;
    pattern_numbers[i] = static_cast<Number>(number);
  }
  for (std::uint32_t j = 0; j < text_size; ++j) {
    text_numbers[j] = static_cast<Number>(table.SlotInUse(text[j]));
  }
  return count;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_CODE_POINT_TABLE_H_
