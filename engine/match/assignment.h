// engine/match/assignment.h: assigns the rows of a matrix to its columns so that the sum of the weights is
// high.
//
// If both sides have at most kMaxExactAssignment elements, the assignment is exact (Kuhn 1955; shortest
// augmenting paths with potentials after Jonker and Volgenant 1987). Above, it is greedy, because the exact
// method is cubic.
// THREADS: safe with distinct workspaces.
#ifndef LEAFSCORE_ENGINE_MATCH_ASSIGNMENT_H_
#define LEAFSCORE_ENGINE_MATCH_ASSIGNMENT_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace leafscore::internal {

inline constexpr std::size_t kMaxExactAssignment = 256;
inline constexpr std::uint32_t kUnassigned = std::numeric_limits<std::uint32_t>::max();

// Memory for assignments, which the caller keeps between calls. Its content between calls does not matter.
struct AssignmentWorkspace {
  std::vector<std::uint32_t> column_of_row;
  std::vector<std::uint32_t> row_of_column;
  // For the exact method. The potentials of rows and columns are subtracted from the costs. `path` has the
  // steps of the search, each from a row to a column, with the cost of the path before the step (`reached`)
  // and after it (`cost`). `moves` has the steps on the path that was found.
  struct Step {
    std::uint32_t row;
    double reached;
    std::uint32_t column;
    double cost;
  };
  std::vector<double> transposed;
  std::vector<double> row_potential;
  std::vector<double> column_potential;
  std::vector<Step> path;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> moves;
  // PathColumns (kernels/nearest_column.h)
  std::vector<double> open_potential;
  std::vector<double> order;
  std::vector<double> distance;
  std::vector<std::uint32_t> cells;  // for the greedy method: in the order of trial
};

struct AssignmentResult {
  std::span<const std::uint32_t> column_of_row;  // or kUnassigned; stored in the workspace
  bool exact;                                    // no other assignment has a higher sum, apart from rounding
};

// Pairs min(rows, columns) rows and columns. weight[r * columns + c] is the weight of row r with column c.
// The greedy method repeatedly takes the highest remaining weight; among equal weights, the lowest row, then
// the lowest column.
// REQUIRES: finite weights; rows * columns < 2^32.
// RETURNS: always the same for the same weights.
// COST: exact: O(min^2 * max); greedy: O(rows * columns * log) time and 4 bytes a cell.
AssignmentResult AssignBest(std::span<const double> weight, std::size_t rows, std::size_t columns,
                            AssignmentWorkspace& workspace);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_ASSIGNMENT_H_
