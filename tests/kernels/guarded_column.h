// tests/kernels/guarded_column.h: a StringColumn in memory whose neighbouring pages cannot be read, so that a
// kernel that reads beyond the padding crashes at once.
#ifndef LEAFSCORE_TESTS_KERNELS_GUARDED_COLUMN_H_
#define LEAFSCORE_TESTS_KERNELS_GUARDED_COLUMN_H_

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/string_column.h"

namespace leafscore::internal {

// Which end of the column touches a guard page; both do if the size happens to fill pages.
enum class GuardedEdge { kFront, kBack };

class GuardedColumn {
 public:
  GuardedColumn(const std::vector<std::string>& strings, GuardedEdge edge) {
    std::size_t size = 2 * kStringPadding;
    for (const std::string& string : strings) size += string.size();
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t pages = (size + page - 1) / page;
    mapped_bytes_ = (pages + 2) * page;
    mapping_ = mmap(nullptr, mapped_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping_ == MAP_FAILED) throw std::runtime_error("mmap failed");
    auto* readable = static_cast<std::uint8_t*>(mapping_) + page;
    if (mprotect(readable, pages * page, PROT_READ | PROT_WRITE) != 0)
      throw std::runtime_error("mprotect failed");

    // The padding's content must not matter: 0xBF looks like the middle of a code point.
    std::memset(readable, 0xBF, pages * page);
    std::uint8_t* bytes = edge == GuardedEdge::kFront ? readable : readable + pages * page - size;
    offsets_.push_back(kStringPadding);
    for (const std::string& string : strings) {
      std::ranges::copy(string, bytes + offsets_.back());
      offsets_.push_back(offsets_.back() + static_cast<std::uint32_t>(string.size()));
    }
    column_ = {.bytes = bytes, .offsets = offsets_.data(), .size = strings.size()};
  }
  ~GuardedColumn() { munmap(mapping_, mapped_bytes_); }
  GuardedColumn(const GuardedColumn&) = delete;
  GuardedColumn& operator=(const GuardedColumn&) = delete;

  const StringColumn& column() const { return column_; }

 private:
  void* mapping_;
  std::size_t mapped_bytes_;
  std::vector<std::uint32_t> offsets_;
  StringColumn column_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_KERNELS_GUARDED_COLUMN_H_
