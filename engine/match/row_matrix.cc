#include "engine/match/row_matrix.h"

#include <algorithm>

namespace leafscore::internal {
namespace {

// The largest weight of a pair, so that sums of a few weights do not overflow.
constexpr std::uint64_t kMostPairWeight = 1 << 28;

}  // namespace

bool RowMatrix::Begin(const RowPairingTask& task) {
  task_ = task;
  scale_ = 1;
  const std::uint32_t most_cost = task_.rules->most_cost;
  if (most_cost == 0) return true;
  const RowColumns& expected = *task_.expected;
  std::uint64_t most_cells = 0;
  for (std::uint32_t row = 0; row < expected.size(); ++row) {
    most_cells = std::max<std::uint64_t>(most_cells, expected.CellsOf(row).size());
  }
  if (most_cells * (most_cost + std::uint64_t{1}) > kMostPairWeight) return false;
  scale_ = most_cost + 1;
  return true;
}

void RowMatrix::SetSides(std::span<const std::uint32_t> expected, std::span<const std::uint32_t> actual) {
  transposed_ = expected.size() > actual.size();
  rows_ = transposed_ ? actual : expected;
  columns_ = transposed_ ? expected : actual;
  row_side_ = transposed_ ? task_.actual : task_.expected;
  column_side_ = transposed_ ? task_.expected : task_.actual;
  weighs_ = task_.rules->weigh != nullptr;
  key_scale_ = 1;
}

bool RowMatrix::PutKeysFirst() {
  std::uint64_t most_cells = 0;
  std::uint64_t cells = 0;  // upper bound for the matches of the rows that no key joins
  for (const std::uint32_t row : rows_) {
    most_cells = std::max<std::uint64_t>(most_cells, row_side_->CellsOf(row).size());
    cells += row_side_->CellsOf(row).size();
  }
  const std::uint64_t key_scale = cells * scale_ + 1;
  if (key_scale > kMostPairWeight || most_cells * scale_ * key_scale > kMostPairWeight) return false;
  key_scale_ = static_cast<std::uint32_t>(key_scale);
  return true;
}

std::uint64_t RowMatrix::StepsOfAllPairs() const {
  const auto cells_in = [](const RowColumns& side, std::span<const std::uint32_t> rows) {
    std::uint64_t cells = 0;
    for (const std::uint32_t row : rows) cells += side.cell_begin[row + 1] - side.cell_begin[row];
    return cells;
  };
  return columns_.size() * cells_in(*row_side_, rows_) + rows_.size() * cells_in(*column_side_, columns_);
}

}  // namespace leafscore::internal
