#include "engine/match/row_assignment.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace leafscore::internal {
namespace {

constexpr std::uint32_t kNoPotential = std::numeric_limits<std::uint32_t>::max();

// Up to this many pairs, weighing all of them is faster than searching for the pairs that share a cell.
constexpr std::uint64_t kFewRowPairs = 1024;
// If at most this many pairs are unproven, all of them are examined.
constexpr std::uint64_t kFewUnprovenPairs = 1 << 16;
// How many free columns are tried for a cell of a row.
constexpr std::size_t kColumnsLookedAt = 16;
// All pairs with an unassigned row are examined if there are at most this many per row of the two lists.
constexpr std::uint64_t kLeftPairsOfRow = 16;
// The most rounds in which unproven rows are examined more closely.
constexpr int kMaxRounds = 16;

bool TakeSteps(std::uint64_t& budget, std::uint64_t steps) {
  if (steps > budget) return false;
  budget -= steps;
  return true;
}

}  // namespace

bool RowAssignment::Begin(const RowPairingTask& task, PairingBudget& budget) {
  budget_ = &budget;
  return matrix_.Begin(task);
}

bool RowAssignment::Assign(std::span<const std::uint32_t> expected, std::span<const std::uint32_t> actual) {
  matrix_.SetSides(expected, actual);
  const bool looks_at_all = std::uint64_t{expected.size()} * actual.size() <= kFewRowPairs;
  const bool is_proven = (looks_at_all && SolveOverAll()) || SolveWithProof();
  if (!is_proven) PairLeftInOrder();
  return is_proven;
}

bool RowAssignment::AssignKeysFirst(std::span<const std::uint32_t> expected,
                                    std::span<const std::uint32_t> actual) {
  matrix_.SetSides(expected, actual);
  return std::uint64_t{expected.size()} * actual.size() <= kMaxAllRowPairs && matrix_.PutKeysFirst() &&
         SolveOverAll();
}

std::optional<RowAssignment::Pair> RowAssignment::OnlyBest(std::span<const std::uint32_t> expected,
                                                           std::span<const std::uint32_t> actual) {
  matrix_.SetSides(expected, actual);
  std::uint32_t best = 0;
  std::uint32_t best_column = 0;
  bool is_tie = true;
  for (std::uint32_t column = 0; column < matrix_.columns().size(); ++column) {
    const std::uint32_t weight = matrix_.Weight(0, column);
    if (weight < best) continue;
    is_tie = weight == best;
    best = weight;
    best_column = column;
  }
  if (is_tie) return std::nullopt;
  return Pair(matrix_.ExpectedOf(0, best_column), matrix_.ActualOf(0, best_column));
}

// Solves the assignment with all pairs as candidates. RETURNS: whether the work is within the limits.
bool RowAssignment::SolveOverAll() {
  const std::uint64_t steps = matrix_.StepsOfAllPairs();
  if (matrix_.weighs() && !TakeSteps(budget_->inner_steps, steps)) return false;
  if (!TakeSteps(budget_->search_steps, steps)) return false;
  candidates_.Clear();
  for (std::uint32_t row = 0; row < matrix_.rows().size(); ++row) {
    for (std::uint32_t column = 0; column < matrix_.columns().size(); ++column) {
      const std::uint32_t weight = matrix_.Weight(row, column);
      if (weight != 0) candidates_.all.push_back({column, weight});
    }
    candidates_.EndRow();
  }
  return assignment_.Solve(candidates_, static_cast<std::uint32_t>(matrix_.columns().size()),
                           budget_->search_steps);
}

// Solves the assignment with the pairs that share something rare as candidates, and adds other pairs until
// the bounds hold. RETURNS: whether the bounds hold in the end.
bool RowAssignment::SolveWithProof() {
  candidates_.first.assign(matrix_.rows().size() + 1, 0);
  candidates_.all.clear();
  finder_.Begin(matrix_.row_side(), matrix_.rows(), matrix_.column_side(), matrix_.columns());
  const bool weighed = matrix_.weighs();
  AddCandidates();
  for (int round = 0; round < kMaxRounds; ++round) {
    const auto columns = static_cast<std::uint32_t>(matrix_.columns().size());
    if (!assignment_.Solve(candidates_, columns, budget_->search_steps)) return false;
    if (RaiseUnproven(/*raises=*/false) == 0) return matrix_.weighs() == weighed;
    if (NameLeft()) continue;
    const std::uint32_t risen = RaiseUnproven(/*raises=*/true);
    for (std::uint8_t step = 2; step <= RowCandidates::kSteps; ++step) {
      if ((risen >> step & 1) != 0 && !LookCloser(step)) return false;
    }
  }
  return false;
}

// Adds the pairs that the finder named. If weighing them would take too long, the weight of each pair, old or
// new, becomes its number of shared cells.
void RowAssignment::AddCandidates() {
  if (matrix_.weighs()) {
    std::uint64_t steps = 0;
    for (const auto& [row, column] : finder_.pairs()) {
      steps += finder_.left().CellCount(row) + finder_.right().CellCount(column);
    }
    if (!TakeSteps(budget_->inner_steps, steps)) {
      matrix_.StopWeighing();
      for (std::uint32_t row = 0; row < candidates_.rows(); ++row) {
        for (std::uint32_t i = candidates_.first[row]; i < candidates_.first[row + 1]; ++i) {
          candidates_.all[i].weight = matrix_.Shared(row, candidates_.all[i].column);
        }
      }
    }
  }
  merged_.Clear();
  auto pair = finder_.pairs().begin();
  for (std::uint32_t row = 0; row < matrix_.rows().size(); ++row) {
    new_columns_.clear();
    for (; pair != finder_.pairs().end() && pair->first == row; ++pair) new_columns_.push_back(pair->second);
    std::ranges::sort(new_columns_);
    const std::span<const CandidateLists::Candidate> known = candidates_.Of(row);
    auto next = known.begin();
    for (const std::uint32_t column : new_columns_) {
      while (next != known.end() && next->column < column) merged_.all.push_back(*next++);
      if (next != known.end() && next->column == column) continue;
      const std::uint32_t weight = matrix_.Weight(row, column);
      if (weight != 0) merged_.all.push_back({column, weight});
    }
    merged_.all.insert(merged_.all.end(), next, known.end());
    merged_.EndRow();
  }
  std::swap(candidates_, merged_);
}

// Adds all pairs with an unassigned row or column to the candidates if these pairs are few. Unassigned rows
// have a potential of 0, so they may be the only reason why other rows are not proven. RETURNS: whether it
// added the pairs.
bool RowAssignment::NameLeft() {
  left_rows_.clear();
  left_columns_.clear();
  std::vector<bool> is_taken(matrix_.columns().size());
  for (std::uint32_t row = 0; row < matrix_.rows().size(); ++row) {
    const std::uint32_t column = assignment_.column_of()[row];
    if (column != kUnpaired) {
      is_taken[column] = true;
    } else if (finder_.left().IsAt(row, 1)) {
      left_rows_.push_back(row);
    }
  }
  for (std::uint32_t column = 0; column < matrix_.columns().size(); ++column) {
    if (!is_taken[column] && finder_.right().IsAt(column, 1)) left_columns_.push_back(column);
  }
  const std::uint64_t rows = matrix_.rows().size();
  const std::uint64_t columns = matrix_.columns().size();
  const std::uint64_t pairs = left_rows_.size() * columns + left_columns_.size() * rows;
  if (pairs == 0 || pairs > kLeftPairsOfRow * (rows + columns)) return false;
  if (!TakeSteps(budget_->search_steps, pairs)) return false;
  finder_.NameAllOf(left_rows_, left_columns_);
  AddCandidates();
  return true;
}

// Checks the pairs that are not candidates: two rows must not be able to share more cells than the sum of
// their potentials. With `raises`, a row that fails this check advances to the next step. RETURNS: the steps
// to perform, as bits.
std::uint32_t RowAssignment::RaiseUnproven(bool raises) {
  // Indexed by step and number of cells. Each element is the least potential of the rows (or columns) that
  // have reached the step and can share at least this number of cells outside their candidates.
  using Least = std::array<std::vector<std::uint32_t>, RowCandidates::kSteps>;
  const auto least_of = [](const RowCandidates::Side& side, std::span<const std::uint32_t> potential) {
    Least least;
    for (std::uint8_t step = 1; step <= RowCandidates::kSteps; ++step) {
      std::vector<std::uint32_t>& of_step = least[step - 1u];
      const std::vector<std::uint32_t>& bound = side.bound[step - 1u];
      for (std::uint32_t row = 0; row < side.size(); ++row) {
        if (!side.IsAt(row, step)) continue;
        if (bound[row] >= of_step.size()) of_step.resize(bound[row] + std::size_t{1}, kNoPotential);
        of_step[bound[row]] = std::min(of_step[bound[row]], potential[row]);
      }
      for (std::size_t cells = of_step.size(); cells-- > 1;) {
        of_step[cells - 1] = std::min(of_step[cells - 1], of_step[cells]);
      }
    }
    return least;
  };
  const std::uint32_t weight_of_cell = matrix_.weight_of_cell();
  std::uint32_t risen = 0;
  const auto raise = [&](RowCandidates::Side& side, std::span<const std::uint32_t> potential,
                         const Least& least_of_others) {
    for (std::uint32_t row = 0; row < side.size(); ++row) {
      const std::uint8_t step = side.step[row];
      if (!side.IsAt(row, 1)) continue;
      const std::vector<std::uint32_t>& least = least_of_others[step - 1u];
      const std::uint32_t bound = side.bound[step - 1u][row];
      for (std::uint32_t shared = potential[row] / weight_of_cell + 1;
           shared <= bound && shared < least.size(); ++shared) {
        if (std::uint64_t{potential[row]} + least[shared] >= std::uint64_t{shared} * weight_of_cell) continue;
        if (raises) side.step[row] = static_cast<std::uint8_t>(step + 1);
        risen |= std::uint32_t{1} << (step + 1);
        break;
      }
    }
  };
  const Least least_left = least_of(finder_.left(), assignment_.row_potential());
  const Least least_right = least_of(finder_.right(), assignment_.column_potential());
  raise(finder_.left(), assignment_.row_potential(), least_right);
  raise(finder_.right(), assignment_.column_potential(), least_left);
  return risen;
}

// Performs a step for the rows that have reached it, or examines all pairs of these rows. RETURNS: whether
// the work is within the limits.
bool RowAssignment::LookCloser(std::uint8_t step) {
  const std::uint64_t pairs = finder_.PairsFrom(step);
  const bool combines = pairs > kFewUnprovenPairs && step < RowCandidates::kSteps && finder_.TakeStep(step);
  if (!combines) {
    if (pairs > kMaxAllRowPairs || !TakeSteps(budget_->search_steps, pairs)) return false;
    finder_.NameAll(step);
  }
  AddCandidates();
  return true;
}

// Pairs the unpaired rows in order. Each gets the best of the first free columns that have its rarest cell.
void RowAssignment::PairLeftInOrder() {
  const auto is_taken = [&](std::uint32_t column) { return assignment_.row_of()[column] != kUnpaired; };
  // The free columns of each cell, sorted. Columns that have been taken in the meantime are skipped.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> free;
  for (std::uint32_t column = 0; column < matrix_.columns().size(); ++column) {
    if (is_taken(column)) continue;
    for (const std::uint32_t cell : matrix_.column_side().CellsOf(matrix_.columns()[column]))
      free.emplace_back(cell, column);
  }
  std::ranges::sort(free);
  // Indexed by the position in `free` where the columns of a cell begin. Each element has the position of the
  // first column that may still be free, and the end of these columns.
  std::vector<std::pair<std::size_t, std::size_t>> run_at(free.size());
  for (std::size_t begin = 0, end = 0; begin < free.size(); begin = end) {
    while (end < free.size() && free[end].first == free[begin].first) ++end;
    run_at[begin] = {begin, end};
  }
  std::vector<std::pair<std::size_t, std::size_t>> runs;  // size and begin
  for (std::uint32_t row = 0; row < matrix_.rows().size(); ++row) {
    if (assignment_.column_of()[row] != kUnpaired) continue;
    runs.clear();
    for (const std::uint32_t cell : matrix_.row_side().CellsOf(matrix_.rows()[row])) {
      const auto run = std::ranges::lower_bound(free, std::pair(cell, 0u));
      if (run == free.end() || run->first != cell) continue;
      const auto begin = static_cast<std::size_t>(run - free.begin());
      runs.emplace_back(run_at[begin].second - begin, begin);
    }
    std::ranges::sort(runs);
    CandidateLists::Candidate best{kUnpaired, 0};
    for (std::size_t i = 0; i < runs.size() && best.column == kUnpaired; ++i) {
      auto& [first, end] = run_at[runs[i].second];
      while (first < end && is_taken(free[first].second)) ++first;
      for (std::size_t at = first; at < std::min(end, first + kColumnsLookedAt); ++at) {
        const std::uint32_t column = free[at].second;
        const std::uint32_t weight = is_taken(column) ? 0 : matrix_.Shared(row, column);
        if (weight > best.weight) best = {column, weight};
      }
    }
    if (best.column != kUnpaired) assignment_.Assign(row, best.column);
  }
}

}  // namespace leafscore::internal
