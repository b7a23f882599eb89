// engine/match/row_assignment.h: pairs the rows of two lists so that the sum of the weights of the pairs is
// highest, and proves that no other pairing has a higher sum.
//
// It examines the pairs that share something rare (row_candidates.h) and assigns the rows by these pairs
// (sparse_assignment.h). The result is still exact if, for every other pair, the sum of the potentials of its
// two rows is at least the number of cells that they could share. Rows that do not meet this condition are
// examined more closely, up to 2^22 pairs at a time. If there are few pairs, it examines all of them instead.
// The weights come from row_matrix.h. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_MATCH_ROW_ASSIGNMENT_H_
#define LEAFSCORE_ENGINE_MATCH_ROW_ASSIGNMENT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/match/row_candidates.h"
#include "engine/match/row_matrix.h"
#include "engine/match/row_pairing_task.h"
#include "engine/match/sparse_assignment.h"

namespace leafscore::internal {

class RowAssignment {
 public:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;  // an expected and an actual row

  // Sets the task of the calls below. Assign and AssignKeysFirst deduct their work from `budget`. RETURNS:
  // false if weights cannot express the costs of the rules; no result is exact then.
  bool Begin(const RowPairingTask& task, PairingBudget& budget);
  // Assigns the rows of two lists to each other. The caller keeps the lists until it has read the pairs.
  // RETURNS: whether it is proven that no other assignment has a higher sum of weights. If not, rows that
  // share a cell are still paired, in order.
  bool Assign(std::span<const std::uint32_t> expected, std::span<const std::uint32_t> actual);
  // As Assign, but pairs with equal keys outweigh all others. RETURNS: false, without pairs, if this exceeds
  // the limits.
  bool AssignKeysFirst(std::span<const std::uint32_t> expected, std::span<const std::uint32_t> actual);
  // Returns the pair with the highest weight, or nothing if several pairs have it or no pair has a weight.
  // REQUIRES: one of the lists has exactly one row.
  std::optional<Pair> OnlyBest(std::span<const std::uint32_t> expected,
                               std::span<const std::uint32_t> actual);

  // After Assign or AssignKeysFirst: calls visit(expected, actual) for each pair.
  template <class Visit>
  void ForEachPair(Visit visit) const {
    const std::span<const std::uint32_t> column_of = assignment_.column_of();
    for (std::uint32_t row = 0; row < column_of.size(); ++row) {
      const std::uint32_t column = column_of[row];
      if (column != kUnpaired) visit(matrix_.ExpectedOf(row, column), matrix_.ActualOf(row, column));
    }
  }

 private:
  bool SolveOverAll();
  bool SolveWithProof();
  void AddCandidates();
  std::uint32_t RaiseUnproven(bool raises);
  bool NameLeft();
  bool LookCloser(std::uint8_t step);
  void PairLeftInOrder();

  PairingBudget* budget_ = nullptr;
  RowMatrix matrix_;
  RowCandidates finder_;
  CandidateLists candidates_;
  CandidateLists merged_;
  std::vector<std::uint32_t> new_columns_;
  std::vector<std::uint32_t> left_rows_;
  std::vector<std::uint32_t> left_columns_;
  SparseAssignment assignment_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_ROW_ASSIGNMENT_H_
