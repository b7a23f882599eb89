#include "engine/match/row_pairing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "engine/match/assignment.h"

namespace leafscore::internal {
namespace {

using Cells = std::vector<std::uint32_t>;
using Rows = std::vector<Cells>;

// Numbers the rows: equal ones alike on both sides.
RowColumns ColumnsOf(const Rows& rows, Rows& known, std::size_t key_cells = 0) {
  RowColumns columns;
  columns.Clear();
  const auto number_of = [&](const Cells& cells) -> std::uint32_t {
    if (cells.empty()) return 0;
    const auto found = std::ranges::find(known, cells);
    if (found != known.end()) return static_cast<std::uint32_t>(found - known.begin()) + 1;
    known.push_back(cells);
    return static_cast<std::uint32_t>(known.size());
  };
  for (Cells cells : rows) {
    std::ranges::sort(cells);
    columns.whole.push_back(number_of(cells));
    const bool has_key = key_cells != 0 && cells.size() >= key_cells;
    columns.key.push_back(has_key ? cells[0] + 1 : 0);
    columns.cells.insert(columns.cells.end(), cells.begin(), cells.end());
    columns.cell_begin.push_back(static_cast<std::uint32_t>(columns.cells.size()));
  }
  return columns;
}

// The same for many rows, which are all different.
RowColumns ManyColumns(const Rows& rows, std::uint32_t first_number) {
  RowColumns columns;
  columns.Clear();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Cells cells = rows[r];
    std::ranges::sort(cells);
    columns.whole.push_back(first_number + static_cast<std::uint32_t>(r));
    columns.key.push_back(0);
    columns.cells.insert(columns.cells.end(), cells.begin(), cells.end());
    columns.cell_begin.push_back(static_cast<std::uint32_t>(columns.cells.size()));
  }
  return columns;
}

std::uint32_t Shared(Cells e, Cells a) {
  std::ranges::sort(e);
  std::ranges::sort(a);
  Cells both;
  std::ranges::set_intersection(e, a, std::back_inserter(both));
  return static_cast<std::uint32_t>(both.size());
}

// The most cells that any pairing matches, by trying all.
std::uint32_t MostShared(const Rows& expected, const Rows& actual, std::size_t row,
                         std::vector<bool>& taken) {
  if (row == expected.size()) return 0;
  std::uint32_t most = MostShared(expected, actual, row + 1, taken);
  for (std::size_t a = 0; a < actual.size(); ++a) {
    if (taken[a]) continue;
    taken[a] = true;
    most = std::max(most, Shared(expected[row], actual[a]) + MostShared(expected, actual, row + 1, taken));
    taken[a] = false;
  }
  return most;
}

std::uint32_t SharedOfPairs(const RowPairing& pairing, const Rows& expected, const Rows& actual) {
  std::uint32_t shared = 0;
  for (std::size_t e = 0; e < expected.size(); ++e) {
    const std::uint32_t a = pairing.actual_of()[e];
    if (a == kUnpaired) continue;
    EXPECT_EQ(pairing.expected_of()[a], e);
    const std::uint32_t of_pair = Shared(expected[e], actual[a]);
    EXPECT_GT(of_pair, 0u) << "rows that share nothing stay apart";
    shared += of_pair;
  }
  return shared;
}

// A number below `limit`, the same on every platform.
std::uint32_t Below(std::mt19937& random, std::uint32_t limit) {
  return static_cast<std::uint32_t>(random() % limit);
}

Rows RandomRows(std::mt19937& random, std::uint32_t most_rows, std::uint32_t cells_of_row,
                std::uint32_t values) {
  Rows rows(Below(random, most_rows + 1));
  for (Cells& row : rows) {
    for (std::uint32_t c = 0; c < Below(random, cells_of_row + 1); ++c) row.push_back(Below(random, values));
  }
  return rows;
}

TEST(RowPairing, MatchesAsManyCellsAsTryingAllPairings) {
  std::mt19937 random(331);
  RowPairing pairing;
  for (int i = 0; i < 10'000; ++i) {
    const Rows expected = RandomRows(random, 5, 4, 2 + Below(random, 12));
    const Rows actual = RandomRows(random, 5, 4, 2 + Below(random, 12));
    Rows known;
    const RowColumns e = ColumnsOf(expected, known);
    const RowColumns a = ColumnsOf(actual, known);
    PairingBudget budget;
    RowPairingRules rules;
    rules.peel = Below(random, 4) != 0;
    std::vector<bool> taken(actual.size());
    ASSERT_TRUE(pairing.Pair(e, a, rules, budget));
    ASSERT_EQ(SharedOfPairs(pairing, expected, actual), MostShared(expected, actual, 0, taken)) << i;
  }
}

TEST(RowPairing, WeighsPairsAsItIsTold) {
  std::mt19937 random(332);
  RowPairing pairing;
  for (int i = 0; i < 2'000; ++i) {
    const std::uint32_t n = 1 + Below(random, 5);
    const std::uint32_t m = 1 + Below(random, 5);
    std::vector<std::uint32_t> weights(n * m);
    for (std::uint32_t& weight : weights) weight = Below(random, 4);
    Rows known;
    const Cells alike = {1, 2, 3};
    RowColumns e = ColumnsOf(Rows(n, alike), known);
    RowColumns a = ColumnsOf(Rows(m, alike), known);
    RowPairingRules rules;
    rules.peel = false;
    rules.weigh = [&](std::uint32_t row, std::uint32_t column) {
      return PairWeight{weights[row * m + column]};
    };
    PairingBudget budget;
    ASSERT_TRUE(pairing.Pair(e, a, rules, budget));
    std::uint32_t sum = 0;
    for (std::uint32_t row = 0; row < n; ++row) {
      if (pairing.actual_of()[row] != kUnpaired) sum += weights[row * m + pairing.actual_of()[row]];
    }
    std::vector<std::uint32_t> columns(std::max(n, m));
    std::iota(columns.begin(), columns.end(), 0u);
    std::uint32_t most = 0;
    do {
      std::uint32_t of_order = 0;
      for (std::uint32_t row = 0; row < n; ++row)
        of_order += columns[row] < m ? weights[row * m + columns[row]] : 0;
      most = std::max(most, of_order);
    } while (std::ranges::next_permutation(columns).found);
    ASSERT_EQ(sum, most) << i;
  }
}

TEST(RowPairing, RowsOfOneKeyPairAmongThemselves) {
  const Rows expected = {{1, 10, 20}, {1, 11, 21}, {2, 12, 22}};
  const Rows actual = {{1, 11, 29}, {2, 10, 20}, {3, 12, 22}};
  Rows known;
  const RowColumns e = ColumnsOf(expected, known, 1);
  const RowColumns a = ColumnsOf(actual, known, 1);
  RowPairingRules rules;
  rules.join = true;
  RowPairing pairing;
  PairingBudget budget;
  EXPECT_TRUE(pairing.Pair(e, a, rules, budget));
  EXPECT_EQ(pairing.actual_of()[1], 0u);
  EXPECT_EQ(pairing.actual_of()[2], 1u);
  EXPECT_EQ(pairing.joined(), 2u);
  EXPECT_EQ(pairing.actual_of()[0], kUnpaired);  // what is left shares nothing
  rules.pair_left = false;
  EXPECT_TRUE(pairing.Pair(e, a, rules, budget));
  EXPECT_EQ(pairing.paired(), 2u);
}

// What pairs of one key match at most and, of all pairings that match as much there, what the others match.
using KeySums = std::pair<std::uint32_t, std::uint32_t>;

KeySums MostByKeys(const Rows& expected, const Rows& actual, std::size_t row, std::vector<bool>& taken) {
  if (row == expected.size()) return {};
  KeySums most = MostByKeys(expected, actual, row + 1, taken);
  for (std::size_t a = 0; a < actual.size(); ++a) {
    if (taken[a]) continue;
    taken[a] = true;
    KeySums sums = MostByKeys(expected, actual, row + 1, taken);
    taken[a] = false;
    const std::uint32_t shared = Shared(expected[row], actual[a]);
    (expected[row][0] == actual[a][0] ? sums.first : sums.second) += shared;
    most = std::max(most, sums);
  }
  return most;
}

TEST(RowPairing, OfRowsOfOneKeyThoseAreTakenThatLeaveTheOthersMost) {
  std::mt19937 random(333);
  RowPairing pairing;
  const auto rows_of = [&] {
    Rows rows(1 + Below(random, 5));
    for (Cells& row : rows) {
      row = {Below(random, 3)};
      for (std::uint32_t c = 0; c < Below(random, 4); ++c) row.push_back(100 + 10 * c + Below(random, 3));
    }
    return rows;
  };
  for (int i = 0; i < 3'000; ++i) {
    const Rows expected = rows_of();
    const Rows actual = rows_of();
    Rows known;
    RowPairingRules rules;
    rules.join = true;
    rules.peel = Below(random, 2) == 0;
    PairingBudget budget;
    ASSERT_TRUE(pairing.Pair(ColumnsOf(expected, known, 1), ColumnsOf(actual, known, 1), rules, budget));
    KeySums sums;
    std::uint32_t joined = 0;
    for (std::size_t row = 0; row < expected.size(); ++row) {
      const std::uint32_t a = pairing.actual_of()[row];
      if (a == kUnpaired) continue;
      const bool have_one_key = expected[row][0] == actual[a][0];
      joined += have_one_key;
      (have_one_key ? sums.first : sums.second) += Shared(expected[row], actual[a]);
    }
    std::vector<bool> taken(actual.size());
    ASSERT_EQ(sums, MostByKeys(expected, actual, 0, taken)) << i;
    ASSERT_EQ(pairing.joined(), joined);
  }
}

TEST(RowPairing, TooManyRowsToChooseAmongThoseOfOneKeyAreToldAsNear) {
  Rows expected(2'200);
  Rows actual(2'200);
  for (std::uint32_t r = 0; r < expected.size(); ++r) {
    expected[r] = {r == 0 ? 1 : 10'000 + r, 100'000 + r};
    actual[r] = {r < 2 ? 1 : 20'000 + r, 100'000 + r + 1};
  }
  const auto columns_of = [](const Rows& rows, std::uint32_t first) {
    RowColumns columns = ManyColumns(rows, first);
    for (std::size_t r = 0; r < rows.size(); ++r) columns.key[r] = rows[r][0];
    return columns;
  };
  RowPairingRules rules;
  rules.join = true;
  RowPairing pairing;
  PairingBudget budget;
  EXPECT_FALSE(pairing.Pair(columns_of(expected, 1), columns_of(actual, 100'000), rules, budget));
  EXPECT_EQ(pairing.joined(), 1u);
  EXPECT_EQ(pairing.paired(), 2'199u);
}

// Then the rows of a key are paired by themselves, and as well as if there were no others: each has two rare
// cells in common with one row, and three frequent ones with twenty others. If both sides have the key
// equally often, there is nothing to choose.
TEST(RowPairing, RowsOfOneKeyAmongTooManyArePairedBest) {
  constexpr std::uint32_t kRows = 40;
  Rows expected(2'200);
  Rows actual(2'200);
  for (std::uint32_t r = 0; r < expected.size(); ++r) {
    expected[r] = {10'000 + r};
    actual[r] = {20'000 + r};
    if (r >= kRows) continue;
    const std::uint32_t odd = r % 2;
    expected[r] = {100 + 2 * r, 101 + 2 * r, 10 + 3 * odd, 11 + 3 * odd, 12 + 3 * odd};
    actual[r] = {100 + 2 * r, 101 + 2 * r, 13 - 3 * odd, 14 - 3 * odd, 15 - 3 * odd};
  }
  RowPairingRules rules;
  rules.join = true;
  RowPairing pairing;
  for (const std::uint32_t more : {0, 1}) {
    RowColumns e = ManyColumns(expected, 1);
    RowColumns a = ManyColumns(actual, 100'000);
    for (std::uint32_t r = 0; r < expected.size(); ++r) {
      e.key[r] = r < kRows ? 1 : 10'000 + r;
      a.key[r] = r < kRows + more ? 1 : 20'000 + r;
    }
    PairingBudget budget;
    EXPECT_EQ(pairing.Pair(e, a, rules, budget), more == 0);
    EXPECT_EQ(pairing.joined(), kRows);
    EXPECT_EQ(pairing.paired(), kRows);
    EXPECT_EQ(SharedOfPairs(pairing, expected, actual), 3 * kRows);
  }
}

// Of pairings that match as much the cheapest one is taken, whatever the order of rows.
TEST(RowPairing, TakesTheCheapestOfTheBestPairings) {
  std::mt19937 random(334);
  RowPairing pairing;
  for (int i = 0; i < 1'000; ++i) {
    const std::uint32_t n = 1 + Below(random, 5);
    const std::uint32_t m = n;
    std::vector<PairWeight> weights;
    for (std::uint32_t k = 0; k < n * m; ++k) weights.push_back({Below(random, 3), Below(random, 4)});
    Rows known;
    const Cells alike = {1, 2};
    RowColumns e = ColumnsOf(Rows(n, alike), known);
    RowColumns a = ColumnsOf(Rows(m, alike), known);
    RowPairingRules rules;
    rules.peel = false;
    rules.most_cost = 3 * n;
    rules.weigh = [&](std::uint32_t row, std::uint32_t column) { return weights[row * m + column]; };
    PairingBudget budget;
    ASSERT_TRUE(pairing.Pair(e, a, rules, budget));
    std::pair<std::int64_t, std::int64_t> sum;
    for (std::uint32_t row = 0; row < n; ++row) {
      if (pairing.actual_of()[row] == kUnpaired) continue;
      const PairWeight& weight = weights[row * m + pairing.actual_of()[row]];
      sum.first += weight.matched;
      sum.second -= weight.cost;
    }
    std::vector<std::uint32_t> columns(m);
    std::iota(columns.begin(), columns.end(), 0u);
    std::pair<std::int64_t, std::int64_t> best;
    do {
      std::pair<std::int64_t, std::int64_t> of_order;
      for (std::uint32_t row = 0; row < n; ++row) {
        const PairWeight& weight = weights[row * m + columns[row]];
        if (weight.matched == 0) continue;  // the rows stay apart
        of_order.first += weight.matched;
        of_order.second -= weight.cost;
      }
      best = std::max(best, of_order);
    } while (std::ranges::next_permutation(columns).found);
    ASSERT_EQ(sum, best) << i;
  }
}

// Rows of five cells of which the last three stand in many rows, as amounts and flags do.
Rows Holdings(std::uint32_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  Rows rows;
  for (std::uint32_t r = 0; r < count; ++r) {
    rows.push_back({1'000 + r, 1'000'000 + Below(random, count / 16), 2'000'000 + Below(random, 7),
                    3'000'000 + Below(random, 11), 4'000'000 + Below(random, 5)});
  }
  return rows;
}

TEST(RowPairing, ProvesThousandsOfShuffledRowsBest) {
  constexpr std::uint32_t kRows = 40'000;
  const Rows expected = Holdings(kRows, 1);
  Rows actual = expected;
  std::mt19937 random(2);
  for (Cells& row : actual) {
    if (Below(random, 20) == 0) row[Below(random, 5)] = 9'000'000 + Below(random, 1'000'000);
  }
  for (std::size_t i = actual.size(); i > 1; --i) std::swap(actual[i - 1], actual[Below(random, i)]);
  RowPairing pairing;
  PairingBudget budget;
  // Every row has a number of its own, so that none is peeled.
  EXPECT_TRUE(pairing.Pair(ManyColumns(expected, 1), ManyColumns(actual, 100'000), {}, budget));
  EXPECT_GE(SharedOfPairs(pairing, expected, actual), kRows * 5 - kRows / 18);
  EXPECT_EQ(pairing.paired(), kRows);
}

TEST(RowPairing, OneDroppedRowShiftsNoOther) {
  constexpr std::uint32_t kRows = 20'000;
  const Rows expected = Holdings(kRows, 3);
  Rows actual = expected;
  actual.erase(actual.begin() + 77);
  for (std::size_t r = 0; r < actual.size(); ++r) actual[r][r % 2 == 0 ? 1 : 3] = 9'000'000 + r;
  RowPairing pairing;
  PairingBudget budget;
  EXPECT_TRUE(pairing.Pair(ManyColumns(expected, 1), ManyColumns(actual, 100'000), {}, budget));
  EXPECT_EQ(SharedOfPairs(pairing, expected, actual), 4 * (kRows - 1));
  EXPECT_EQ(pairing.actual_of()[77], kUnpaired);
}

// Rows of a time sheet: an employee, a date, hours, a code and a site.
Rows TimeSheet(std::uint32_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  Rows rows;
  for (std::uint32_t r = 0; r < count; ++r) {
    rows.push_back({1'000 + r, 100'000 + Below(random, 336), 101'000 + Below(random, 79),
                    102'000 + Below(random, 4), 103'000 + Below(random, 400)});
  }
  return rows;
}

// One row in five has lost the only cell that few others have.
TEST(RowPairing, ProvesRowsBestThatShareOnlyCommonCells) {
  constexpr std::uint32_t kRows = 12'000;
  const Rows expected = TimeSheet(kRows, 7);
  Rows actual = expected;
  actual.erase(actual.begin() + 77);
  std::mt19937 random(8);
  for (std::size_t r = 0; r < actual.size(); ++r) {
    actual[r][Below(random, 5)] = 200'000 + static_cast<std::uint32_t>(r);
  }
  RowPairing pairing;
  PairingBudget budget;
  EXPECT_TRUE(pairing.Pair(ManyColumns(expected, 1), ManyColumns(actual, 100'000), {}, budget));
  EXPECT_GE(SharedOfPairs(pairing, expected, actual), 4 * (kRows - 1));
  EXPECT_EQ(pairing.paired(), kRows - 1);
}

// Each row shares two rare cells with its namesake, but three with another row. Any one of these stands in 81
// rows, any two in nine, and all three only there.
TEST(RowPairing, FindsRowsThatShareARareCombinationOfCommonCells) {
  constexpr std::uint32_t kRows = 9 * 9 * 9;
  Rows expected;
  Rows actual;
  for (std::uint32_t r = 0; r < kRows; ++r) {
    const auto row_of = [&](std::uint32_t factor, std::uint32_t shift) {
      const auto digit = [&](std::uint32_t d) { return (factor * (d % 9) + shift) % 9; };
      return Cells{1'000 + r, 10'000 + r, digit(r), 10 + digit(r / 9), 20 + digit(r / 81)};
    };
    expected.push_back(row_of(1, 0));
    actual.push_back(row_of(4, 1));  // 4 d + 1 is never d
  }
  RowPairing pairing;
  PairingBudget budget;
  EXPECT_TRUE(pairing.Pair(ManyColumns(expected, 1), ManyColumns(actual, 100'000), {}, budget));
  EXPECT_EQ(SharedOfPairs(pairing, expected, actual), 3 * kRows);
}

// What is proven about many rows is what looking at all pairs finds: the same rows, at sizes on both sides of
// the number of pairs up to which all are looked at.
TEST(RowPairing, FindsAsMuchByRareCellsAsByLookingAtAllPairs) {
  std::mt19937 random(9);
  RowPairing pairing;
  for (int i = 0; i < 150; ++i) {
    const std::uint32_t values = 2 + Below(random, 12);
    Rows expected(36 + Below(random, 40));
    Rows actual(36 + Below(random, 40));
    for (Rows* const rows : {&expected, &actual}) {
      for (Cells& row : *rows) {
        for (std::uint32_t c = 0; c < 1 + Below(random, 5); ++c)
          row.push_back(100 * (c / 2) + Below(random, values));
      }
    }
    const RowColumns e = ManyColumns(expected, 1);
    const RowColumns a = ManyColumns(actual, 1'000);
    PairingBudget budget;
    ASSERT_TRUE(pairing.Pair(e, a, {}, budget));
    const std::uint32_t by_rare_cells = SharedOfPairs(pairing, expected, actual);
    std::vector<double> weights;
    for (const Cells& row : expected) {
      for (const Cells& column : actual) weights.push_back(Shared(row, column));
    }
    AssignmentWorkspace workspace;
    const AssignmentResult best = AssignBest(weights, expected.size(), actual.size(), workspace);
    double sum = 0;
    for (std::size_t row = 0; row < expected.size(); ++row) {
      const std::uint32_t column = best.column_of_row[row];
      if (column != kUnassigned) sum += weights[row * actual.size() + column];
    }
    ASSERT_TRUE(best.exact);
    ASSERT_EQ(by_rare_cells, sum) << i;
  }
}

TEST(RowPairing, ProvesThousandsOfWeighedRowsBest) {
  constexpr std::uint32_t kRows = 2'500;
  const Rows expected = Holdings(kRows, 10);
  Rows actual = expected;
  for (std::size_t r = 0; r < actual.size(); ++r) {
    actual[r][r % 5] = 9'000'000 + static_cast<std::uint32_t>(r);
  }
  RowPairingRules rules;
  rules.weigh = [&](std::uint32_t row, std::uint32_t column) {
    return PairWeight{Shared(expected[row], actual[column])};
  };
  RowPairing pairing;
  PairingBudget budget;
  EXPECT_TRUE(pairing.Pair(ManyColumns(expected, 1), ManyColumns(actual, 100'000), rules, budget));
  EXPECT_GE(SharedOfPairs(pairing, expected, actual), 4 * kRows);
  PairingBudget none{.inner_steps = 0};
  EXPECT_FALSE(pairing.Pair(ManyColumns(expected, 1), ManyColumns(actual, 100'000), rules, none));
  EXPECT_EQ(pairing.paired(), kRows);
}

// Wherever the steps for weighing end, no pair keeps the weight that it had: the pairing shares as many cells
// as one without weights.
TEST(RowPairing, RowsThatCannotAllBeWeighedArePairedByTheirCommonCells) {
  std::mt19937 random(8);
  int cut_short = 0;
  for (int i = 0; i < 20; ++i) {
    Rows expected;
    Rows actual;
    for (std::uint32_t r = 0; r < 40; ++r) {
      expected.push_back({1, 10 + Below(random, 6), 20 + Below(random, 6)});
      actual.push_back({1, 10 + Below(random, 6), 20 + Below(random, 6)});
    }
    RowPairingRules rules;
    rules.most_cost = 9;
    rules.weigh = [](std::uint32_t row, std::uint32_t column) {
      return PairWeight{1 + (7 * row + 13 * column) % 5, (row + column) % 10};
    };
    const RowColumns expected_columns = ManyColumns(expected, 1);
    const RowColumns actual_columns = ManyColumns(actual, 1'000);
    RowPairing pairing;
    PairingBudget budget;
    ASSERT_TRUE(pairing.Pair(expected_columns, actual_columns, {}, budget));
    const std::uint32_t most = SharedOfPairs(pairing, expected, actual);
    for (std::uint64_t steps = 0; steps < 20'000; steps += 250) {
      PairingBudget few{.inner_steps = steps};
      if (pairing.Pair(expected_columns, actual_columns, rules, few)) break;
      cut_short += few.inner_steps != steps;  // some pairs were weighed
      EXPECT_EQ(SharedOfPairs(pairing, expected, actual), most) << i << ' ' << steps;
    }
  }
  EXPECT_GT(cut_short, 20);
}

TEST(RowPairing, ThousandsOfRowsThatAreNearlyAlikeAreToldAsNear) {
  constexpr std::uint32_t kRows = 3'000;
  Rows expected;
  Rows actual;
  std::mt19937 random(4);
  for (std::uint32_t r = 0; r < kRows; ++r) {
    expected.push_back({1, 2, 3, 10 + Below(random, 10)});
    actual.push_back({1, 2, 3, 10 + Below(random, 10)});
  }
  RowPairing pairing;
  PairingBudget budget;
  EXPECT_FALSE(pairing.Pair(ManyColumns(expected, 1), ManyColumns(actual, 100'000), {}, budget));
  EXPECT_EQ(pairing.paired(), kRows);  // they share a cell, so none stays apart
  EXPECT_GE(SharedOfPairs(pairing, expected, actual), 4 * kRows - kRows / 20);  // nearly all with their like
}

TEST(RowPairing, WhatGoesBeyondItsStepsIsToldAsNear) {
  std::mt19937 random(5);
  Rows expected;
  Rows actual;
  for (std::uint32_t r = 0; r < 60; ++r) {
    expected.push_back({1, 10 + Below(random, 6), 20 + Below(random, 6)});
    actual.push_back({1, 10 + Below(random, 6), 20 + Below(random, 6)});
  }
  RowPairing pairing;
  PairingBudget none{.inner_steps = 0, .search_steps = 0};
  EXPECT_FALSE(pairing.Pair(ManyColumns(expected, 1), ManyColumns(actual, 1'000), {}, none));
  EXPECT_EQ(pairing.paired(), 60u);
  PairingBudget enough;
  EXPECT_TRUE(pairing.Pair(ManyColumns(expected, 1), ManyColumns(actual, 1'000), {}, enough));
}

// If no row has a cell of the other side, nothing is left to be examined.
TEST(RowPairing, RowsWithoutACommonCellTakeNoStep) {
  Rows expected;
  Rows actual;
  for (std::uint32_t r = 0; r < 60; ++r) {
    expected.push_back({r});
    actual.push_back({100 + r});
  }
  RowPairing pairing;
  PairingBudget none{.inner_steps = 0, .search_steps = 0};
  EXPECT_TRUE(pairing.Pair(ManyColumns(expected, 1), ManyColumns(actual, 1'000), {}, none));
  EXPECT_EQ(pairing.paired(), 0u);
}

TEST(RowPairing, OrderOfRowsChangesNoSum) {
  std::mt19937 random(6);
  RowPairing pairing;
  for (int i = 0; i < 300; ++i) {
    Rows expected = RandomRows(random, 40, 5, 30);
    Rows actual = RandomRows(random, 40, 5, 30);
    std::uint32_t first = 0;
    for (int order = 0; order < 3; ++order) {
      Rows known;
      const RowColumns e = ColumnsOf(expected, known);
      const RowColumns a = ColumnsOf(actual, known);
      PairingBudget budget;
      ASSERT_TRUE(pairing.Pair(e, a, {}, budget));
      const std::uint32_t shared = SharedOfPairs(pairing, expected, actual);
      if (order == 0) first = shared;
      ASSERT_EQ(shared, first);
      for (std::size_t k = expected.size(); k > 1; --k)
        std::swap(expected[k - 1], expected[Below(random, k)]);
      for (std::size_t k = actual.size(); k > 1; --k) std::swap(actual[k - 1], actual[Below(random, k)]);
    }
  }
}

}  // namespace
}  // namespace leafscore::internal
