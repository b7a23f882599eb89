#include "engine/match/assignment.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "kernels/nearest_column.h"

namespace leafscore::internal {
namespace {

// Assigns a column to every row: each new row takes the cheapest path to a free column, along which earlier
// rows move to other columns. Among equally cheap paths, a path that leads directly to a free column is
// preferred. So if all weights are equal, each row takes one step. Costs are the negated weights. REQUIRES:
// rows <= columns.
void AssignExactly(std::span<const double> weight, std::size_t rows, std::size_t columns,
                   std::vector<std::uint32_t>& column_of_row, std::vector<std::uint32_t>& row_of_column,
                   AssignmentWorkspace& w) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kTaken = 0x1p32;  // puts columns with a row behind all others
  const Isa isa = ActiveIsa();
  column_of_row.assign(rows, kUnassigned);
  row_of_column.assign(columns, kUnassigned);
  w.row_potential.assign(rows, 0);
  w.column_potential.assign(columns, 0);
  w.order.resize(columns);
  std::iota(w.order.begin(), w.order.end(), 0.0);
  for (std::uint32_t first_row = 0; first_row < rows; ++first_row) {
    w.distance.assign(columns, kInfinity);
    w.open_potential = w.column_potential;
    w.path.clear();
    const PathColumns open = {columns, w.open_potential.data(), w.order.data(), w.distance.data()};
    std::uint32_t row = first_row;
    double reached = 0;  // cost of the path so far
    do {
      const double order =
          OrderOfNearest(weight.data() + row * columns, reached, w.row_potential[row], open, isa);
      const auto column = static_cast<std::uint32_t>(order < kTaken ? order : order - kTaken);
      const double cost = std::exchange(w.distance[column], kInfinity);
      w.open_potential[column] = -kInfinity;
      w.path.push_back({row, reached, column, cost});
      reached = cost;
      row = row_of_column[column];
    } while (row != kUnassigned);
    w.order[w.path.back().column] += kTaken;

    // Walk the path backwards. The step that leads to a column is the first step that reaches the column at
    // its final cost.
    w.moves.clear();
    for (std::size_t last = w.path.size(); last-- > 0;) {
      const std::uint32_t column = w.path[last].column;
      const auto led = std::ranges::find_if(w.path, [&](const AssignmentWorkspace::Step& step) {
        return step.reached - weight[step.row * columns + column] - w.row_potential[step.row] -
                   w.column_potential[column] ==
               w.path[last].cost;
      });
      w.moves.emplace_back(led->row, column);
      last = static_cast<std::size_t>(led - w.path.begin());
    }
    // Make every step of the found paths cost nothing, so that no later step has a negative cost.
    w.row_potential[first_row] += reached;
    for (const auto& step : w.path) {
      w.column_potential[step.column] -= reached - step.cost;
      const std::uint32_t its_row = row_of_column[step.column];
      if (its_row != kUnassigned) w.row_potential[its_row] += reached - step.cost;
    }
    for (const auto& [moved, column] : w.moves) {
      row_of_column[column] = moved;
      column_of_row[moved] = column;
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
    AssignExactly(weight, rows, columns, w.column_of_row, w.row_of_column, w);
  } else {
    w.transposed.resize(rows * columns);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) w.transposed[c * rows + r] = weight[r * columns + c];
    }
    AssignExactly(w.transposed, columns, rows, w.row_of_column, w.column_of_row, w);
  }
  return {w.column_of_row, exact};
}

}  // namespace leafscore::internal
