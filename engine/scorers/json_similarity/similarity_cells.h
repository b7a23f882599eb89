// engine/scorers/json_similarity/similarity_cells.h: the similarities that a ValueSimilarity
// (value_similarity.h) collects for a batch, and their sums. They are in cells and in matrices of cells,
// whose best pairing counts. The leaves behind the sums can be kept, too. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_SIMILARITY_CELLS_H_
#define LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_SIMILARITY_CELLS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/distance/string_pairs.h"
#include "engine/json/leaf_table.h"
#include "engine/match/assignment.h"
#include "engine/scorers/json_similarity/judged_leaves.h"

namespace leafscore::internal {

class SimilarityCells {
 public:
  using Cell = std::uint32_t;

  struct Result {
    double matched = 0;
    double total = 0;
    bool exact = true;  // whether no arrays were paired greedily
    double score() const { return total > 0 ? matched / total : 1.0; }
  };
  struct Matrix {
    Cell first_cell;
    std::uint32_t rows;
    std::uint32_t columns;
    Cell target;
    NodeId set;  // the set of accepted values; kNoNode for two arrays
    double set_weight;
    bool is_paired = false;  // whether only the cells of chosen pairs are left
  };
  // The condition under which an expected leaf counts: `cell` is part of the result, and no value of `set`
  // was taken.
  struct Condition {
    Cell cell;
    NodeId set;
  };

  static constexpr std::uint32_t kNoPair = 0xffffffffu;
  // A pair of leaves that was compared.
  struct LeafPair {
    NodeId expected;
    NodeId actual;
    Cell cell;
    std::uint32_t pair;  // its string pair; kNoPair if the similarity is settled
    double similarity;
  };

  // With `keeps_leaves`, AddTo can report each leaf. With `has_sets`, matrices may be sets of accepted
  // values.
  SimilarityCells(bool has_sets, bool keeps_leaves) : has_sets_(has_sets), keeps_leaves_(keeps_leaves) {}

  // Drops everything; the next string pair has number `first_pair`.
  void Begin(std::uint32_t first_pair);

  // Begins a result whose matched sum comes from `cell`; the caller sets its total. RETURNS: the number of
  // the result.
  std::uint32_t AddResult(Cell cell);
  Result& last_result() { return results_.back().result; }
  const Result& result(std::uint32_t number) const { return results_[number].result; }

  // Adds cells of 0. RETURNS: the first. ERRORS: Error(kInput) if there are too many.
  Cell New(std::size_t count);

  void Add(Cell cell, double similarity) { cells_[cell] += similarity; }

  // Adds weight times the similarity of the next string pair to a cell once it is known.
  void AddPair(Cell cell, double weight) { pending_.push_back({cell, weight}); }

  // Makes this the cell of an accepted value whose total weight is `total`. REQUIRES: has_sets.
  void SetTotal(Cell cell, double total) { cell_totals_[cell] = total; }

  // Adds a matrix. Reduce adds the sum of its best pairing to its target. REQUIRES: an inner matrix is added
  // after the matrix around it.
  void AddMatrix(const Matrix& matrix) { matrices_.push_back(matrix); }

  // Returns the cells of the matrix that was added last. REQUIRES: they are the last cells.
  std::span<double> LastMatrix() { return std::span(cells_).subspan(matrices_.back().first_cell); }
  // Pairs the matrix that was added last, and keeps only the cells of chosen pairs. REQUIRES: all its
  // similarities are settled, and its cells are the last ones; neither has_sets nor keeps_leaves.
  void PairLastMatrix();

  bool keeps_leaves() const { return keeps_leaves_; }
  // With keeps_leaves, record a pair of leaves, and an expected leaf with the condition under which it
  // counts.
  void AddLeafPair(const LeafPair& pair) { leaf_pairs_.push_back(pair); }
  void AddLeaf(NodeId node, double weight, const Condition& condition) {
    counted_leaves_.push_back({node, weight, condition});
  }
  std::size_t leaf_count() const { return counted_leaves_.size(); }
  // Multiplies the weights of the leaves from number `first` on.
  void ScaleLeaves(std::size_t first, double factor);

  // Completes the results. REQUIRES: the distances of `pairs` are computed.
  void Reduce(const StringPairs& pairs);

  // Adds the counted leaves of a result. REQUIRES: a part was begun in `leaves`, and Reduce was called.
  void AddTo(JudgedLeaves& leaves, std::uint32_t number, const StringPairs& pairs) const;

 private:
  struct PendingPair {
    Cell cell;
    double weight;
  };
  struct CountedLeaf {
    NodeId node;
    double weight;
    Condition condition;
  };
  struct Entry {
    Result result;
    Cell cell;
    std::size_t first_leaf_pair;
    std::size_t first_counted_leaf;
    std::size_t first_matrix;
  };

  double ShareOfSet(const Matrix& matrix, Cell cell) const;
  Cell BestAccepted(const Matrix& matrix) const;
  std::vector<NodeId> SetsTakenFrom(std::uint32_t number) const;

  bool has_sets_;
  bool keeps_leaves_;
  std::vector<Entry> results_;
  std::vector<double> cells_;        // similarities that are settled
  std::vector<double> sums_;         // the cells after Reduce
  std::vector<double> cell_totals_;  // with has_sets_: the weight of an accepted value, by its cell
  std::vector<Matrix> matrices_;     // an inner matrix comes after the one around it
  std::uint32_t first_pair_ = 0;     // number of this scorer's first string pair in the list of the batch
  std::vector<PendingPair> pending_;
  std::vector<LeafPair> leaf_pairs_;
  std::vector<CountedLeaf> counted_leaves_;
  std::vector<std::uint8_t> chosen_;  // by cell, with keeps_leaves_: whether it is part of the result
  AssignmentWorkspace assignment_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_SIMILARITY_CELLS_H_
