#include "engine/match/least_cost_assignment.h"

#include <limits>
#include <utility>

namespace leafscore::internal {
namespace {

constexpr std::int64_t kFarthest = std::numeric_limits<std::int64_t>::max();

}  // namespace

bool LeastCostAssignment::Assign(std::uint32_t rows, std::uint32_t columns, const CostsOfRow& costs_of,
                                 std::uint64_t& steps) {
  column_of_row_.assign(rows, kNone);
  row_of_column_.assign(columns, kNone);
  row_potential_.assign(rows, 0);
  column_potential_.assign(columns, 0);
  row_before_.resize(columns);
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (!AddRow(row, costs_of, steps)) return false;
  }
  return true;
}

// Finds the cheapest path from a new row to a column that no row has, and moves the rows along this path.
bool LeastCostAssignment::AddRow(std::uint32_t row, const CostsOfRow& costs_of, std::uint64_t& steps) {
  const auto columns = static_cast<std::uint32_t>(row_of_column_.size());
  distance_.assign(columns, kFarthest);
  left_.resize(columns);
  for (std::uint32_t i = 0; i < columns; ++i) left_[i] = columns - 1 - i;
  reached_.clear();
  std::uint32_t last = row;
  std::int64_t distance = 0;
  for (;;) {
    if (steps < left_.size()) return false;
    steps -= left_.size();
    const std::uint32_t column = ReachFrom(last, distance, costs_of(last));
    distance = distance_[column];
    if (row_of_column_[column] == kNone) break;
    last = row_of_column_[column];
  }
  RaisePotentials(row, distance);
  MoveAlong(row, reached_.back());
  return true;
}

// Extends the cheapest paths by a step from `row`, which is at `distance`, to each column. RETURNS: the
// nearest column, which is now reached.
std::uint32_t LeastCostAssignment::ReachFrom(std::uint32_t row, std::int64_t distance,
                                             std::span<const std::uint32_t> costs) {
  const std::int64_t base = distance - row_potential_[row];
  std::int64_t nearest = kFarthest;
  std::size_t nearest_at = 0;
  for (std::size_t i = 0; i < left_.size(); ++i) {
    const std::uint32_t column = left_[i];
    const std::int64_t through = base + costs[column] - column_potential_[column];
    if (through < distance_[column]) {
      distance_[column] = through;
      row_before_[column] = row;
    }
    const std::int64_t at = distance_[column];
    if (at < nearest || (at == nearest && row_of_column_[column] == kNone)) {
      nearest = at;
      nearest_at = i;
    }
  }
  const std::uint32_t column = std::exchange(left_[nearest_at], left_.back());
  left_.pop_back();
  reached_.push_back(column);
  return column;
}

// Makes every step of the found paths cost nothing, so that no later step has a negative cost.
void LeastCostAssignment::RaisePotentials(std::uint32_t row, std::int64_t distance) {
  row_potential_[row] += distance;
  for (const std::uint32_t column : reached_) {
    const std::int64_t nearer_by = distance - distance_[column];
    column_potential_[column] -= nearer_by;
    if (row_of_column_[column] != kNone) row_potential_[row_of_column_[column]] += nearer_by;
  }
}

void LeastCostAssignment::MoveAlong(std::uint32_t row, std::uint32_t column) {
  for (;;) {
    const std::uint32_t before = row_before_[column];
    row_of_column_[column] = before;
    column = std::exchange(column_of_row_[before], column);
    if (before == row) return;
  }
}

}  // namespace leafscore::internal
