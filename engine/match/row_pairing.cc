#include "engine/match/row_pairing.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace leafscore::internal {
namespace {

constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();

// Above kMaxAllRowPairs: a cell in more rows than this, on either side, names no candidates.
constexpr std::uint32_t kMostRowsOfCell = 64;
// Candidates in all, and how many of a row are kept when there would be more.
constexpr std::size_t kMaxCandidates = std::size_t{1} << 24;
constexpr std::size_t kKeptCandidates = 16;
// Pairs up to which each is weighed, as that is quicker than looking for those that share a cell.
constexpr std::uint64_t kFewRowPairs = 1024;
// How often rows whose bound does not hold become candidates.
constexpr int kMaxRounds = 3;

void SortBy(const std::vector<std::uint32_t>& number, std::span<const std::uint32_t> rows,
            std::vector<std::pair<std::uint32_t, std::uint32_t>>& sorted) {
  sorted.clear();
  for (const std::uint32_t row : rows) {
    if (number[row] != 0) sorted.emplace_back(number[row], row);
  }
  std::ranges::sort(sorted);
}

// Calls visit(expected, actual) with the rows of each number that both sides have, as spans of pairs.
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
  actual_of_.assign(expected.size(), kUnpaired);
  expected_of_.assign(actual.size(), kUnpaired);
  if (rules.join) {
    Join();
    joined_ = paired_;
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
  return exact_;
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
  ForEachCommonNumber(by_key_expected, by_key_actual, [&](auto e_run, auto a_run) {
    if (e_run.size() == 1 && a_run.size() == 1) return Match(e_run[0].second, a_run[0].second);
    left_expected_.clear();
    left_actual_.clear();
    for (const auto& [key, row] : e_run) left_expected_.push_back(row);
    for (const auto& [key, row] : a_run) left_actual_.push_back(row);
    PairRows(left_expected_, left_actual_);
  });
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

std::uint32_t RowPairing::Shared(std::uint32_t expected, std::uint32_t actual) const {
  const std::span<const std::uint32_t> e = expected_->CellsOf(expected);
  const std::span<const std::uint32_t> a = actual_->CellsOf(actual);
  std::uint32_t shared = 0;
  for (std::size_t i = 0, j = 0; i < e.size() && j < a.size();) {
    shared += e[i] == a[j];
    const bool both = e[i] == a[j];
    const bool first = e[i] < a[j];
    i += both || first;
    j += both || !first;
  }
  return shared;
}

// Returns the weight of a pair of the assignment at hand.
std::uint32_t RowPairing::Weight(std::uint32_t row, std::uint32_t column) const {
  std::uint32_t expected = (*rows_)[row];
  std::uint32_t actual = (*columns_)[column];
  if (transposed_) std::swap(expected, actual);
  const bool bounded = !weighs_ || rules_->shared_is_most;
  const std::uint32_t shared = bounded ? Shared(expected, actual) : 1;
  return weighs_ && shared != 0 ? rules_->weigh(expected, actual) : shared;
}

void RowPairing::Assign(const Rows& expected, const Rows& actual) {
  transposed_ = expected.size() > actual.size();
  rows_ = transposed_ ? &actual : &expected;
  columns_ = transposed_ ? &expected : &actual;
  const std::uint64_t pairs = std::uint64_t{expected.size()} * actual.size();
  const auto cells_in = [](const RowColumns& side, const Rows& rows) {
    std::uint64_t cells = 0;
    for (const std::uint32_t row : rows) cells += side.cell_begin[row + 1] - side.cell_begin[row];
    return cells;
  };
  // What it takes to look at the cells of every pair.
  const std::uint64_t all_steps =
      actual.size() * cells_in(*expected_, expected) + expected.size() * cells_in(*actual_, actual);
  weighs_ =
      rules_->weigh != nullptr && pairs <= kMaxAllRowPairs && TakeSteps(budget_->inner_steps, all_steps);
  if (rules_->weigh != nullptr && !weighs_) exact_ = false;
  const bool all_fit = pairs <= kMaxAllRowPairs && TakeSteps(budget_->search_steps, all_steps);
  const bool needs_all = weighs_ && !rules_->shared_is_most;
  row_common_.assign(rows_->size(), 0);
  column_common_.assign(columns_->size(), 0);
  row_is_unproven_.assign(rows_->size(), false);
  column_is_unproven_.assign(columns_->size(), false);
  if (all_fit && (pairs <= kFewRowPairs || needs_all)) {
    FindAllCandidates();
  } else {
    FindCandidatesByCells(all_fit ? kFar : kMostRowsOfCell);
  }
  Solve();
  for (int round = 0; !all_fit && exact_ && AddUnproven(); ++round) {
    exact_ = exact_ && round < kMaxRounds;
    if (exact_) Solve();
  }
  for (std::uint32_t row = 0; row < rows_->size(); ++row) {
    const std::uint32_t column = column_of_[row];
    if (column == kUnpaired) continue;
    transposed_ ? Match((*columns_)[column], (*rows_)[row]) : Match((*rows_)[row], (*columns_)[column]);
  }
  if (!exact_) PairLeftInOrder();
}

void RowPairing::FindAllCandidates() {
  first_candidate_.assign(1, 0);
  candidates_.clear();
  for (std::uint32_t row = 0; row < rows_->size(); ++row) {
    for (std::uint32_t column = 0; column < columns_->size(); ++column) {
      const std::uint32_t weight = Weight(row, column);
      if (weight != 0) candidates_.push_back({column, weight});
    }
    first_candidate_.push_back(static_cast<std::uint32_t>(candidates_.size()));
  }
}

// Finds the pairs that share a cell which stands in no more than so many rows of either side, and counts the
// other cells that both sides have.
void RowPairing::FindCandidatesByCells(std::uint32_t most_rows_of_cell) {
  const RowColumns& row_side = transposed_ ? *actual_ : *expected_;
  const RowColumns& column_side = transposed_ ? *expected_ : *actual_;
  const auto for_each_cell = [](const RowColumns& side, std::uint32_t row, auto visit) {
    const std::span<const std::uint32_t> cells = side.CellsOf(row);
    for (std::size_t i = 0; i < cells.size();) {
      const std::size_t begin = i;
      while (i < cells.size() && cells[i] == cells[begin]) ++i;
      visit(cells[begin], static_cast<std::uint32_t>(i - begin));
    }
  };
  // Number the cells of the columns, and list the columns of each.
  slot_begin_.clear();
  for (const std::uint32_t column : *columns_) {
    for_each_cell(column_side, column, [&](std::uint32_t cell, std::uint32_t) {
      if (cell >= slot_of_cell_.size()) slot_of_cell_.resize(cell + 1 + cell / 2, kUnpaired);
      std::uint32_t& slot = slot_of_cell_[cell];
      if (slot == kUnpaired) {
        slot = static_cast<std::uint32_t>(slot_begin_.size());
        slot_begin_.push_back(0);
      }
      ++slot_begin_[slot];
    });
  }
  const std::uint32_t cells = std::accumulate(slot_begin_.begin(), slot_begin_.end(), 0u);
  slot_begin_.push_back(0);
  std::exclusive_scan(slot_begin_.begin(), slot_begin_.end(), slot_begin_.begin(), 0u);
  slot_columns_.resize(cells);
  std::vector<std::uint32_t> next(slot_begin_.begin(), slot_begin_.end() - 1);
  for (std::uint32_t column = 0; column < columns_->size(); ++column) {
    for_each_cell(column_side, (*columns_)[column], [&](std::uint32_t cell, std::uint32_t) {
      slot_columns_[next[slot_of_cell_[cell]]++] = column;
    });
  }
  slot_rows_.assign(slot_begin_.size(), 0);
  const auto slot_of = [&](std::uint32_t cell) {
    return cell < slot_of_cell_.size() ? slot_of_cell_[cell] : kUnpaired;
  };
  for (const std::uint32_t row : *rows_) {
    for_each_cell(row_side, row, [&](std::uint32_t cell, std::uint32_t) {
      if (slot_of(cell) != kUnpaired) ++slot_rows_[slot_of(cell)];
    });
  }
  const auto is_common = [&](std::uint32_t slot) {
    return slot_rows_[slot] > most_rows_of_cell ||
           (slot_rows_[slot] != 0 && slot_begin_[slot + 1] - slot_begin_[slot] > most_rows_of_cell);
  };
  for (std::uint32_t column = 0; column < columns_->size(); ++column) {
    for_each_cell(column_side, (*columns_)[column], [&](std::uint32_t cell, std::uint32_t times) {
      if (is_common(slot_of(cell))) column_common_[column] += times;
    });
  }
  // Gather the candidates of each row.
  const std::size_t most = std::max(kKeptCandidates, kMaxCandidates / rows_->size());
  seen_.assign(columns_->size(), kUnpaired);
  first_candidate_.assign(1, 0);
  candidates_.clear();
  for (std::uint32_t row = 0; row < rows_->size(); ++row) {
    const std::size_t first = candidates_.size();
    for_each_cell(row_side, (*rows_)[row], [&](std::uint32_t cell, std::uint32_t times) {
      const std::uint32_t slot = slot_of(cell);
      if (slot == kUnpaired) return;
      if (is_common(slot)) {
        row_common_[row] += times;
        return;
      }
      for (std::uint32_t i = slot_begin_[slot]; i < slot_begin_[slot + 1]; ++i) {
        const std::uint32_t column = slot_columns_[i];
        if (seen_[column] == row) continue;
        seen_[column] = row;
        candidates_.push_back({column, 0});
      }
    });
    const auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(first);
    for (Candidate& candidate : std::span(begin, candidates_.end())) {
      candidate.weight = Weight(row, candidate.column);
    }
    const auto weighs_nothing = [](const Candidate& candidate) { return candidate.weight == 0; };
    candidates_.erase(std::remove_if(begin, candidates_.end(), weighs_nothing), candidates_.end());
    if (candidates_.size() - first > most) KeepBest(first, kKeptCandidates, row);
    std::sort(begin, candidates_.end(),
              [](const Candidate& a, const Candidate& b) { return a.column < b.column; });
    first_candidate_.push_back(static_cast<std::uint32_t>(candidates_.size()));
  }
  for (const std::uint32_t column : *columns_) {
    for_each_cell(column_side, column,
                  [&](std::uint32_t cell, std::uint32_t) { slot_of_cell_[cell] = kUnpaired; });
  }
}

// Keeps the candidates of a row, from `first` on, that weigh most; of equal ones the nearest.
void RowPairing::KeepBest(std::size_t first, std::size_t most, std::uint32_t row) {
  exact_ = false;
  const std::uint32_t at = (*rows_)[row];
  const auto rank = [&](const Candidate& candidate) {
    const std::uint32_t other = (*columns_)[candidate.column];
    return std::tuple(~candidate.weight, other > at ? other - at : at - other, other);
  };
  const auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(first);
  std::nth_element(begin, begin + static_cast<std::ptrdiff_t>(most), candidates_.end(),
                   [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
  candidates_.resize(first + most);
}

// Checks that no two rows that are no candidates could share more cells than their potentials add up to, and
// makes those that could candidates, if they are few. RETURNS: false when the assignment is proven; else
// whether there are such rows, with exact_ unset when they are too many.
bool RowPairing::AddUnproven() {
  const std::uint32_t most_common = *std::ranges::max_element(row_common_);
  // By number of common cells or more: the least potential of any row and column, of all and of those whose
  // pairs are not all candidates yet.
  std::vector<std::uint32_t> least_row(most_common + 2, kFar);
  std::vector<std::uint32_t> least_new_row(most_common + 2, kFar);
  std::vector<std::uint32_t> least_column(most_common + 2, kFar);
  std::vector<std::uint32_t> least_new_column(most_common + 2, kFar);
  const auto note = [&](std::uint32_t common, std::uint32_t potential, bool is_new, auto& all, auto& fresh) {
    const std::uint32_t at = std::min(common, most_common + 1);
    all[at] = std::min(all[at], potential);
    if (is_new) fresh[at] = std::min(fresh[at], potential);
  };
  for (std::size_t r = 0; r < rows_->size(); ++r) {
    note(row_common_[r], row_potential_[r], !row_is_unproven_[r], least_row, least_new_row);
  }
  for (std::size_t c = 0; c < columns_->size(); ++c) {
    note(column_common_[c], column_potential_[c], !column_is_unproven_[c], least_column, least_new_column);
  }
  for (std::uint32_t common = most_common + 1; common-- > 0;) {
    for (auto* least : {&least_row, &least_new_row, &least_column, &least_new_column}) {
      (*least)[common] = std::min((*least)[common], (*least)[common + 1]);
    }
  }
  const auto falls_short = [](std::uint32_t potential, std::uint32_t common, const auto& least_of_others) {
    for (std::uint32_t shared = 1; shared <= common && shared < least_of_others.size(); ++shared) {
      if (std::uint64_t{potential} + least_of_others[shared] < shared) return true;
    }
    return false;
  };
  bool found = false;
  for (std::size_t r = 0; r < rows_->size(); ++r) {
    const auto& others = row_is_unproven_[r] ? least_new_column : least_column;
    if (!falls_short(row_potential_[r], row_common_[r], others)) continue;
    row_is_unproven_[r] = found = true;
  }
  for (std::size_t c = 0; c < columns_->size(); ++c) {
    const auto& others = column_is_unproven_[c] ? least_new_row : least_row;
    if (!falls_short(column_potential_[c], column_common_[c], others)) continue;
    column_is_unproven_[c] = found = true;
  }
  if (!found) return false;
  const auto count = [](const std::vector<bool>& flags) {
    return static_cast<std::uint64_t>(std::ranges::count(flags, true));
  };
  const std::uint64_t pairs = count(row_is_unproven_) * count(column_is_unproven_);
  if (pairs > kMaxAllRowPairs || !TakeSteps(budget_->search_steps, pairs)) {
    exact_ = false;
    return true;
  }
  std::vector<std::uint32_t> unproven;
  for (std::uint32_t column = 0; column < columns_->size(); ++column) {
    if (column_is_unproven_[column]) unproven.push_back(column);
  }
  std::vector<std::uint32_t> first(1, 0);
  std::vector<Candidate> merged;
  for (std::uint32_t row = 0; row < rows_->size(); ++row) {
    const auto known = std::span(candidates_)
                           .subspan(first_candidate_[row], first_candidate_[row + 1] - first_candidate_[row]);
    auto next = known.begin();
    for (std::size_t i = 0; row_is_unproven_[row] && i < unproven.size(); ++i) {
      while (next != known.end() && next->column < unproven[i]) merged.push_back(*next++);
      if (next != known.end() && next->column == unproven[i]) continue;
      const std::uint32_t weight = Weight(row, unproven[i]);
      if (weight != 0) merged.push_back({unproven[i], weight});
    }
    merged.insert(merged.end(), next, known.end());
    first.push_back(static_cast<std::uint32_t>(merged.size()));
  }
  first_candidate_ = std::move(first);
  candidates_ = std::move(merged);
  return true;
}

// Assigns columns to rows so that the weights have the highest sum. The potentials are the proof: that of a
// row and of a column are together at least the weight of their pair, exactly where it is assigned, and 0
// where a row or column is left.
void RowPairing::Solve() {
  row_potential_.assign(rows_->size(), 0);
  column_potential_.assign(columns_->size(), 0);
  column_of_.assign(rows_->size(), kUnpaired);
  row_of_.assign(columns_->size(), kUnpaired);
  distance_.assign(columns_->size(), kFar);
  previous_.resize(columns_->size());
  for (std::uint32_t row = 0; row < rows_->size(); ++row) {
    for (std::uint32_t i = first_candidate_[row]; i < first_candidate_[row + 1]; ++i) {
      row_potential_[row] = std::max(row_potential_[row], candidates_[i].weight);
    }
    if (row_potential_[row] == 0) continue;
    if (budget_->search_steps != 0) {
      Augment(row);
    } else {
      TakeHeaviestFree(row);
    }
  }
}

void RowPairing::TakeHeaviestFree(std::uint32_t row) {
  std::uint32_t best = first_candidate_[row + 1];
  for (std::uint32_t i = first_candidate_[row]; i < first_candidate_[row + 1]; ++i) {
    const bool is_free = row_of_[candidates_[i].column] == kUnpaired;
    if (!is_free) continue;
    if (best == first_candidate_[row + 1] || candidates_[i].weight > candidates_[best].weight) best = i;
  }
  exact_ = false;
  if (best == first_candidate_[row + 1]) return;
  column_of_[row] = candidates_[best].column;
  row_of_[candidates_[best].column] = row;
}

// Finds the row its column by the cheapest path, which ends at a free column or at a row that does better
// without one, and moves the rows on it.
void RowPairing::Augment(std::uint32_t root) {
  reached_.clear();
  final_.clear();
  heap_.clear();
  std::uint32_t least = row_potential_[root];  // the cost of the cheapest end so far
  std::uint32_t end_column = kUnpaired;        // that it has, or the row that is left instead
  std::uint32_t end_row = root;
  bool searches = true;
  const auto look = [&](std::uint32_t row, std::uint32_t so_far) {
    const std::uint32_t begin = first_candidate_[row];
    const std::uint32_t end = first_candidate_[row + 1];
    if (!TakeSteps(budget_->search_steps, end - begin)) {
      budget_->search_steps = 0;  // the potentials are of no use from here on
      searches = exact_ = false;
      return;
    }
    for (std::uint32_t i = begin; i < end; ++i) {
      const auto [column, weight] = candidates_[i];
      const std::uint32_t cost = so_far + row_potential_[row] + column_potential_[column] - weight;
      if (cost >= least || cost >= distance_[column]) continue;
      if (distance_[column] == kFar) reached_.push_back(column);
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
    if (cost != distance_[column]) continue;  // it was reached at less cost since
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
  for (const std::uint32_t column : reached_) distance_[column] = kFar;
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
}

// Pairs the rows that are left with columns that are left, in order, wherever a cell matches.
void RowPairing::PairLeftInOrder() {
  const RowColumns& row_side = transposed_ ? *actual_ : *expected_;
  const RowColumns& column_side = transposed_ ? *expected_ : *actual_;
  // The free columns of each cell, sorted; a column that was taken since is passed over.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> free;
  for (std::uint32_t column = 0; column < columns_->size(); ++column) {
    if (row_of_[column] != kUnpaired) continue;
    for (const std::uint32_t cell : column_side.CellsOf((*columns_)[column])) free.emplace_back(cell, column);
  }
  std::ranges::sort(free);
  std::vector<std::uint32_t> next(free.size());  // by the place where the columns of a cell begin
  std::iota(next.begin(), next.end(), 0u);
  for (std::uint32_t row = 0; row < rows_->size(); ++row) {
    if (column_of_[row] != kUnpaired) continue;
    std::uint32_t best = kUnpaired;
    for (const std::uint32_t cell : row_side.CellsOf((*rows_)[row])) {
      const auto run = std::ranges::lower_bound(free, std::pair(cell, 0u));
      if (run == free.end() || run->first != cell) continue;
      std::uint32_t& place = next[static_cast<std::size_t>(run - free.begin())];
      while (place < free.size() && free[place].first == cell && row_of_[free[place].second] != kUnpaired) {
        ++place;
      }
      if (place < free.size() && free[place].first == cell) best = std::min(best, free[place].second);
    }
    if (best == kUnpaired) continue;
    row_of_[best] = row;
    column_of_[row] = best;
    transposed_ ? Match((*columns_)[best], (*rows_)[row]) : Match((*rows_)[row], (*columns_)[best]);
  }
}

}  // namespace leafscore::internal
