#include "engine/match/row_matrix.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace leafscore::internal {
namespace {

using Cells = std::vector<std::uint32_t>;
using RowList = std::vector<std::uint32_t>;

// Rows of sorted cells, each with a key.
RowColumns ColumnsWithKeys(const std::vector<Cells>& rows, const RowList& keys) {
  RowColumns columns;
  columns.Clear();
  columns.key = keys;
  for (const Cells& cells : rows) {
    columns.whole.push_back(static_cast<std::uint32_t>(columns.whole.size()) + 1);
    columns.cells.insert(columns.cells.end(), cells.begin(), cells.end());
    columns.cell_begin.push_back(static_cast<std::uint32_t>(columns.cells.size()));
  }
  return columns;
}

// Three expected rows and two actual rows.
class RowMatrixTest : public testing::Test {
 protected:
  const RowColumns expected_ = ColumnsWithKeys({{1, 2, 3}, {4, 4, 5}, {6}}, {7, 8, 0});
  const RowColumns actual_ = ColumnsWithKeys({{2, 3, 9}, {4, 4, 4}}, {7, 0});
  RowPairingRules rules_;
  const RowPairingTask task_{&expected_, &actual_, &rules_};
  const RowList all_expected_ = {0, 1, 2};
  const RowList all_actual_ = {0, 1};
  RowMatrix matrix_;
};

TEST_F(RowMatrixTest, RowsAreThoseOfTheShorterList) {
  EXPECT_TRUE(matrix_.Begin(task_));
  matrix_.SetSides(all_expected_, all_actual_);
  EXPECT_EQ(matrix_.rows().size(), 2u);
  EXPECT_EQ(matrix_.columns().size(), 3u);
  EXPECT_EQ(&matrix_.row_side(), &actual_);
  EXPECT_EQ(&matrix_.column_side(), &expected_);
  EXPECT_EQ(matrix_.ExpectedOf(1, 2), 2u);
  EXPECT_EQ(matrix_.ActualOf(1, 2), 1u);
  const RowList last = {2};
  matrix_.SetSides(last, all_actual_);
  EXPECT_EQ(&matrix_.row_side(), &expected_);
  EXPECT_EQ(matrix_.ExpectedOf(0, 1), 2u);
  EXPECT_EQ(matrix_.ActualOf(0, 1), 1u);
  // On equal terms, the rows are expected rows.
  matrix_.SetSides(all_actual_, all_actual_);
  EXPECT_EQ(&matrix_.row_side(), &expected_);
}

TEST_F(RowMatrixTest, ARepeatedCellIsSharedAsOftenAsBothRowsHaveIt) {
  EXPECT_TRUE(matrix_.Begin(task_));
  matrix_.SetSides(all_expected_, all_actual_);
  EXPECT_EQ(matrix_.Shared(0, 0), 2u);
  EXPECT_EQ(matrix_.Shared(1, 1), 2u);
  EXPECT_EQ(matrix_.Shared(0, 1), 0u);
  EXPECT_EQ(matrix_.Shared(1, 2), 0u);
  EXPECT_EQ(matrix_.Weight(1, 1), 2u);
  EXPECT_EQ(matrix_.weight_of_cell(), 1u);
}

TEST_F(RowMatrixTest, StepsOfAllPairsCountTheCellsOfEachPair) {
  EXPECT_TRUE(matrix_.Begin(task_));
  matrix_.SetSides(all_expected_, all_actual_);
  EXPECT_EQ(matrix_.StepsOfAllPairs(), 3u * (3 + 3) + 2u * (3 + 3 + 1));
}

TEST_F(RowMatrixTest, OneMoreMatchedCellOutweighsAllCosts) {
  rules_.most_cost = 10;
  rules_.weigh = [](std::uint32_t row, std::uint32_t column) {
    EXPECT_EQ(row, column) << "a pair without a shared cell is not weighed";
    return PairWeight{row == 0 ? 2u : 0u, 9};
  };
  EXPECT_TRUE(matrix_.Begin(task_));
  matrix_.SetSides(all_expected_, all_actual_);
  EXPECT_TRUE(matrix_.weighs());
  EXPECT_EQ(matrix_.weight_of_cell(), 11u);
  EXPECT_EQ(matrix_.Weight(0, 0), 2u * 11 - 9);
  EXPECT_EQ(matrix_.Weight(1, 1), 0u);  // matches in no cell
  EXPECT_EQ(matrix_.Weight(0, 2), 0u);
  matrix_.StopWeighing();
  EXPECT_FALSE(matrix_.weighs());
  EXPECT_EQ(matrix_.Weight(1, 1), 2u);
  EXPECT_EQ(matrix_.weight_of_cell(), 1u);
  matrix_.SetSides(all_expected_, all_actual_);
  EXPECT_TRUE(matrix_.weighs());
}

// The limit is 2^28 for a row of four cells.
TEST_F(RowMatrixTest, CostsAboveTheLimitDoNotCount) {
  const RowColumns four = ColumnsWithKeys({{1, 2, 3, 4}}, {0});
  rules_.weigh = [](std::uint32_t, std::uint32_t) { return PairWeight{3, 5}; };
  const RowPairingTask task{&four, &four, &rules_};
  const RowList only = {0};
  rules_.most_cost = (1u << 26) - 1;
  EXPECT_TRUE(matrix_.Begin(task));
  matrix_.SetSides(only, only);
  EXPECT_EQ(matrix_.Weight(0, 0), (3u << 26) - 5);
  rules_.most_cost = 1u << 26;
  EXPECT_FALSE(matrix_.Begin(task));
  matrix_.SetSides(only, only);
  EXPECT_EQ(matrix_.Weight(0, 0), 3u);
}

TEST_F(RowMatrixTest, PairsWithEqualKeysOutweighAllOthers) {
  rules_.join = true;
  EXPECT_TRUE(matrix_.Begin(task_));
  matrix_.SetSides(all_expected_, all_actual_);
  ASSERT_TRUE(matrix_.PutKeysFirst());
  EXPECT_EQ(matrix_.Weight(0, 0), 2u * 7);  // one more than the six cells of the two rows
  EXPECT_EQ(matrix_.Weight(1, 1), 2u);
  matrix_.SetSides(all_expected_, all_actual_);
  EXPECT_EQ(matrix_.Weight(0, 0), 2u);
}

// A row of n cells could weigh n (n + 1), which is above 2^28 from 2^14 on.
TEST_F(RowMatrixTest, KeysDoNotComeFirstAboveTheLimit) {
  for (const auto& [cells, fits] : {std::pair((1u << 14) - 1, true), std::pair(1u << 14, false)}) {
    const RowColumns long_row = ColumnsWithKeys({Cells(cells, 3)}, {1});
    rules_.join = true;
    const RowPairingTask task{&long_row, &long_row, &rules_};
    const RowList only = {0};
    EXPECT_TRUE(matrix_.Begin(task));
    matrix_.SetSides(only, only);
    EXPECT_EQ(matrix_.PutKeysFirst(), fits);
    EXPECT_EQ(matrix_.Weight(0, 0), fits ? cells * (cells + 1) : cells);
  }
}

}  // namespace
}  // namespace leafscore::internal
