#include "engine/match/row_candidates.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>

namespace leafscore::internal {
namespace {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

// A row names pairs by its rarest cells or combinations. It takes the rarest one if at most kMostRows rows
// have it, and further ones as long as it names at most kPairsOfRow pairs in total. All others are common.
constexpr std::uint32_t kMostRows = 64;
constexpr std::uint32_t kPairsOfRow = 16;
// The most combinations of a side that are examined.
constexpr std::uint64_t kMostCombinations = std::uint64_t{1} << 24;
// The most bits in the number of a combination. If two combinations share a number, that does no harm: only
// more pairs are named.
constexpr int kMostBits = 24;

// Returns C(n, k), or some number above kMostCombinations if C(n, k) is above it.
std::uint64_t Choose(std::uint64_t n, std::uint64_t k) {
  if (n < k) return 0;
  if (n > kMostCombinations) return n;
  std::uint64_t ways = 1;
  for (std::uint64_t i = 0; i < k && ways <= kMostCombinations; ++i) ways = ways * (n - i) / (i + 1);
  return ways;
}

// The positions of the cells of a combination in their row.
using Combination = std::array<std::size_t, RowCandidates::kSteps>;

// Calls visit(hash) for each combination of `size` cells from `begin` on. During the call, `chosen` has the
// positions of these cells. REQUIRES: `size` is at most the size of a Combination; the code checks this only
// for g++.
template <class Cells, class Visit>
void ForEachCombination(const Cells& cells, std::size_t begin, std::size_t size, Combination& chosen,
                        Visit& visit, std::uint64_t hash = 0, std::size_t depth = 0) {
  if (depth == size || depth == chosen.size()) return visit(hash);
  for (std::size_t i = begin; i + size - depth <= cells.size(); ++i) {
    const std::uint64_t next = (hash ^ cells[i].first) * 0x9e3779b97f4a7c15u;
    chosen[depth] = i;
    ForEachCombination(cells, i + 1, size, chosen, visit, next ^ (next >> 32), depth + 1);
  }
}

std::uint32_t KeyOf(std::uint64_t hash, int bits) { return static_cast<std::uint32_t>(hash >> (64 - bits)); }

}  // namespace

void RowCandidates::Begin(const RowColumns& left, std::span<const std::uint32_t> left_rows,
                          const RowColumns& right, std::span<const std::uint32_t> right_rows) {
  left_.columns = &left;
  left_.rows = left_rows;
  right_.columns = &right;
  right_.rows = right_rows;
  ListCells(left_, left_keys_);
  ListCells(right_, right_keys_);
  std::uint32_t limit = 0;
  for (const Keys* const keys : {&left_keys_, &right_keys_}) {
    for (const std::uint32_t cell : keys->keys) limit = std::max(limit, cell + 1);
  }
  NamePairs(limit);
  BoundByCells(left_, left_keys_);
  BoundByCells(right_, right_keys_);
  ForgetKeys();
}

void RowCandidates::ListCells(const Side& side, Keys& keys) const {
  keys.Clear();
  for (std::uint32_t row = 0; row < side.size(); ++row) {
    const std::span<const std::uint32_t> cells = side.columns->CellsOf(side.rows[row]);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i == 0 || cells[i] != cells[i - 1]) keys.keys.push_back(cells[i]);
    }
    keys.EndRow(row);
  }
}

// Names the pairs that share a key which is rare for the left row, and records the common keys.
void RowCandidates::NamePairs(std::uint32_t limit) {
  pairs_.clear();
  if (right_count_.size() < limit) {
    right_count_.resize(limit, 0);
    in_left_.resize(limit, false);
    is_common_.resize(limit, false);
    slot_end_.resize(limit, 0);
  }
  for (const std::uint32_t key : left_keys_.keys) in_left_[key] = true;
  for (const std::uint32_t key : right_keys_.keys) {
    if (in_left_[key]) ++right_count_[key];
  }
  std::uint32_t slots = 0;
  for (const std::uint32_t key : right_keys_.keys) slot_end_[key] = kNever;
  for (const std::uint32_t key : right_keys_.keys) {
    if (slot_end_[key] != kNever || !in_left_[key]) continue;
    slot_end_[key] = slots;
    slots += right_count_[key];
  }
  slot_rows_.resize(slots);
  for (std::size_t i = 0; i < right_keys_.rows.size(); ++i) {
    for (const std::uint32_t key : right_keys_.Of(i)) {
      if (in_left_[key]) slot_rows_[slot_end_[key]++] = right_keys_.rows[i];
    }
  }
  seen_.assign(right_.size(), kNever);
  left_is_common_.assign(left_keys_.keys.size(), false);
  for (std::size_t i = 0; i < left_keys_.rows.size(); ++i) {
    const std::uint32_t row = left_keys_.rows[i];
    by_rareness_.clear();
    for (std::uint32_t at = left_keys_.begin[i]; at < left_keys_.begin[i + 1]; ++at) {
      const std::uint32_t count = right_count_[left_keys_.keys[at]];
      if (count != 0) by_rareness_.emplace_back(count, at);
    }
    std::ranges::sort(by_rareness_);
    std::uint32_t named = 0;
    for (const auto& [count, at] : by_rareness_) {
      const std::uint32_t key = left_keys_.keys[at];
      if (count + named > (named == 0 ? kMostRows : kPairsOfRow)) {
        left_is_common_[at] = is_common_[key] = true;
        continue;
      }
      named += count;
      for (std::uint32_t slot = slot_end_[key] - count; slot < slot_end_[key]; ++slot) {
        if (seen_[slot_rows_[slot]] == row) continue;
        seen_[slot_rows_[slot]] = row;
        pairs_.emplace_back(row, slot_rows_[slot]);
      }
    }
  }
}

void RowCandidates::ForgetKeys() {
  for (const std::uint32_t key : left_keys_.keys) in_left_[key] = false;
  for (const std::uint32_t key : right_keys_.keys) {
    right_count_[key] = 0;
    is_common_[key] = false;
  }
}

void RowCandidates::BoundByCells(Side& side, const Keys& keys) const {
  side.step.assign(side.rows.size(), 1);
  for (std::vector<std::uint32_t>& bound : side.bound) bound.assign(side.rows.size(), 0);
  side.common_begin.assign(1, 0);
  side.common.clear();
  for (std::uint32_t row = 0; row < side.size(); ++row) {
    const std::span<const std::uint32_t> cells = side.columns->CellsOf(side.rows[row]);
    std::size_t cell = 0;
    for (std::uint32_t at = keys.begin[row]; at < keys.begin[row + 1]; ++at) {
      const std::uint32_t key = keys.keys[at];
      const std::size_t begin = cell;
      while (cell < cells.size() && cells[cell] == key) ++cell;
      if (!(&side == &left_ ? left_is_common_[at] : is_common_[key])) continue;
      const auto times = static_cast<std::uint32_t>(cell - begin);
      side.common.emplace_back(key, times);
      side.bound[0][row] += times;
    }
    side.common_begin.push_back(static_cast<std::uint32_t>(side.common.size()));
  }
}

std::uint64_t RowCandidates::PairsFrom(std::uint8_t step) const {
  const auto rows_of = [&](const Side& side) {
    std::uint64_t rows = 0;
    for (std::uint32_t row = 0; row < side.size(); ++row) rows += side.IsAt(row, step);
    return rows;
  };
  return rows_of(left_) * rows_of(right_);
}

bool RowCandidates::TakeStep(std::uint8_t step) {
  std::uint64_t most = 0;
  for (const Side* const side : {&left_, &right_}) {
    std::uint64_t combinations = 0;
    for (std::uint32_t row = 0; row < side->size(); ++row) {
      if (side->IsAt(row, step)) combinations += Choose(side->CommonOf(row).size(), step);
    }
    if (combinations > kMostCombinations) return false;
    most = std::max(most, combinations);
  }
  const int bits = std::clamp(static_cast<int>(std::bit_width(most)) + 2, 8, kMostBits);
  ListCombinations(left_, step, bits, /*is_left=*/true);
  ListCombinations(right_, step, bits, /*is_left=*/false);
  NamePairs(std::uint32_t{1} << bits);
  BoundByCombinations(left_, step, bits);
  BoundByCombinations(right_, step, bits);
  ForgetKeys();
  return true;
}

// Lists, by row, the numbers of the combinations of common cells. For left rows, lists all numbers and sets
// in_left_ for them. For right rows, lists only the numbers that some left row has.
void RowCandidates::ListCombinations(const Side& side, std::uint8_t step, int bits, bool is_left) {
  Keys& keys = is_left ? left_keys_ : right_keys_;
  keys.Clear();
  if (is_left && in_left_.size() < std::size_t{1} << bits) {
    in_left_.resize(std::size_t{1} << bits, false);
  }
  for (std::uint32_t row = 0; row < side.size(); ++row) {
    if (!side.IsAt(row, step)) continue;
    const auto add = [&](std::uint64_t hash) {
      const std::uint32_t key = KeyOf(hash, bits);
      if (is_left) in_left_[key] = true;
      if (in_left_[key]) keys.keys.push_back(key);
    };
    Combination chosen;
    ForEachCombination(side.CommonOf(row), 0, step, chosen, add);
    keys.EndRow(row);
  }
}

void RowCandidates::BoundByCombinations(Side& side, std::uint8_t step, int bits) {
  const bool is_left = &side == &left_;
  std::size_t at = 0;  // position of the current combination in the list of left combinations
  for (std::uint32_t row = 0; row < side.size(); ++row) {
    if (!side.IsAt(row, step)) continue;
    const auto cells = side.CommonOf(row);
    common_with_.assign(cells.size(), 0);
    Combination chosen;
    const auto count = [&](std::uint64_t hash) {
      if (!(is_left ? left_is_common_[at++] : is_common_[KeyOf(hash, bits)])) return;
      for (std::size_t i = 0; i < step; ++i) ++common_with_[chosen[i]];
    };
    ForEachCombination(cells, 0, step, chosen, count);
    std::ranges::sort(common_with_, std::greater<>());
    std::size_t most = std::min(cells.size(), step - std::size_t{1});
    while (most < cells.size() && common_with_[most] >= Choose(most, step - 1u)) ++most;
    times_.clear();
    for (const auto& [cell, times] : cells) times_.push_back(times);
    std::ranges::sort(times_, std::greater<>());
    const std::uint32_t bound =
        std::accumulate(times_.begin(), times_.begin() + static_cast<std::ptrdiff_t>(most), 0u);
    side.bound[step - 1u][row] = std::min(bound, side.bound[step - 2u][row]);
  }
}

void RowCandidates::NameAll(std::uint8_t step) {
  pairs_.clear();
  for (std::uint32_t row = 0; row < left_.size(); ++row) {
    if (!left_.IsAt(row, step)) continue;
    left_.bound[step - 1u][row] = 0;
    for (std::uint32_t other = 0; other < right_.size(); ++other) {
      if (right_.IsAt(other, step)) pairs_.emplace_back(row, other);
    }
  }
  for (std::uint32_t other = 0; other < right_.size(); ++other) {
    if (right_.IsAt(other, step)) right_.bound[step - 1u][other] = 0;
  }
}

void RowCandidates::NameAllOf(std::span<const std::uint32_t> left_rows,
                              std::span<const std::uint32_t> right_rows) {
  pairs_.clear();
  for (const std::uint32_t row : left_rows) left_.step[row] = kSteps + 1;
  for (const std::uint32_t row : right_rows) right_.step[row] = kSteps + 1;
  auto next = left_rows.begin();
  for (std::uint32_t row = 0; row < left_.size(); ++row) {
    if (next != left_rows.end() && *next == row) {
      for (std::uint32_t other = 0; other < right_.size(); ++other) pairs_.emplace_back(row, other);
      ++next;
    } else {
      for (const std::uint32_t other : right_rows) pairs_.emplace_back(row, other);
    }
  }
}

}  // namespace leafscore::internal
