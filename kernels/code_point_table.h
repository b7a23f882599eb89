// kernels/code_point_table.h: a number for each code point of a pair of strings, zero until it is set.
// Two levels: a directory of all code points by their high bits, and a page of 64 numbers for each entry that
// is in use; page 0 stands for all others and stays zero. Unlike hashing, no choice of code points makes it
// slow. The memory belongs to the caller; one table serves one thread.
#ifndef LEAFSCORE_KERNELS_CODE_POINT_TABLE_H_
#define LEAFSCORE_KERNELS_CODE_POINT_TABLE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "kernels/scratch.h"

namespace leafscore {

class CodePointTable {
 public:
  // For code points from up to `text_bytes` bytes of UTF-8 at a time.
  CodePointTable(ScratchArena& arena, std::size_t text_bytes)
      : directory_(arena.Take<std::uint16_t>(kDirectorySize)),
        pages_(arena.Take<Page>(1 + std::min(kDirectorySize, kAsciiPages + text_bytes / 2))) {}

  // Makes fresh memory a table of zeros.
  void Initialize() {
    std::memset(directory_, 0, kDirectorySize * sizeof *directory_);
    std::memset(pages_, 0, sizeof *pages_);
  }

  // Returns the number of a code point, to be read or set.
  std::uint32_t& Slot(std::uint32_t code_point) {
    std::uint16_t& page = directory_[code_point / kPageSize];
    if (page == 0) {
      page = ++pages_used_;
      std::memset(pages_ + page, 0, sizeof *pages_);
    }
    return pages_[page][code_point % kPageSize];
  }

  // As Slot, but cheaper and not to be set while it is zero: it may be a zero that all others share.
  std::uint32_t& SlotInUse(std::uint32_t code_point) {
    return pages_[directory_[code_point / kPageSize]][code_point % kPageSize];
  }

  // Makes the numbers of these code points and their neighbours zero again. Clear the table of all that Slot
  // was asked for before the next pair.
  void Clear(std::span<const std::uint32_t> code_points) {
    for (const std::uint32_t code_point : code_points) directory_[code_point / kPageSize] = 0;
    pages_used_ = 0;
  }

 private:
  static constexpr std::size_t kPageSize = 64;
  static constexpr std::size_t kDirectorySize = 0x110000 / kPageSize;
  static constexpr std::size_t kAsciiPages = 2;  // all other code points have at least two bytes

  using Page = std::uint32_t[kPageSize];

  std::uint16_t* directory_;
  Page* pages_;
  std::uint16_t pages_used_ = 0;
};

}  // namespace leafscore

#endif  // LEAFSCORE_KERNELS_CODE_POINT_TABLE_H_
