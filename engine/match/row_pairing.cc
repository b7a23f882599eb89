#include "engine/match/row_pairing.h"

#include <algorithm>
#include <numeric>

namespace leafscore::internal {
namespace {

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

}  // namespace

bool RowPairing::Pair(const RowColumns& expected, const RowColumns& actual, const RowPairingRules& rules,
                      PairingBudget& budget) {
  task_ = {&expected, &actual, &rules};
  exact_ = assignment_.Begin(task_, budget);
  paired_ = 0;
  joined_ = 0;
  only_pairs_ = 0;
  actual_of_.assign(expected.size(), kUnpaired);
  expected_of_.assign(actual.size(), kUnpaired);
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

// Separates paired rows that have numbers of cells in common, but no cells that match. Such pairs can occur
// in an inexact pairing.
void RowPairing::PartUnlikeRows() {
  for (std::uint32_t row = 0; row < task_.expected->size(); ++row) {
    const std::uint32_t actual = actual_of_[row];
    if (actual == kUnpaired || task_.AreJoined(row, actual) || task_.rules->weigh(row, actual).matched != 0)
      continue;
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
  Rows all_expected(task_.expected->size());
  Rows all_actual(task_.actual->size());
  std::iota(all_expected.begin(), all_expected.end(), 0u);
  std::iota(all_actual.begin(), all_actual.end(), 0u);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_key_expected;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_key_actual;
  SortBy(task_.expected->key, all_expected, by_key_expected);
  SortBy(task_.actual->key, all_actual, by_key_actual);
  std::vector<OpenKey> open;
  ForEachCommonNumber(by_key_expected, by_key_actual, [&](auto e_run, auto a_run) {
    if (e_run.size() == 1 && a_run.size() == 1) {
      ++only_pairs_;
      return Match(e_run[0].second, a_run[0].second);
    }
    OpenKey key;
    for (const auto& [number, row] : e_run) key.expected.push_back(row);
    for (const auto& [number, row] : a_run) key.actual.push_back(row);
    if (e_run.size() == a_run.size() || !task_.rules->pair_left) {
      PairRows(key.expected, key.actual);
    } else {
      open.push_back(std::move(key));
    }
  });
  if (!open.empty() && !PairOpenKeys(open)) {
    for (OpenKey& key : open) PairRows(key.expected, key.actual);
  }
  for (std::uint32_t row = 0; row < task_.expected->size(); ++row) {
    joined_ += actual_of_[row] != kUnpaired && task_.AreJoined(row, actual_of_[row]);
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
  for (std::uint32_t row = 0; row < task_.expected->size(); ++row) {
    if (actual_of_[row] == kUnpaired) expected.push_back(row);
  }
  for (std::uint32_t row = 0; row < task_.actual->size(); ++row) {
    if (expected_of_[row] == kUnpaired) actual.push_back(row);
  }
  if (open.empty() || pairs_of_keys == std::min(expected.size(), actual.size())) return false;
  const bool is_solved = assignment_.AssignKeysFirst(expected, actual);
  exact_ &= is_solved;
  if (is_solved) TakeAssigned();
  return is_solved;
}

// If one side has a single row of a key, pairs it with the best row of the other side, unless several rows
// are equally good or no cell matches. RETURNS: whether it paired two rows.
bool RowPairing::TakeOnlyBest(const OpenKey& open) {
  if (open.expected.size() != 1 && open.actual.size() != 1) return false;
  const auto best = assignment_.OnlyBest(open.expected, open.actual);
  if (best) Match(best->first, best->second);
  return best.has_value();
}

void RowPairing::PairRows(Rows& expected, Rows& actual) {
  const bool all_fit = std::uint64_t{expected.size()} * actual.size() <= kMaxAllRowPairs;
  if (task_.rules->peel || !all_fit) {
    if (!task_.rules->peel) exact_ = false;
    Peel(expected, actual);
  }
  if (!expected.empty() && !actual.empty()) Assign(expected, actual);
}

void RowPairing::Peel(Rows& expected, Rows& actual) {
  SortBy(task_.expected->whole, expected, sorted_expected_);
  SortBy(task_.actual->whole, actual, sorted_actual_);
  ForEachCommonNumber(sorted_expected_, sorted_actual_, [&](auto e_run, auto a_run) {
    for (std::size_t i = 0; i < std::min(e_run.size(), a_run.size()); ++i) {
      Match(e_run[i].second, a_run[i].second);
    }
  });
  std::erase_if(expected, [&](std::uint32_t row) { return actual_of_[row] != kUnpaired; });
  std::erase_if(actual, [&](std::uint32_t row) { return expected_of_[row] != kUnpaired; });
}

void RowPairing::Assign(const Rows& expected, const Rows& actual) {
  exact_ &= assignment_.Assign(expected, actual);
  TakeAssigned();
}

void RowPairing::TakeAssigned() {
  assignment_.ForEachPair([&](std::uint32_t expected, std::uint32_t actual) { Match(expected, actual); });
}

}  // namespace leafscore::internal
