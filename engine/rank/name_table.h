// engine/rank/name_table.h: texts numbered in order of first use. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_RANK_NAME_TABLE_H_
#define LEAFSCORE_ENGINE_RANK_NAME_TABLE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/hash.h"
#include "engine/base/id_table.h"
#include "leafscore/error.h"

namespace leafscore::internal {

class NameTable {
 public:
  // Returns the number of a name, a new one at its first use. ERRORS: Error(kInput) for 2^32 - 1 names.
  std::uint32_t Add(std::string_view name) {
    const std::uint64_t hash = HashBytes(name, HashSeed());
    const std::uint32_t known = table_.Find(hash, [&](std::uint32_t n) { return names_[n] == name; });
    if (known != IdTable::kNone) return known;
    if (names_.size() >= IdTable::kNone) throw Error(ErrorCode::kInput, "there are too many ids");
    const auto number = static_cast<std::uint32_t>(names_.size());
    names_.emplace_back(name);
    table_.Insert(hash, number, [&](std::uint32_t n) { return HashBytes(names_[n], HashSeed()); });
    return number;
  }

  std::size_t size() const { return names_.size(); }
  const std::string& operator[](std::uint32_t number) const { return names_[number]; }

  // Returns the numbers in the order of their names' bytes, which does not depend on that of first use.
  std::vector<std::uint32_t> Sorted() const {
    std::vector<std::uint32_t> numbers(names_.size());
    std::iota(numbers.begin(), numbers.end(), 0u);
    std::ranges::sort(numbers, {}, [&](std::uint32_t n) -> const std::string& { return names_[n]; });
    return numbers;
  }

 private:
  std::vector<std::string> names_;
  IdTable table_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_NAME_TABLE_H_
