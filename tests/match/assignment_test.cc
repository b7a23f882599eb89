#include "engine/match/assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "kernels/isa.h"

namespace leafscore::internal {
namespace {

constexpr double kRounding = 1e-12;

// Checks that the pairs are a pairing of as many as there can be. RETURNS: the sum of their weights.
double SumOfPairs(const std::vector<double>& weight, std::size_t rows, std::size_t columns,
                  std::span<const std::uint32_t> column_of_row) {
  EXPECT_EQ(column_of_row.size(), rows);
  double sum = 0;
  std::set<std::uint32_t> used;
  for (std::size_t r = 0; r < column_of_row.size(); ++r) {
    if (column_of_row[r] == kUnassigned) continue;
    EXPECT_LT(column_of_row[r], columns);
    EXPECT_TRUE(used.insert(column_of_row[r]).second) << "column " << column_of_row[r] << " twice";
    sum += weight[r * columns + column_of_row[r]];
  }
  EXPECT_EQ(used.size(), std::min(rows, columns));
  return sum;
}

// The highest sum of all pairings there are: all orders of the longer side against the shorter.
double BestByTryingAll(const std::vector<double>& weight, std::size_t rows, std::size_t columns) {
  std::vector<std::size_t> order(std::max(rows, columns));
  std::iota(order.begin(), order.end(), std::size_t{0});
  double best = -1e300;
  do {
    double sum = 0;
    for (std::size_t i = 0; i < std::min(rows, columns); ++i) {
      sum += rows <= columns ? weight[i * columns + order[i]] : weight[order[i] * columns + i];
    }
    best = std::max(best, sum);
  } while (std::ranges::next_permutation(order).found);
  return best;
}

std::vector<std::uint32_t> Assigned(const std::vector<double>& weight, std::size_t rows,
                                    std::size_t columns) {
  AssignmentWorkspace workspace;
  const AssignmentResult result = AssignBest(weight, rows, columns, workspace);
  EXPECT_TRUE(result.exact);
  return {result.column_of_row.begin(), result.column_of_row.end()};
}

TEST(Assignment, TakesTheBestSumRatherThanTheBestPair) {
  EXPECT_EQ(Assigned({0.9, 0.8,  //
                      0.8, 0.1},
                     2, 2),
            (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(Assigned({1, 2, 3,  //
                      3, 3, 9},
                     2, 3),
            (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(Assigned({1, 3,  //
                      2, 3,  //
                      3, 9},
                     3, 2),
            (std::vector<std::uint32_t>{kUnassigned, 0, 1}));
}

TEST(Assignment, OfAnEmptySideIsEmpty) {
  EXPECT_EQ(Assigned({}, 0, 0), std::vector<std::uint32_t>());
  EXPECT_EQ(Assigned({}, 0, 3), std::vector<std::uint32_t>());
  EXPECT_EQ(Assigned({}, 2, 0), (std::vector<std::uint32_t>{kUnassigned, kUnassigned}));
}

TEST(Assignment, OfEqualWeightsKeepsTheOrder) {
  EXPECT_EQ(Assigned(std::vector<double>(9, 0), 3, 3), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(Assigned(std::vector<double>(6, 1), 2, 3), (std::vector<std::uint32_t>{0, 1}));
}

TEST(Assignment, IsBestAmongAllPairings) {
  std::mt19937 random(4);
  AssignmentWorkspace workspace;  // one for all: nothing of an earlier one may matter
  for (int round = 0; round < 3000; ++round) {
    const std::size_t rows = 1 + random() % 6;
    const std::size_t columns = 1 + random() % 6;
    // Few distinct weights make ties; some of them are zero, some negative.
    const unsigned distinct = round % 3 == 0 ? 3 : 1000;
    const unsigned below_zero = round % 2 == 0 ? 0 : distinct / 3;
    std::vector<double> weight(rows * columns);
    for (double& w : weight) w = (static_cast<double>(random() % distinct) - below_zero) / 7;
    const AssignmentResult result = AssignBest(weight, rows, columns, workspace);
    EXPECT_TRUE(result.exact);
    ASSERT_NEAR(SumOfPairs(weight, rows, columns, result.column_of_row),
                BestByTryingAll(weight, rows, columns), kRounding)
        << rows << " x " << columns << " in round " << round;
  }
}

// The method as it is described, column by column: the nearest one that the path has not reached comes next;
// of equally near ones the first that no row has, else the first. REQUIRES: rows <= columns.
std::vector<std::uint32_t> ColumnsByDefinition(const std::vector<double>& weight, std::uint32_t rows,
                                               std::uint32_t columns) {
  std::vector<std::uint32_t> column_of_row(rows, kUnassigned), row_of_column(columns, kUnassigned);
  std::vector<double> of_row(rows, 0), of_column(columns, 0);
  for (std::uint32_t first_row = 0; first_row < rows; ++first_row) {
    std::vector<double> distance(columns, std::numeric_limits<double>::infinity());
    std::vector<std::uint32_t> previous(columns, kUnassigned);
    std::vector<bool> reached(columns, false);
    std::uint32_t row = first_row, last = kUnassigned;
    double cost = 0;
    while (row != kUnassigned) {
      std::uint32_t next = kUnassigned;
      for (std::uint32_t c = 0; c < columns; ++c) {
        if (reached[c]) continue;
        const double through = cost - weight[row * columns + c] - of_row[row] - of_column[c];
        if (through < distance[c]) distance[c] = through, previous[c] = last;
        const auto key = [&](std::uint32_t column) {
          return std::tuple(distance[column], row_of_column[column] != kUnassigned, column);
        };
        if (next == kUnassigned || key(c) < key(next)) next = c;
      }
      reached[next] = true;
      cost = distance[next];
      last = next;
      row = row_of_column[next];
    }
    of_row[first_row] += cost;
    for (std::uint32_t c = 0; c < columns; ++c) {
      if (!reached[c]) continue;
      of_column[c] -= cost - distance[c];
      if (row_of_column[c] != kUnassigned) of_row[row_of_column[c]] += cost - distance[c];
    }
    for (; last != kUnassigned; last = previous[last]) {
      row_of_column[last] = previous[last] == kUnassigned ? first_row : row_of_column[previous[last]];
      column_of_row[row_of_column[last]] = last;
    }
  }
  return column_of_row;
}

// Which of several best assignments it is decides about the last bits of scores, and about their details.
TEST(Assignment, IsThatOfTheDefinitionOnEveryInstructionSet) {
  const Isa before = ActiveIsa();
  std::mt19937 random(6);
  AssignmentWorkspace workspace;
  for (int round = 0; round < 600; ++round) {
    const std::uint32_t rows = 1 + random() % (round % 10 == 0 ? 70 : 20);
    const std::uint32_t columns = rows + random() % 12;
    const unsigned distinct = round % 3 == 0 ? 3 : round % 3 == 1 ? 20 : 100'000;
    std::vector<double> weight(rows * columns), transposed(rows * columns);
    for (std::size_t i = 0; i < weight.size(); ++i) {
      weight[i] = static_cast<double>(random() % distinct) / 7;
      transposed[i % columns * rows + i / columns] = weight[i];
    }
    const std::vector<std::uint32_t> expected = ColumnsByDefinition(weight, rows, columns);
    for (const Isa isa : AvailableIsas()) {
      ASSERT_EQ(ForceIsa(IsaName(isa)), "");
      EXPECT_TRUE(std::ranges::equal(AssignBest(weight, rows, columns, workspace).column_of_row, expected))
          << rows << " x " << columns << " in round " << round << " on " << IsaName(isa);
      const auto tall = AssignBest(transposed, columns, rows, workspace).column_of_row;
      for (std::uint32_t r = 0; r < rows && rows < columns; ++r) EXPECT_EQ(tall[expected[r]], r);
    }
    ForceIsa(IsaName(before));
  }
}

TEST(Assignment, IsExactUpToItsLimit) {
  AssignmentWorkspace workspace;
  std::mt19937 random(5);
  for (const std::size_t size : {kMaxExactAssignment - 1, kMaxExactAssignment, kMaxExactAssignment + 1}) {
    // A hidden order with weight 1 among weights below it.
    std::vector<std::uint32_t> hidden(size);
    std::iota(hidden.begin(), hidden.end(), 0u);
    for (std::size_t i = size - 1; i > 0; --i) std::swap(hidden[i], hidden[random() % (i + 1)]);
    std::vector<double> weight(size * size);
    for (double& w : weight) w = static_cast<double>(random() % 900) / 1000;
    for (std::size_t r = 0; r < size; ++r) weight[r * size + hidden[r]] = 1;
    const AssignmentResult result = AssignBest(weight, size, size, workspace);
    EXPECT_EQ(result.exact, size <= kMaxExactAssignment);
    EXPECT_TRUE(std::ranges::equal(result.column_of_row, hidden)) << size;
  }
}

TEST(Assignment, IsGreedyAboveItsLimit) {
  const std::size_t rows = kMaxExactAssignment + 1;
  AssignmentWorkspace workspace;
  std::vector<double> weight(rows * 2, 0);
  weight[0] = 0.9;
  weight[1] = weight[2] = 0.8;
  weight[3] = 0.1;
  const AssignmentResult tall = AssignBest(weight, rows, 2, workspace);
  EXPECT_FALSE(tall.exact);
  EXPECT_EQ(tall.column_of_row[0], 0u);
  EXPECT_EQ(tall.column_of_row[1], 1u);
  EXPECT_EQ(tall.column_of_row[2], kUnassigned);
  // Of equal weights the lowest row, then column.
  const AssignmentResult wide = AssignBest(std::vector<double>(2 * rows, 0.5), 2, rows, workspace);
  EXPECT_FALSE(wide.exact);
  EXPECT_EQ(wide.column_of_row[0], 0u);
  EXPECT_EQ(wide.column_of_row[1], 1u);
}

}  // namespace
}  // namespace leafscore::internal
