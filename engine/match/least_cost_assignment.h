// engine/match/least_cost_assignment.h: assigns each row of a matrix a column of its own at the least total
// cost. Among equally cheap assignments, it finds the same one as SciPy's linear_sum_assignment.
//
// It takes shortest augmenting paths with potentials (Crouse 2016), row by row. Among equal costs, only the
// order in which columns are examined decides. Columns are listed from the last to the first. If a column is
// reached, the last column in the list takes its place. Among equally near columns, the search reaches the
// last one that no row has; if each of them has a row, it reaches the first. assignment.h also takes shortest
// paths, but in another order. Scores depend on both orders.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_MATCH_LEAST_COST_ASSIGNMENT_H_
#define LEAFSCORE_ENGINE_MATCH_LEAST_COST_ASSIGNMENT_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace leafscore::internal {

class LeastCostAssignment {
 public:
  // Returns the costs of a row, one for each column; they are valid until the next call.
  using CostsOfRow = std::function<std::span<const std::uint32_t>(std::uint32_t row)>;

  // Assigns the columns. `steps` is how many costs may be examined; the examined ones are deducted from it.
  // REQUIRES: rows <= columns.
  // RETURNS: false if there were too few steps; in this case there is no assignment.
  // COST: O(rows^2 * columns) at most, and about rows * columns if most rows are cheapest in distinct
  // columns.
  bool Assign(std::uint32_t rows, std::uint32_t columns, const CostsOfRow& costs_of, std::uint64_t& steps);

  // After Assign: the column of each row.
  std::span<const std::uint32_t> column_of_row() const { return column_of_row_; }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  bool AddRow(std::uint32_t row, const CostsOfRow& costs_of, std::uint64_t& steps);
  std::uint32_t ReachFrom(std::uint32_t row, std::int64_t distance, std::span<const std::uint32_t> costs);
  void RaisePotentials(std::uint32_t row, std::int64_t distance);
  void MoveAlong(std::uint32_t row, std::uint32_t column);

  std::vector<std::uint32_t> column_of_row_;
  std::vector<std::uint32_t> row_of_column_;
  std::vector<std::int64_t> row_potential_;
  std::vector<std::int64_t> column_potential_;
  // For each column: the cost of the cheapest path so far, and the row before it on that path.
  std::vector<std::int64_t> distance_;
  std::vector<std::uint32_t> row_before_;
  std::vector<std::uint32_t> left_;     // columns that are not reached yet, in the order of examination
  std::vector<std::uint32_t> reached_;  // columns that are reached
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_LEAST_COST_ASSIGNMENT_H_
