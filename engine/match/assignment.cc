#include "engine/match/assignment.h"

#include <algorithm>
#include <numeric>

namespace leafscore::internal {
namespace {

// The weights with the shorter side as rows, which the exact method processes one by one.
struct WeightMatrix {
  std::span<const double> weight;
  std::size_t row_stride;
  std::size_t column_stride;

  double operator()(std::size_t row, std::size_t column) const {
    return weight[row * row_stride + column * column_stride];
  }
};

// Assigns a column to every row: each new row takes the cheapest path to a free column, along which earlier
// rows move to other columns. Costs are the negated weights. REQUIRES: rows <= columns.
void AssignExactly(const WeightMatrix& weight, std::size_t rows, std::size_t columns,
                   std::vector<std::uint32_t>& column_of_row, std::vector<std::uint32_t>& row_of_column,
                   AssignmentWorkspace& w) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  column_of_row.assign(rows, kUnassigned);
  row_of_column.assign(columns, kUnassigned);
  w.row_potential.assign(rows, 0);
  w.column_potential.assign(columns, 0);
  w.previous_column.resize(columns);
  for (std::uint32_t first_row = 0; first_row < rows; ++first_row) {
    w.distance.assign(columns, kInfinity);
    w.done.assign(columns, 0);
    std::uint32_t row = first_row;
    std::uint32_t column = kUnassigned;  // the column from which `row` was reached
    double reached = 0;                  // cost of the path so far
    do {
      std::uint32_t next = kUnassigned;
      for (std::uint32_t c = 0; c < columns; ++c) {
        if (w.done[c]) continue;
        const double distance = reached - weight(row, c) - w.row_potential[row] - w.column_potential[c];
        if (distance < w.distance[c]) {
          w.distance[c] = distance;
          w.previous_column[c] = column;
        }
        // Among equally cheap paths, prefer one that ends here: if all weights are equal, each row takes one
        // step.
        if (next == kUnassigned || w.distance[c] < w.distance[next] ||
            (w.distance[c] == w.distance[next] && row_of_column[c] == kUnassigned &&
             row_of_column[next] != kUnassigned)) {
          next = c;
        }
      }
      column = next;
      reached = w.distance[column];
      w.done[column] = 1;
      row = row_of_column[column];
    } while (row != kUnassigned);
    // Make every step of the found paths cost nothing, so that no later step has a negative cost.
    w.row_potential[first_row] += reached;
    for (std::uint32_t c = 0; c < columns; ++c) {
      if (!w.done[c]) continue;
      w.column_potential[c] -= reached - w.distance[c];
      if (c != column) w.row_potential[row_of_column[c]] += reached - w.distance[c];
    }
    while (column != kUnassigned) {
      const std::uint32_t previous = w.previous_column[column];
      row_of_column[column] = previous == kUnassigned ? first_row : row_of_column[previous];
      column_of_row[row_of_column[column]] = column;
      column = previous;
    }
  }
}

void AssignGreedily(std::span<const double> weight, std::size_t rows, std::size_t columns,
                    AssignmentWorkspace& w) {
  w.column_of_row.assign(rows, kUnassigned);
  w.row_of_column.assign(columns, kUnassigned);
  w.cells.resize(rows * columns);
  std::iota(w.cells.begin(), w.cells.end(), 0u);
  std::ranges::sort(w.cells, [&](std::uint32_t a, std::uint32_t b) {
    return weight[a] != weight[b] ? weight[a] > weight[b] : a < b;
  });
  for (const std::uint32_t cell : w.cells) {
    std::uint32_t& column = w.column_of_row[cell / columns];
    std::uint32_t& row = w.row_of_column[cell % columns];
    if (column != kUnassigned || row != kUnassigned) continue;
    row = static_cast<std::uint32_t>(cell / columns);
    column = static_cast<std::uint32_t>(cell % columns);
  }
}

}  // namespace

AssignmentResult AssignBest(std::span<const double> weight, std::size_t rows, std::size_t columns,
                            AssignmentWorkspace& w) {
  const bool exact = std::max(rows, columns) <= kMaxExactAssignment;
  if (!exact) {
    AssignGreedily(weight, rows, columns, w);
  } else if (rows <= columns) {
    AssignExactly({weight, columns, 1}, rows, columns, w.column_of_row, w.row_of_column, w);
  } else {
    AssignExactly({weight, 1, columns}, columns, rows, w.row_of_column, w.column_of_row, w);
  }
  return {w.column_of_row, exact};
}

}  // namespace leafscore::internal
