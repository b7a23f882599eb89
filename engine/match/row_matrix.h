// engine/match/row_matrix.h: the weights of all pairs of two lists of rows, as the matrix of an assignment.
//
// The shorter list gives the rows of the matrix, and the other list gives its columns. Both are numbered by
// their positions in the lists. Weights are computed when they are asked for. The weight of a pair is
//   0                                if the rows share no cell, or match in no cell
//   the number of shared cells       if the rules do not weigh pairs
//   matched cells * scale - cost     if they do; the scale lets one more matched cell outweigh all costs
// PutKeysFirst multiplies the weights of pairs with equal keys, so that these pairs outweigh all others.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_MATCH_ROW_MATRIX_H_
#define LEAFSCORE_ENGINE_MATCH_ROW_MATRIX_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/match/row_candidates.h"
#include "engine/match/row_pairing_task.h"

namespace leafscore::internal {

class RowMatrix {
 public:
  // Sets the two sides, the rules and the scale. RETURNS: false if the weights would exceed the limit; costs
  // then do not count.
  bool Begin(const RowPairingTask& task);
  // Sets the two lists, which the caller keeps. Undoes PutKeysFirst and StopWeighing.
  void SetSides(std::span<const std::uint32_t> expected, std::span<const std::uint32_t> actual);
  // Lets pairs with equal keys outweigh all other pairs, until SetSides. RETURNS: false, without doing
  // anything, if the weights would exceed the limit.
  bool PutKeysFirst();
  // From now on, until SetSides, the weight of a pair is the number of cells that its rows share.
  void StopWeighing() { weighs_ = false; }

  bool weighs() const { return weighs_; }  // uses the rules' `weigh`
  // Returns the most that a shared cell adds to the weight of a pair.
  std::uint32_t weight_of_cell() const { return weighs_ ? scale_ : 1; }
  // Returns how many cells are examined to weigh all pairs.
  std::uint64_t StepsOfAllPairs() const;

  const RowColumns& row_side() const { return *row_side_; }
  const RowColumns& column_side() const { return *column_side_; }
  std::span<const std::uint32_t> rows() const { return rows_; }
  std::span<const std::uint32_t> columns() const { return columns_; }
  std::uint32_t ExpectedOf(std::uint32_t row, std::uint32_t column) const {
    return transposed_ ? columns_[column] : rows_[row];
  }
  std::uint32_t ActualOf(std::uint32_t row, std::uint32_t column) const {
    return transposed_ ? rows_[row] : columns_[column];
  }

  // Returns how many cells a pair shares.
  std::uint32_t Shared(std::uint32_t row, std::uint32_t column) const {
    const std::span<const std::uint32_t> r = row_side_->CellsOf(rows_[row]);
    const std::span<const std::uint32_t> c = column_side_->CellsOf(columns_[column]);
    std::uint32_t shared = 0;
    for (std::size_t i = 0, j = 0; i < r.size() && j < c.size();) {
      const bool both = r[i] == c[j];
      const bool first = r[i] < c[j];
      shared += both;
      i += both || first;
      j += both || !first;
    }
    return shared;
  }

  std::uint32_t Weight(std::uint32_t row, std::uint32_t column) const {
    std::uint32_t weight = Shared(row, column);
    const std::uint32_t expected = ExpectedOf(row, column);
    const std::uint32_t actual = ActualOf(row, column);
    if (weighs_ && weight != 0) {
      const PairWeight of_pair = task_.rules->weigh(expected, actual);
      weight = of_pair.matched == 0 ? 0 : of_pair.matched * scale_ - (scale_ == 1 ? 0 : of_pair.cost);
    }
    return key_scale_ != 1 && task_.AreJoined(expected, actual) ? weight * key_scale_ : weight;
  }

 private:
  RowPairingTask task_;
  const RowColumns* row_side_ = nullptr;
  const RowColumns* column_side_ = nullptr;
  std::span<const std::uint32_t> rows_;
  std::span<const std::uint32_t> columns_;
  bool transposed_ = false;      // rows are actual rows
  bool weighs_ = false;          // uses the rules' `weigh`
  std::uint32_t scale_ = 1;      // the weight of a cell, above any cost
  std::uint32_t key_scale_ = 1;  // factor for the weight of rows with equal keys
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_ROW_MATRIX_H_
