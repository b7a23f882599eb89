// engine/rank/name_table.h: texts numbered in order of first use. Texts that come again in the order of their
// first use, as the ids of a second model do, are found without a look into the hash table, whose slots are
// far apart in memory. THREADS: one at a time.
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
    if (expected_ >= names_.size()) expected_ = 0;
    const bool is_expected = !names_.empty() && names_[expected_] == name;
    const std::uint32_t number = is_expected ? expected_ : FindOrInsert(name);
    expected_ = number + 1;
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
  std::uint32_t FindOrInsert(std::string_view name) {
    const auto hash = static_cast<std::uint32_t>(HashBytes(name, HashSeed()));
    const std::uint32_t known =
        table_.Find(hash, [&](std::uint32_t n) { return hashes_[n] == hash && names_[n] == name; });
    if (known != IdTable::kNone) return known;
    if (names_.size() >= IdTable::kNone) throw Error(ErrorCode::kInput, "there are too many ids");
    const auto number = static_cast<std::uint32_t>(names_.size());
    names_.emplace_back(name);
    hashes_.push_back(hash);
    table_.Insert(hash, number, [&](std::uint32_t n) { return hashes_[n]; });
    return number;
  }

  std::vector<std::string> names_;
  std::vector<std::uint32_t> hashes_;
  IdTable table_;
  std::uint32_t expected_ = 0;  // behind the last one
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_NAME_TABLE_H_
