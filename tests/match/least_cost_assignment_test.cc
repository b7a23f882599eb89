#include "engine/match/least_cost_assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace leafscore::internal {
namespace {

constexpr std::uint64_t kManySteps = 1u << 30;
using Costs = std::vector<std::uint32_t>;

std::vector<std::uint32_t> LeastAssigned(const Costs& costs, std::uint32_t rows, std::uint32_t columns) {
  LeastCostAssignment assignment;
  std::uint64_t steps = kManySteps;
  const auto costs_of = [&](std::uint32_t row) {
    return std::span(costs).subspan(std::size_t{row} * columns, columns);
  };
  EXPECT_TRUE(assignment.Assign(rows, columns, costs_of, steps));
  return {assignment.column_of_row().begin(), assignment.column_of_row().end()};
}

std::uint64_t SumOf(const Costs& costs, std::uint32_t columns, const std::vector<std::uint32_t>& column_of) {
  std::uint64_t sum = 0;
  for (std::size_t row = 0; row < column_of.size(); ++row) sum += costs[row * columns + column_of[row]];
  return sum;
}

std::uint64_t LeastByTryingAll(const Costs& costs, std::uint32_t rows, std::uint32_t columns) {
  std::vector<std::uint32_t> order(columns);
  std::iota(order.begin(), order.end(), 0u);
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  do {
    least = std::min(least, SumOf(costs, columns, {order.begin(), order.begin() + rows}));
  } while (std::ranges::next_permutation(order).found);
  return least;
}

TEST(LeastCostAssignment, FindsTheLeastSumOfAll) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    const auto rows = static_cast<std::uint32_t>(random() % 5);
    const auto columns = static_cast<std::uint32_t>(rows + random() % 3);
    Costs costs(rows * columns);
    for (std::uint32_t& cost : costs) cost = static_cast<std::uint32_t>(random() % 6);
    const std::vector<std::uint32_t> column_of = LeastAssigned(costs, rows, columns);
    ASSERT_EQ(column_of.size(), rows);
    ASSERT_EQ(std::set(column_of.begin(), column_of.end()).size(), rows);
    ASSERT_EQ(SumOf(costs, columns, column_of), LeastByTryingAll(costs, rows, columns));
  }
}

// Answers of scipy.optimize.linear_sum_assignment, SciPy 1.17.1.
TEST(LeastCostAssignment, ChoosesAmongEqualCostsAsSciPyDoes) {
  using Columns = std::vector<std::uint32_t>;
  EXPECT_EQ(LeastAssigned({1, 1, 1, 1}, 2, 2), (Columns{0, 1}));
  EXPECT_EQ(LeastAssigned({1, 1, 1, 1, 1, 1, 1, 1, 1}, 3, 3), (Columns{0, 1, 2}));
  EXPECT_EQ(LeastAssigned({1, 1, 1, 1, 1, 1, 1, 1}, 2, 4), (Columns{0, 1}));
  EXPECT_EQ(LeastAssigned({0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 0}, 3, 5), (Columns{0, 3, 4}));
  EXPECT_EQ(LeastAssigned({0, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1}, 4, 4), (Columns{0, 1, 3, 2}));
  EXPECT_EQ(LeastAssigned({0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0}, 4, 6),
            (Columns{0, 1, 2, 4}));
  EXPECT_EQ(LeastAssigned({1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0}, 5, 5),
            (Columns{4, 1, 3, 2, 0}));
  EXPECT_EQ(LeastAssigned({1, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0, 1,
                           1, 1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1},
                          5, 7),
            (Columns{3, 1, 2, 4, 0}));
  EXPECT_EQ(LeastAssigned({0, 2, 0, 2, 0, 1, 1, 2, 1, 1, 2, 2, 1, 0, 1, 0, 1, 1,
                           2, 1, 1, 1, 0, 0, 2, 2, 2, 0, 1, 2, 0, 2, 1, 0, 1, 0},
                          6, 6),
            (Columns{0, 2, 1, 4, 3, 5}));
  EXPECT_EQ(LeastAssigned({1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0,
                           1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1},
                          6, 8),
            (Columns{1, 0, 2, 3, 4, 5}));
  EXPECT_EQ(LeastAssigned({0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0,
                           0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0},
                          7, 7),
            (Columns{0, 2, 1, 3, 6, 4, 5}));
  EXPECT_EQ(LeastAssigned({1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0,
                           0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1,
                           0, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0},
                          8, 8),
            (Columns{1, 6, 2, 3, 4, 0, 5, 7}));
}

TEST(LeastCostAssignment, EndsAtItsSteps) {
  const Costs costs(9, 1);
  const auto costs_of = [&](std::uint32_t row) { return std::span(costs).subspan(row * 3, 3); };
  for (const auto& [given, left, done] : {std::tuple(8u, 2u, false), std::tuple(9u, 0u, true)}) {
    LeastCostAssignment assignment;
    std::uint64_t steps = given;
    EXPECT_EQ(assignment.Assign(3, 3, costs_of, steps), done);
    EXPECT_EQ(steps, left);
  }
}

}  // namespace
}  // namespace leafscore::internal
