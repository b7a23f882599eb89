// engine/lint/shuffled_rows.h: an order in which neighbours are unrelated. Stateless.
#ifndef LEAFSCORE_ENGINE_LINT_SHUFFLED_ROWS_H_
#define LEAFSCORE_ENGINE_LINT_SHUFFLED_ROWS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/random.h"
#include "engine/lint/gold_records.h"

namespace leafscore::internal {

// Returns all rows that have an expected value, shuffled. Unless ids repeat, the order of the ids depends
// only on the ids, not on the order of the file.
inline std::vector<std::uint32_t> ShuffledRows(const GoldRecords& gold) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < gold.size(); ++row) {
    if (gold.rows()[row].expected != TextNumbers::kNone) rows.push_back(row);
  }
  const auto id = [&](std::uint32_t row) {
    const std::uint32_t number = gold.rows()[row].id;
    return number == TextNumbers::kNone ? std::string_view() : gold.ids().text(number);
  };
  std::ranges::stable_sort(rows, {}, id);
  SplitMix64 random(/*seed=*/0, /*stream=*/0);
  for (std::size_t left = rows.size(); left > 1; --left) std::swap(rows[left - 1], rows[random.Below(left)]);
  return rows;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_SHUFFLED_ROWS_H_
