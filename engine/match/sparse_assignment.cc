#include "engine/match/sparse_assignment.h"

#include <algorithm>
#include <functional>

namespace leafscore::internal {
namespace {

constexpr std::uint32_t kUnreached = std::numeric_limits<std::uint32_t>::max();

}  // namespace

bool SparseAssignment::Solve(const CandidateLists& candidates, std::uint32_t columns, std::uint64_t& steps) {
  candidates_ = &candidates;
  steps_ = &steps;
  const std::uint32_t rows = candidates.rows();
  row_potential_.assign(rows, 0);
  column_potential_.assign(columns, 0);
  column_of_.assign(rows, kUnpaired);
  row_of_.assign(columns, kUnpaired);
  distance_.assign(columns, kUnreached);
  previous_.resize(columns);
  bool exact = true;
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (const auto& [column, weight] : candidates.Of(row)) {
      row_potential_[row] = std::max(row_potential_[row], weight);
    }
    if (row_potential_[row] == 0) continue;
    if (exact) {
      exact = Augment(row);
    } else {
      TakeHeaviestFree(row);
    }
  }
  if (exact) Balance();
  return exact;
}

// Moves up to half of the potential of each assigned row to its column. Moves less if another pair of the row
// needs the potential.
void SparseAssignment::Balance() {
  for (std::uint32_t row = 0; row < candidates_->rows(); ++row) {
    if (column_of_[row] == kUnpaired) continue;
    std::uint32_t most = row_potential_[row] / 2;
    for (const auto& [column, weight] : candidates_->Of(row)) {
      if (column == column_of_[row]) continue;
      most = std::min(most, row_potential_[row] + column_potential_[column] - weight);
    }
    row_potential_[row] -= most;
    column_potential_[column_of_[row]] += most;
  }
}

void SparseAssignment::TakeHeaviestFree(std::uint32_t row) {
  CandidateLists::Candidate best{kUnpaired, 0};
  for (const CandidateLists::Candidate& candidate : candidates_->Of(row)) {
    if (row_of_[candidate.column] == kUnpaired && candidate.weight > best.weight) best = candidate;
  }
  if (best.column != kUnpaired) Assign(row, best.column);
}

// Finds the cheapest path from a row, and moves the rows along the path. The path ends at a free column, or
// at a row that is better left unassigned. RETURNS: false if the steps do not suffice.
bool SparseAssignment::Augment(std::uint32_t root) {
  reached_.clear();
  final_.clear();
  heap_.clear();
  std::uint32_t least = row_potential_[root];  // the cost of the cheapest end so far
  std::uint32_t end_column = kUnpaired;        // its column; kUnpaired if the path ends at a row
  std::uint32_t end_row = root;
  bool searches = true;
  const auto look = [&](std::uint32_t row, std::uint32_t so_far) {
    const std::span<const CandidateLists::Candidate> candidates = candidates_->Of(row);
    if (candidates.size() > *steps_) {
      *steps_ = 0;
      searches = false;
      return;
    }
    *steps_ -= candidates.size();
    for (const auto& [column, weight] : candidates) {
      const std::uint32_t cost = so_far + row_potential_[row] + column_potential_[column] - weight;
      if (cost >= least || cost >= distance_[column]) continue;
      if (distance_[column] == kUnreached) reached_.push_back(column);
      distance_[column] = cost;
      previous_[column] = row;
      if (row_of_[column] == kUnpaired) {
        least = cost;
        end_column = column;
      } else {
        heap_.push_back(std::uint64_t{cost} << 32 | column);
        std::ranges::push_heap(heap_, std::greater<>());
      }
    }
  };
  look(root, 0);
  while (searches && !heap_.empty()) {
    std::ranges::pop_heap(heap_, std::greater<>());
    const auto cost = static_cast<std::uint32_t>(heap_.back() >> 32);
    const auto column = static_cast<std::uint32_t>(heap_.back());
    heap_.pop_back();
    if (cost >= least) break;
    if (cost != distance_[column]) continue;  // a cheaper path to it was found since
    const std::uint32_t row = row_of_[column];
    final_.emplace_back(cost, column);
    if (cost + row_potential_[row] < least) {
      least = cost + row_potential_[row];
      end_column = kUnpaired;
      end_row = row;
    }
    look(row, cost);
  }
  for (const auto& [cost, column] : final_) {
    if (cost >= least) continue;
    column_potential_[column] += least - cost;
    row_potential_[row_of_[column]] -= least - cost;
  }
  row_potential_[root] -= least;
  for (const std::uint32_t column : reached_) distance_[column] = kUnreached;
  std::uint32_t column = end_column;
  if (column == kUnpaired) {
    column = end_row == root ? kUnpaired : column_of_[end_row];
    column_of_[end_row] = kUnpaired;
  }
  while (column != kUnpaired) {
    const std::uint32_t row = previous_[column];
    const std::uint32_t before = column_of_[row];
    row_of_[column] = row;
    column_of_[row] = column;
    if (row == root) break;
    column = before;
  }
  return searches;
}

}  // namespace leafscore::internal
