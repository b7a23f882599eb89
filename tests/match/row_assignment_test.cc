#include "engine/match/row_assignment.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace leafscore::internal {
namespace {

using Cells = std::vector<std::uint32_t>;
using RowList = std::vector<std::uint32_t>;
using PairList = std::vector<RowAssignment::Pair>;

// Rows of sorted cells. The first cell is the key.
RowColumns ColumnsWithFirstCellAsKey(const std::vector<Cells>& rows) {
  RowColumns columns;
  columns.Clear();
  for (const Cells& cells : rows) {
    columns.whole.push_back(static_cast<std::uint32_t>(columns.whole.size()) + 1);
    columns.key.push_back(cells[0]);
    columns.cells.insert(columns.cells.end(), cells.begin(), cells.end());
    columns.cell_begin.push_back(static_cast<std::uint32_t>(columns.cells.size()));
  }
  return columns;
}

PairList PairsFrom(const RowAssignment& assignment) {
  PairList pairs;
  assignment.ForEachPair([&](std::uint32_t e, std::uint32_t a) { pairs.emplace_back(e, a); });
  return pairs;
}

// By shared cells alone, the expected rows 0 and 1 pair with the actual rows 1 and 0. Only the expected row 0
// and the actual row 0 have one key.
class RowAssignmentTest : public testing::Test {
 protected:
  const RowColumns expected_ = ColumnsWithFirstCellAsKey({{1, 20, 21}, {2, 30, 31}, {3, 90}});
  const RowColumns actual_ = ColumnsWithFirstCellAsKey({{1, 30, 31}, {5, 20, 21}});
  const RowPairingRules rules_{.join = true};
  const RowPairingTask task_{&expected_, &actual_, &rules_};
  const RowList all_expected_ = {0, 1, 2};
  const RowList all_actual_ = {0, 1};
  PairingBudget budget_;
  RowAssignment assignment_;
};

TEST_F(RowAssignmentTest, PairsTheListedRowsSoThatMostCellsMatch) {
  ASSERT_TRUE(assignment_.Begin(task_, budget_));
  EXPECT_TRUE(assignment_.Assign(all_expected_, all_actual_));
  EXPECT_EQ(PairsFrom(assignment_), (PairList{{1, 0}, {0, 1}}));
  const RowList some = {0, 2};
  EXPECT_TRUE(assignment_.Assign(some, all_actual_));
  EXPECT_EQ(PairsFrom(assignment_), (PairList{{0, 1}}));
  const RowList one = {0};
  EXPECT_TRUE(assignment_.Assign(all_expected_, one));
  EXPECT_EQ(PairsFrom(assignment_), (PairList{{1, 0}}));
}

TEST_F(RowAssignmentTest, PairsByKeysFirstIfItIsAskedTo) {
  ASSERT_TRUE(assignment_.Begin(task_, budget_));
  EXPECT_TRUE(assignment_.AssignKeysFirst(all_expected_, all_actual_));
  EXPECT_EQ(PairsFrom(assignment_), (PairList{{0, 0}}));
  EXPECT_TRUE(assignment_.Assign(all_expected_, all_actual_));
  EXPECT_EQ(PairsFrom(assignment_).size(), 2u);
}

// The search fails at the first row. The second row takes the heaviest free column, and the first row takes
// the first free column that shares its rarest cell.
TEST_F(RowAssignmentTest, PairsInOrderWithoutSteps) {
  budget_ = {.inner_steps = 0, .search_steps = 0};
  ASSERT_TRUE(assignment_.Begin(task_, budget_));
  EXPECT_FALSE(assignment_.AssignKeysFirst(all_expected_, all_actual_));
  EXPECT_FALSE(assignment_.Assign(all_expected_, all_actual_));
  EXPECT_EQ(PairsFrom(assignment_), (PairList{{1, 0}, {0, 1}}));
}

TEST_F(RowAssignmentTest, DeductsItsStepsFromTheBudget) {
  ASSERT_TRUE(assignment_.Begin(task_, budget_));
  EXPECT_TRUE(assignment_.Assign(all_expected_, all_actual_));
  EXPECT_EQ(budget_.inner_steps, PairingBudget().inner_steps) << "nothing was weighed";
  EXPECT_LT(budget_.search_steps, PairingBudget().search_steps);
}

TEST_F(RowAssignmentTest, AnOnlyBestRowHasNoEqual) {
  ASSERT_TRUE(assignment_.Begin(task_, budget_));
  const RowList first = {0};
  const RowList last = {2};
  const RowList twice = {1, 1};
  EXPECT_EQ(assignment_.OnlyBest(all_expected_, first), RowAssignment::Pair(1, 0));
  EXPECT_EQ(assignment_.OnlyBest(first, all_actual_), RowAssignment::Pair(0, 1));
  EXPECT_EQ(assignment_.OnlyBest(last, all_actual_), std::nullopt);
  EXPECT_EQ(assignment_.OnlyBest(first, twice), std::nullopt);
}

TEST_F(RowAssignmentTest, TooHighCostsAreToldAtOnce) {
  RowPairingRules rules;
  rules.most_cost = 1u << 28;
  EXPECT_FALSE(assignment_.Begin({&expected_, &actual_, &rules}, budget_));
}

}  // namespace
}  // namespace leafscore::internal
