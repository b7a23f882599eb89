#include "engine/match/sparse_assignment.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "engine/match/assignment.h"

namespace leafscore::internal {
namespace {

// Weights of all pairs, row by row; 0 for pairs that are no candidates.
CandidateLists CandidatesOf(const std::vector<std::uint32_t>& weights, std::uint32_t columns) {
  CandidateLists lists;
  for (std::size_t begin = 0; begin < weights.size(); begin += columns) {
    for (std::uint32_t column = 0; column < columns; ++column) {
      if (weights[begin + column] != 0) lists.all.push_back({column, weights[begin + column]});
    }
    lists.EndRow();
  }
  return lists;
}

TEST(SparseAssignment, IsBestAndProvesItByPotentials) {
  std::mt19937 random(1);
  SparseAssignment assignment;  // one for all: nothing of an earlier one may matter
  for (int round = 0; round < 2'000; ++round) {
    const auto rows = static_cast<std::uint32_t>(1 + random() % 9);
    const auto columns = static_cast<std::uint32_t>(1 + random() % 9);
    std::vector<std::uint32_t> weights(rows * columns);
    for (std::uint32_t& weight : weights) {
      weight = static_cast<std::uint32_t>(random() % 3 == 0 ? 1 + random() % 6 : 0);
    }
    std::uint64_t steps = std::numeric_limits<std::uint64_t>::max();
    ASSERT_TRUE(assignment.Solve(CandidatesOf(weights, columns), columns, steps));
    std::vector<bool> is_taken(columns);
    double sum = 0;
    for (std::uint32_t row = 0; row < rows; ++row) {
      const std::uint32_t own = assignment.column_of()[row];
      const std::uint32_t potential = assignment.row_potential()[row];
      for (std::uint32_t column = 0; column < columns; ++column) {
        const std::uint32_t both = potential + assignment.column_potential()[column];
        if (column == own) {
          EXPECT_EQ(both, weights[row * columns + column]);
        } else {
          EXPECT_GE(both, weights[row * columns + column]);
        }
      }
      if (own == kUnpaired) {
        EXPECT_EQ(potential, 0u);
        continue;
      }
      EXPECT_FALSE(is_taken[own]);
      is_taken[own] = true;
      sum += weights[row * columns + own];
    }
    for (std::uint32_t column = 0; column < columns; ++column) {
      if (!is_taken[column]) {
        EXPECT_EQ(assignment.column_potential()[column], 0u);
      }
    }
    AssignmentWorkspace workspace;
    const std::vector<double> dense(weights.begin(), weights.end());
    const AssignmentResult best = AssignBest(dense, rows, columns, workspace);
    double most = 0;
    for (std::uint32_t row = 0; row < rows; ++row) {
      if (best.column_of_row[row] != kUnassigned) most += dense[row * columns + best.column_of_row[row]];
    }
    ASSERT_EQ(sum, most) << round;
  }
}

TEST(SparseAssignment, BalancesThePotentialsOfAPair) {
  SparseAssignment assignment;
  std::uint64_t steps = 10;
  ASSERT_TRUE(assignment.Solve(CandidatesOf({7, 0, 0, 4}, 2), 2, steps));
  EXPECT_EQ(assignment.row_potential()[0], 4u);
  EXPECT_EQ(assignment.column_potential()[0], 3u);
  EXPECT_EQ(assignment.row_potential()[1], 2u);
  EXPECT_EQ(assignment.column_potential()[1], 2u);
  EXPECT_EQ(steps, 8u);
}

// The steps are enough for the first row, which has two candidates.
TEST(SparseAssignment, GivesRemainingRowsTheirHeaviestFreeColumns) {
  SparseAssignment assignment;
  std::uint64_t steps = 2;
  EXPECT_FALSE(assignment.Solve(CandidatesOf({9, 1, 0, 0, 0,  //
                                              8, 7, 0, 0, 0,  //
                                              9, 2, 5, 3, 0,  //
                                              9, 2, 6, 3, 0,  //
                                              9, 0, 6, 0, 0},
                                             5),
                                5, steps));
  EXPECT_EQ(steps, 0u);
  EXPECT_EQ(assignment.column_of()[0], 0u);
  EXPECT_EQ(assignment.column_of()[2], 2u);
  EXPECT_EQ(assignment.column_of()[3], 3u);
  EXPECT_EQ(assignment.column_of()[4], kUnpaired);
}

}  // namespace
}  // namespace leafscore::internal
