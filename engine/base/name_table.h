// engine/base/name_table.h: texts numbered in order of first use, in little more memory than the texts. Texts
// that come again in the order of their first use, as the ids of a second file do, are found without a look
// into the hash table, whose slots are far apart in memory. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_BASE_NAME_TABLE_H_
#define LEAFSCORE_ENGINE_BASE_NAME_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/base/id_table.h"

namespace leafscore::internal {

class NameTable {
 public:
  // Returns the number of a name, a new one at its first use.
  // ERRORS: Error(kInput) for 2^32 - 1 names, or one of 4 GiB. COST: memory: the text, 12 bytes and, until
  //         EndAdding, 12 to 20 more.
  std::uint32_t Add(std::string_view name) {
    if (expected_ >= size()) expected_ = 0;
    const bool is_expected = size() > 0 && (*this)[expected_] == name;
    const std::uint32_t number = is_expected ? expected_ : FindOrInsert(name);
    expected_ = number + 1;
    return number;
  }

  // Frees what only Add needs. REQUIRES: it is not called later.
  void EndAdding() {
    table_ = {};
    hashes_ = {};
  }

  std::size_t size() const { return places_.size(); }

  // The text stays where it is as long as the table.
  std::string_view operator[](std::uint32_t number) const {
    Length length;
    std::memcpy(&length, places_[number], sizeof length);
    return {places_[number] + sizeof length, length};
  }

  // Returns the numbers in the order of their names' bytes, which does not depend on that of first use.
  std::vector<std::uint32_t> Sorted() const;

 private:
  using Length = std::uint32_t;

  std::uint32_t FindOrInsert(std::string_view name);
  // Keeps a text. RETURNS: its place.
  const char* Keep(std::string_view name);

  std::deque<const char*> places_;  // of the length of a text, with the text behind it
  std::deque<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;  // in the latest block
  std::size_t left_ = 0;  // of it
  IdTable table_;
  std::deque<std::uint32_t> hashes_;
  std::uint32_t expected_ = 0;  // behind the last one
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_NAME_TABLE_H_
