// engine/match/sparse_assignment.h: assigns columns to rows so that the weights of the pairs have the highest
// sum, where few of all pairs have a weight.
//
// Shortest augmenting paths with potentials (Kuhn 1955, Jonker and Volgenant 1987) over lists of candidates.
// The potentials are the proof that no assignment is better: those of a row and a column add up to at least
// the weight of their pair, exactly to it where it is assigned, and are 0 where a row or column is left. So
// they also tell how much a pair that is not listed could weigh without changing anything; as the weight of
// an assigned pair can be shared out between its two potentials, they are made alike, which leaves most room
// for the pairs of rows and columns that are left. THREADS: one at a time.
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

// The pairs that have a weight, by row.
struct CandidateLists {
  struct Candidate {
    std::uint32_t column;
    std::uint32_t weight;
  };
  std::vector<std::uint32_t> first = {0};  // by row, and one behind the last
  std::vector<Candidate> all;              // of each row by column

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
  // Takes what it looks at from `steps`. RETURNS: whether they were enough; if not, the rows that were left
  // then have the heaviest column that was free, and the potentials mean nothing.
  bool Solve(const CandidateLists& candidates, std::uint32_t columns, std::uint64_t& steps);

  std::span<const std::uint32_t> column_of() const { return column_of_; }  // by row, or kUnpaired
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
  std::vector<std::uint32_t> distance_;                         // by column; of the path being sought
  std::vector<std::uint32_t> previous_;                         // by column: the row that it was reached from
  std::vector<std::uint32_t> reached_;                          // columns with a distance
  std::vector<std::pair<std::uint32_t, std::uint32_t>> final_;  // distance and column
  std::vector<std::uint64_t> heap_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_SPARSE_ASSIGNMENT_H_
