// engine/match/sparse_assignment.h: assigns columns to rows so that the sum of the weights of the pairs is
// highest. It is meant for matrices in which only few pairs have a weight.
//
// It uses shortest augmenting paths with potentials (Kuhn 1955, Jonker and Volgenant 1987) over lists of
// candidates. The potentials of a row and a column add up to at least the weight of their pair, and to
// exactly its weight if the two are assigned to each other. Unassigned rows and columns have potential 0.
// This proves that no assignment is better. The potentials also bound the weight that an unlisted pair could
// have without changing the result. The weight of an assigned pair can be divided freely between its two
// potentials. The potentials are made similar, which leaves the most room for unlisted pairs. THREADS: one at
// a time.
#ifndef LEAFSCORE_ENGINE_MATCH_SPARSE_ASSIGNMENT_H_
#define LEAFSCORE_ENGINE_MATCH_SPARSE_ASSIGNMENT_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace leafscore::internal {

inline constexpr std::uint32_t kUnpaired = std::numeric_limits<std::uint32_t>::max();

// The pairs with a weight, by row.
struct CandidateLists {
  struct Candidate {
    std::uint32_t column;
    std::uint32_t weight;
  };
  std::vector<std::uint32_t> first = {0};  // by row, plus the end
  std::vector<Candidate> all;              // sorted by column within a row

  std::uint32_t rows() const { return static_cast<std::uint32_t>(first.size() - 1); }
  std::span<const Candidate> Of(std::uint32_t row) const {
    return std::span(all).subspan(first[row], first[row + 1] - first[row]);
  }
  void Clear() {
    first.assign(1, 0);
    all.clear();
  }
  void EndRow() { first.push_back(static_cast<std::uint32_t>(all.size())); }
};

class SparseAssignment {
 public:
  // Deducts the pairs that it examines from `steps`. RETURNS: whether the steps sufficed; if not, each
  // remaining row gets its heaviest free column, and the potentials are meaningless.
  bool Solve(const CandidateLists& candidates, std::uint32_t columns, std::uint64_t& steps);

  // Assigns a column to a row. The potentials are meaningless from then on. REQUIRES: both are unassigned.
  void Assign(std::uint32_t row, std::uint32_t column) {
    column_of_[row] = column;
    row_of_[column] = row;
  }

  std::span<const std::uint32_t> column_of() const { return column_of_; }  // by row, or kUnpaired
  std::span<const std::uint32_t> row_of() const { return row_of_; }        // by column, or kUnpaired
  std::span<const std::uint32_t> row_potential() const { return row_potential_; }
  std::span<const std::uint32_t> column_potential() const { return column_potential_; }

 private:
  bool Augment(std::uint32_t row);
  void TakeHeaviestFree(std::uint32_t row);
  void Balance();

  const CandidateLists* candidates_ = nullptr;
  std::uint64_t* steps_ = nullptr;
  std::vector<std::uint32_t> row_potential_;
  std::vector<std::uint32_t> column_potential_;
  std::vector<std::uint32_t> column_of_;                        // by row
  std::vector<std::uint32_t> row_of_;                           // by column
  std::vector<std::uint32_t> distance_;                         // by column, for the current path
  std::vector<std::uint32_t> previous_;                         // by column: the previous row on the path
  std::vector<std::uint32_t> reached_;                          // columns with a distance
  std::vector<std::pair<std::uint32_t, std::uint32_t>> final_;  // distance and column
  std::vector<std::uint64_t> heap_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_SPARSE_ASSIGNMENT_H_
