#include "engine/match/assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

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
