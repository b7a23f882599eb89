// engine/match/assignment.h: pairs the rows of a matrix with its columns so that the weights of the pairs
// have a high sum.
//
// Exactly (Kuhn 1955; shortest augmenting paths with potentials after Jonker and Volgenant 1987) while both
// sides have at most kMaxExactAssignment elements; greedily above, as the exact way is cubic.
// THREADS: safe with distinct workspaces.
#ifndef LEAFSCORE_ENGINE_MATCH_ASSIGNMENT_H_
#define LEAFSCORE_ENGINE_MATCH_ASSIGNMENT_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace leafscore::internal {

inline constexpr std::size_t kMaxExactAssignment = 256;
inline constexpr std::uint32_t kUnassigned = std::numeric_limits<std::uint32_t>::max();

// Memory of assignments, kept by the caller from one to the next. Its content in between does not matter.
struct AssignmentWorkspace {
  std::vector<std::uint32_t> column_of_row;
  std::vector<std::uint32_t> row_of_column;
  // Exact: what is subtracted from the costs of each row and column; for each column the cheapest way found
  // to it, where that came from, and whether it is final.
  std::vector<double> row_potential;
  std::vector<double> column_potential;
  std::vector<double> distance;
  std::vector<std::uint32_t> previous_column;
  std::vector<std::uint8_t> done;
  std::vector<std::uint32_t> cells;  // greedy: in the order they are tried
};

struct AssignmentResult {
  std::span<const std::uint32_t> column_of_row;  // or kUnassigned; in the workspace
  bool exact;                                    // no other pairing has a higher sum, apart from rounding
};

// Pairs min(rows, columns) rows and columns. weight[r * columns + c] is that of row r with column c.
// The greedy way takes the highest weight left, of equal ones the one with the lowest row, then column.
// REQUIRES: finite weights; rows * columns < 2^32.
// RETURNS:  always the same for the same weights.
// COST:     exact: O(min^2 * max); greedy: O(rows * columns * log) time and 4 bytes a cell.
AssignmentResult AssignBest(std::span<const double> weight, std::size_t rows, std::size_t columns,
                            AssignmentWorkspace& workspace);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_ASSIGNMENT_H_
