// engine/base/name_table.h: numbers texts in order of first use, in little more memory than the texts need.
// If texts recur in the order of their first use, like the ids of a second file, they are found without
// probing the hash table, whose slots are far apart in memory. THREADS: one at a time.
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
  // Returns the number of a name; a new name gets the next number.
  // ERRORS: Error(kInput) for more than 2^32 - 1 names, or for a name of 4 GiB or more.
  // COST: memory for the text and 12 bytes, plus 12 to 20 bytes until EndAdding.
  std::uint32_t Add(std::string_view name) {
    if (expected_ >= size()) expected_ = 0;
    const bool is_expected = size() > 0 && (*this)[expected_] == name;
    const std::uint32_t number = is_expected ? expected_ : FindOrInsert(name);
    expected_ = number + 1;
    return number;
  }

  // Frees the memory that only Add needs. REQUIRES: no Add afterwards.
  void EndAdding() {
    table_ = {};
    hashes_ = {};
  }

  std::size_t size() const { return places_.size(); }

  // Returns the name with a number. The text stays at its address for the life of the table.
  std::string_view operator[](std::uint32_t number) const {
    Length length;
    std::memcpy(&length, places_[number], sizeof length);
    return {places_[number] + sizeof length, length};
  }

  // Returns the numbers sorted by the bytes of their names, whatever the order of first use.
  std::vector<std::uint32_t> Sorted() const;

 private:
  using Length = std::uint32_t;

  std::uint32_t FindOrInsert(std::string_view name);
  // Stores a text. RETURNS: its place.
  const char* Keep(std::string_view name);

  std::deque<const char*> places_;  // each points to the length of a text; the text follows it
  std::deque<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;  // in the latest block
  std::size_t left_ = 0;  // in that block
  IdTable table_;
  std::deque<std::uint32_t> hashes_;
  std::uint32_t expected_ = 0;  // the number after the one that was returned last
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_NAME_TABLE_H_
