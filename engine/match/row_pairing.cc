#include "engine/match/row_pairing.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace leafscore::internal {
namespace {

constexpr std::uint32_t kNoPotential = std::numeric_limits<std::uint32_t>::max();

// Up to this many pairs, weighing all of them is faster than searching for the pairs that share a cell.
constexpr std::uint64_t kFewRowPairs = 1024;
// If at most this many pairs are unproven, all of them are examined.
constexpr std::uint64_t kFewUnprovenPairs = 1 << 16;
// How many free columns are tried for a cell of a row.
constexpr std::size_t kColumnsLookedAt = 16;
// If there are at most this many remaining pairs per row of either side, all of them are examined.
constexpr std::uint64_t kLeftPairsOfRow = 16;
// The most rounds in which unproven rows are examined more closely.
constexpr int kMaxRounds = 16;
// The largest weight of a pair, so that sums of a few weights do not overflow.
constexpr std::uint64_t kMostPairWeight = 1 << 28;

void SortBy(const std::vector<std::uint32_t>& number, std::span<const std::uint32_t> rows,
            std::vector<std::pair<std::uint32_t, std::uint32_t>>& sorted) {
  sorted.clear();
  for (const std::uint32_t row : rows) {
    if (number[row] != 0) sorted.emplace_back(number[row], row);
  }
  std::ranges::sort(sorted);
}

// Calls visit(expected, actual) for each number that both sides have. The arguments are the (number, row)
// pairs of each side with this number.
template <class Pairs, class Visit>
void ForEachCommonNumber(const Pairs& expected, const Pairs& actual, Visit visit) {
  const auto end_of_run = [](const Pairs& pairs, std::size_t begin) {
    std::size_t end = begin;
    while (end < pairs.size() && pairs[end].first == pairs[begin].first) ++end;
    return end;
  };
  std::size_t e = 0;
  std::size_t a = 0;
  while (e < expected.size() && a < actual.size()) {
    if (expected[e].first < actual[a].first) {
      ++e;
    } else if (actual[a].first < expected[e].first) {
      ++a;
    } else {
      const std::size_t e_end = end_of_run(expected, e);
      const std::size_t a_end = end_of_run(actual, a);
      visit(std::span(expected).subspan(e, e_end - e), std::span(actual).subspan(a, a_end - a));
      e = e_end;
      a = a_end;
    }
  }
}

bool TakeSteps(std::uint64_t& budget, std::uint64_t steps) {
  if (steps > budget) return false;
  budget -= steps;
  return true;
}

}  // namespace

bool RowPairing::Pair(const RowColumns& expected, const RowColumns& actual, const RowPairingRules& rules,
                      PairingBudget& budget) {
  expected_ = &expected;
  actual_ = &actual;
  rules_ = &rules;
  budget_ = &budget;
  exact_ = true;
  paired_ = 0;
  joined_ = 0;
  only_pairs_ = 0;
  actual_of_.assign(expected.size(), kUnpaired);
  expected_of_.assign(actual.size(), kUnpaired);
  SetScale();
  if (rules.join) {
    Join();
    if (!rules.pair_left) return exact_;
  }
  left_expected_.clear();
  left_actual_.clear();
  for (std::uint32_t row = 0; row < expected.size(); ++row) {
    if (actual_of_[row] == kUnpaired) left_expected_.push_back(row);
  }
  for (std::uint32_t row = 0; row < actual.size(); ++row) {
    if (expected_of_[row] == kUnpaired) left_actual_.push_back(row);
  }
  PairRows(left_expected_, left_actual_);
  if (!exact_ && rules.weigh != nullptr) PartUnlikeRows();
  return exact_;
}

// Sets scale_ so that one more matched cell outweighs all costs. If the weights would exceed the limit, the
// pairing is not exact.
void RowPairing::SetScale() {
  scale_ = 1;
  key_scale_ = 1;
  if (rules_->most_cost == 0) return;
  std::uint64_t most_cells = 0;
  for (std::uint32_t row = 0; row < expected_->size(); ++row) {
    most_cells = std::max<std::uint64_t>(most_cells, expected_->CellsOf(row).size());
  }
  if (most_cells * (rules_->most_cost + std::uint64_t{1}) <= kMostPairWeight) {
    scale_ = rules_->most_cost + 1;
  } else {
    exact_ = false;
  }
}

// Separates paired rows that share cells but have no matching cell. Such pairs can occur in an inexact
// pairing.
void RowPairing::PartUnlikeRows() {
  for (std::uint32_t row = 0; row < expected_->size(); ++row) {
    const std::uint32_t actual = actual_of_[row];
    if (actual == kUnpaired || AreJoined(row, actual) || rules_->weigh(row, actual).matched != 0) continue;
    actual_of_[row] = expected_of_[actual] = kUnpaired;
    --paired_;
  }
}

void RowPairing::Match(std::uint32_t expected, std::uint32_t actual) {
  actual_of_[expected] = actual;
  expected_of_[actual] = expected;
  ++paired_;
}

void RowPairing::Join() {
  Rows all_expected(expected_->size());
  Rows all_actual(actual_->size());
  std::iota(all_expected.begin(), all_expected.end(), 0u);
  std::iota(all_actual.begin(), all_actual.end(), 0u);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_key_expected;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_key_actual;
  SortBy(expected_->key, all_expected, by_key_expected);
  SortBy(actual_->key, all_actual, by_key_actual);
  std::vector<OpenKey> open;
  ForEachCommonNumber(by_key_expected, by_key_actual, [&](auto e_run, auto a_run) {
    if (e_run.size() == 1 && a_run.size() == 1) {
      ++only_pairs_;
      return Match(e_run[0].second, a_run[0].second);
    }
    OpenKey key;
    for (const auto& [number, row] : e_run) key.expected.push_back(row);
    for (const auto& [number, row] : a_run) key.actual.push_back(row);
    if (e_run.size() == a_run.size() || !rules_->pair_left) {
      PairRows(key.expected, key.actual);
    } else {
      open.push_back(std::move(key));
    }
  });
  if (!open.empty() && !PairOpenKeys(open)) {
    for (OpenKey& key : open) PairRows(key.expected, key.actual);
  }
  for (std::uint32_t row = 0; row < expected_->size(); ++row) {
    joined_ += actual_of_[row] != kUnpaired && AreJoined(row, actual_of_[row]);
  }
}

// Pairs all unpaired rows in one assignment: the rows of open keys and the rows without a counterpart by key.
// If several pairs of a key are equally good, the pairs that leave the most matches for other rows are
// chosen. RETURNS: false if the rows of each key must be paired separately: either the choice does not matter
// to other rows, or the work exceeds the limits. In the second case, the pairing is not exact.
bool RowPairing::PairOpenKeys(std::vector<OpenKey>& open) {
  std::erase_if(open, [&](const OpenKey& key) { return TakeOnlyBest(key); });
  std::size_t pairs_of_keys = 0;
  for (const OpenKey& key : open) pairs_of_keys += std::min(key.expected.size(), key.actual.size());
  Rows expected;
  Rows actual;
  for (std::uint32_t row = 0; row < expected_->size(); ++row) {
    if (actual_of_[row] == kUnpaired) expected.push_back(row);
  }
  for (std::uint32_t row = 0; row < actual_->size(); ++row) {
    if (expected_of_[row] == kUnpaired) actual.push_back(row);
  }
  if (open.empty() || pairs_of_keys == std::min(expected.size(), actual.size())) return false;
  SetSides(expected, actual);
  std::uint64_t most_cells = 0;
  std::uint64_t cells = 0;  // upper bound for the matches of the rows that no key joins
  const RowColumns& side = transposed_ ? *actual_ : *expected_;
  for (const std::uint32_t row : *rows_) {
    most_cells = std::max<std::uint64_t>(most_cells, side.CellsOf(row).size());
    cells += side.CellsOf(row).size();
  }
  const std::uint64_t key_scale = cells * scale_ + 1;
  const bool fits = std::uint64_t{expected.size()} * actual.size() <= kMaxAllRowPairs &&
                    key_scale <= kMostPairWeight && most_cells * scale_ * key_scale <= kMostPairWeight;
  if (fits) key_scale_ = static_cast<std::uint32_t>(key_scale);
  const bool is_solved = fits && SolveOverAll();
  key_scale_ = 1;
  exact_ &= is_solved;
  if (is_solved) TakeAssigned();
  return is_solved;
}

// If one side has a single row of a key, pairs it with the best row of the other side, unless several rows
// are equally good or no cell matches. RETURNS: whether it paired two rows.
bool RowPairing::TakeOnlyBest(const OpenKey& open) {
  if (open.expected.size() != 1 && open.actual.size() != 1) return false;
  SetSides(open.expected, open.actual);
  std::uint32_t best = 0;
  std::uint32_t best_column = 0;
  bool is_tie = true;
  for (std::uint32_t column = 0; column < columns_->size(); ++column) {
    const std::uint32_t weight = Weight(0, column);
    if (weight < best) continue;
    is_tie = weight == best;
    best = weight;
    best_column = column;
  }
  if (is_tie) return false;
  const std::uint32_t row = (*rows_)[0];
  const std::uint32_t column = (*columns_)[best_column];
  transposed_ ? Match(column, row) : Match(row, column);
  return true;
}

bool RowPairing::AreJoined(std::uint32_t expected, std::uint32_t actual) const {
  return rules_->join && expected_->key[expected] != 0 && expected_->key[expected] == actual_->key[actual];
}

void RowPairing::PairRows(Rows& expected, Rows& actual) {
  const bool all_fit = std::uint64_t{expected.size()} * actual.size() <= kMaxAllRowPairs;
  if (rules_->peel || !all_fit) {
    if (!rules_->peel) exact_ = false;
    Peel(expected, actual);
  }
  if (!expected.empty() && !actual.empty()) Assign(expected, actual);
}

void RowPairing::Peel(Rows& expected, Rows& actual) {
  SortBy(expected_->whole, expected, sorted_expected_);
  SortBy(actual_->whole, actual, sorted_actual_);
  ForEachCommonNumber(sorted_expected_, sorted_actual_, [&](auto e_run, auto a_run) {
    for (std::size_t i = 0; i < std::min(e_run.size(), a_run.size()); ++i) {
      Match(e_run[i].second, a_run[i].second);
    }
  });
  std::erase_if(expected, [&](std::uint32_t row) { return actual_of_[row] != kUnpaired; });
  std::erase_if(actual, [&](std::uint32_t row) { return expected_of_[row] != kUnpaired; });
}

// Returns how many cells a pair of the current assignment shares.
std::uint32_t RowPairing::Shared(std::uint32_t row, std::uint32_t column) const {
  const std::span<const std::uint32_t> r = (transposed_ ? actual_ : expected_)->CellsOf((*rows_)[row]);
  const std::span<const std::uint32_t> c = (transposed_ ? expected_ : actual_)->CellsOf((*columns_)[column]);
  std::uint32_t shared = 0;
  for (std::size_t i = 0, j = 0; i < r.size() && j < c.size();) {
    const bool both = r[i] == c[j];
    const bool first = r[i] < c[j];
    shared += both;
    i += both || first;
    j += both || !first;
  }
  return shared;
}

std::uint32_t RowPairing::Weight(std::uint32_t row, std::uint32_t column) const {
  std::uint32_t weight = Shared(row, column);
  const std::uint32_t expected = transposed_ ? (*columns_)[column] : (*rows_)[row];
  const std::uint32_t actual = transposed_ ? (*rows_)[row] : (*columns_)[column];
  if (weighs_ && weight != 0) {
    const PairWeight of_pair = rules_->weigh(expected, actual);
    weight = of_pair.matched == 0 ? 0 : of_pair.matched * scale_ - (scale_ == 1 ? 0 : of_pair.cost);
  }
  return key_scale_ != 1 && AreJoined(expected, actual) ? weight * key_scale_ : weight;
}

// Makes the rows of the shorter side the rows of the assignment.
void RowPairing::SetSides(const Rows& expected, const Rows& actual) {
  transposed_ = expected.size() > actual.size();
  rows_ = transposed_ ? &actual : &expected;
  columns_ = transposed_ ? &expected : &actual;
  weighs_ = rules_->weigh != nullptr;
}

void RowPairing::Assign(const Rows& expected, const Rows& actual) {
  SetSides(expected, actual);
  const bool looks_at_all = std::uint64_t{expected.size()} * actual.size() <= kFewRowPairs;
  const bool is_proven = (looks_at_all && SolveOverAll()) || SolveWithProof();
  exact_ &= is_proven;
  TakeAssigned();
  if (!is_proven) PairLeftInOrder();
}

void RowPairing::TakeAssigned() {
  const std::span<const std::uint32_t> column_of = assignment_.column_of();
  for (std::uint32_t row = 0; row < rows_->size(); ++row) {
    const std::uint32_t column = column_of[row];
    if (column == kUnpaired) continue;
    transposed_ ? Match((*columns_)[column], (*rows_)[row]) : Match((*rows_)[row], (*columns_)[column]);
  }
}

// Solves the assignment with all pairs as candidates. RETURNS: whether the work is within the limits.
bool RowPairing::SolveOverAll() {
  const auto cells_in = [](const RowColumns& side, const Rows& rows) {
    std::uint64_t cells = 0;
    for (const std::uint32_t row : rows) cells += side.cell_begin[row + 1] - side.cell_begin[row];
    return cells;
  };
  const RowColumns& row_side = transposed_ ? *actual_ : *expected_;
  const RowColumns& column_side = transposed_ ? *expected_ : *actual_;
  const std::uint64_t steps =
      columns_->size() * cells_in(row_side, *rows_) + rows_->size() * cells_in(column_side, *columns_);
  if (weighs_ && !TakeSteps(budget_->inner_steps, steps)) return false;
  if (!TakeSteps(budget_->search_steps, steps)) return false;
  candidates_.Clear();
  for (std::uint32_t row = 0; row < rows_->size(); ++row) {
    for (std::uint32_t column = 0; column < columns_->size(); ++column) {
      const std::uint32_t weight = Weight(row, column);
      if (weight != 0) candidates_.all.push_back({column, weight});
    }
    candidates_.EndRow();
  }
  return assignment_.Solve(candidates_, static_cast<std::uint32_t>(columns_->size()), budget_->search_steps);
}

// Solves the assignment with the pairs that share something rare as candidates, and adds other pairs until
// the bounds hold. RETURNS: whether the bounds hold in the end.
bool RowPairing::SolveWithProof() {
  candidates_.first.assign(rows_->size() + 1, 0);
  candidates_.all.clear();
  finder_.Begin(transposed_ ? *actual_ : *expected_, *rows_, transposed_ ? *expected_ : *actual_, *columns_);
  const bool weighed = weighs_;
  AddCandidates();
  for (int round = 0; round < kMaxRounds; ++round) {
    const auto columns = static_cast<std::uint32_t>(columns_->size());
    if (!assignment_.Solve(candidates_, columns, budget_->search_steps)) return false;
    if (RaiseUnproven(/*raises=*/false) == 0) return weighs_ == weighed;
    if (NameLeft()) continue;
    const std::uint32_t risen = RaiseUnproven(/*raises=*/true);
    for (std::uint8_t step = 2; step <= RowCandidates::kSteps; ++step) {
      if ((risen >> step & 1) != 0 && !LookCloser(step)) return false;
    }
  }
  return false;
}

// Adds the pairs that the finder named. If weighing them would take too long, each pair, old or new, gets its
// number of shared cells as its weight.
void RowPairing::AddCandidates() {
  if (weighs_) {
    std::uint64_t steps = 0;
    for (const auto& [row, column] : finder_.pairs()) {
      steps += finder_.left().CellCount(row) + finder_.right().CellCount(column);
    }
    if (!TakeSteps(budget_->inner_steps, steps)) {
      weighs_ = false;
      for (std::uint32_t row = 0; row < candidates_.rows(); ++row) {
        for (std::uint32_t i = candidates_.first[row]; i < candidates_.first[row + 1]; ++i) {
          candidates_.all[i].weight = Shared(row, candidates_.all[i].column);
        }
      }
    }
  }
  merged_.Clear();
  auto pair = finder_.pairs().begin();
  for (std::uint32_t row = 0; row < rows_->size(); ++row) {
    new_columns_.clear();
    for (; pair != finder_.pairs().end() && pair->first == row; ++pair) new_columns_.push_back(pair->second);
    std::ranges::sort(new_columns_);
    const std::span<const CandidateLists::Candidate> known = candidates_.Of(row);
    auto next = known.begin();
    for (const std::uint32_t column : new_columns_) {
      while (next != known.end() && next->column < column) merged_.all.push_back(*next++);
      if (next != known.end() && next->column == column) continue;
      const std::uint32_t weight = Weight(row, column);
      if (weight != 0) merged_.all.push_back({column, weight});
    }
    merged_.all.insert(merged_.all.end(), next, known.end());
    merged_.EndRow();
  }
  std::swap(candidates_, merged_);
}

// Adds all pairs of the unassigned rows and columns to the candidates if these pairs are few. Unassigned rows
// have a potential of 0, so they may be the only reason why other rows are not proven. RETURNS: whether it
// added the pairs.
bool RowPairing::NameLeft() {
  left_rows_.clear();
  left_columns_.clear();
  std::vector<bool> is_taken(columns_->size());
  for (std::uint32_t row = 0; row < rows_->size(); ++row) {
    const std::uint32_t column = assignment_.column_of()[row];
    if (column != kUnpaired) {
      is_taken[column] = true;
    } else if (finder_.left().IsAt(row, 1)) {
      left_rows_.push_back(row);
    }
  }
  for (std::uint32_t column = 0; column < columns_->size(); ++column) {
    if (!is_taken[column] && finder_.right().IsAt(column, 1)) left_columns_.push_back(column);
  }
  const std::uint64_t rows = rows_->size();
  const std::uint64_t columns = columns_->size();
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
std::uint32_t RowPairing::RaiseUnproven(bool raises) {
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
  const std::uint32_t weight_of_cell = weighs_ ? scale_ : 1;
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
bool RowPairing::LookCloser(std::uint8_t step) {
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
void RowPairing::PairLeftInOrder() {
  const RowColumns& row_side = transposed_ ? *actual_ : *expected_;
  const RowColumns& column_side = transposed_ ? *expected_ : *actual_;
  const std::vector<std::uint32_t>& mate_of_row = transposed_ ? expected_of_ : actual_of_;
  const std::vector<std::uint32_t>& mate_of_column = transposed_ ? actual_of_ : expected_of_;
  const auto is_taken = [&](std::uint32_t column) {
    return mate_of_column[(*columns_)[column]] != kUnpaired;
  };
  // The free columns of each cell, sorted. Columns that have been taken in the meantime are skipped.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> free;
  for (std::uint32_t column = 0; column < columns_->size(); ++column) {
    if (is_taken(column)) continue;
    for (const std::uint32_t cell : column_side.CellsOf((*columns_)[column])) free.emplace_back(cell, column);
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
  for (std::uint32_t row = 0; row < rows_->size(); ++row) {
    if (mate_of_row[(*rows_)[row]] != kUnpaired) continue;
    runs.clear();
    for (const std::uint32_t cell : row_side.CellsOf((*rows_)[row])) {
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
        const std::uint32_t weight = is_taken(column) ? 0 : Shared(row, column);
        if (weight > best.weight) best = {column, weight};
      }
    }
    if (best.column == kUnpaired) continue;
    const std::uint32_t column = (*columns_)[best.column];
    transposed_ ? Match(column, (*rows_)[row]) : Match((*rows_)[row], column);
  }
}

}  // namespace leafscore::internal
