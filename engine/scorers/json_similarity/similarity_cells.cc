#include "engine/scorers/json_similarity/similarity_cells.h"

#include <algorithm>
#include <limits>

#include "leafscore/error.h"

namespace leafscore::internal {

void SimilarityCells::Begin(std::uint32_t first_pair) {
  results_.clear();
  cells_.clear();
  cell_totals_.clear();
  matrices_.clear();
  first_pair_ = first_pair;
  pending_.clear();
  leaf_pairs_.clear();
  counted_leaves_.clear();
}

std::uint32_t SimilarityCells::AddResult(Cell cell) {
  results_.push_back({{}, cell, leaf_pairs_.size(), counted_leaves_.size(), matrices_.size()});
  return static_cast<std::uint32_t>(results_.size() - 1);
}

SimilarityCells::Cell SimilarityCells::New(std::size_t count) {
  const std::size_t first = cells_.size();
  if (first + count > std::numeric_limits<Cell>::max()) {
    throw Error(ErrorCode::kInput,
                "the array elements of one batch are too many to pair in memory; give a lower --batch-bytes");
  }
  cells_.resize(first + count, 0.0);
  if (has_sets_) cell_totals_.resize(first + count, 0.0);
  return static_cast<Cell>(first);
}

void SimilarityCells::PairLastMatrix() {
  Matrix& last = matrices_.back();
  const std::span<double> matrix = LastMatrix();
  const AssignmentResult best = AssignBest(matrix, last.rows, last.columns, assignment_);
  std::vector<double> pairs;
  for (std::uint32_t row = 0; row < last.rows; ++row) {
    const std::uint32_t column = best.column_of_row[row];
    if (column != kUnassigned) pairs.push_back(matrix[std::size_t{row} * last.columns + column]);
  }
  cells_.resize(last.first_cell);
  cells_.insert(cells_.end(), pairs.begin(), pairs.end());
  last.rows = static_cast<std::uint32_t>(pairs.size());
  last.columns = 1;
  last.is_paired = true;
}

void SimilarityCells::ScaleLeaves(std::size_t first, double factor) {
  for (std::size_t i = first; i < counted_leaves_.size(); ++i) counted_leaves_[i].weight *= factor;
}

void SimilarityCells::Reduce(const StringPairs& pairs) {
  sums_ = cells_;
  for (std::uint32_t i = 0; i < pending_.size(); ++i) {
    sums_[pending_[i].cell] += pending_[i].weight * pairs.Similarity(first_pair_ + i);
  }
  if (keeps_leaves_) chosen_.assign(sums_.size(), 0);
  for (std::size_t m = matrices_.size(); m-- > 0;) {
    const Matrix& matrix = matrices_[m];
    if (matrix.set != kNoNode) {
      const Cell cell = BestAccepted(matrix);
      sums_[matrix.target] += ShareOfSet(matrix, cell);
      if (keeps_leaves_) chosen_[cell] = 1;
      continue;
    }
    if (matrix.is_paired) {
      for (std::uint32_t row = 0; row < matrix.rows; ++row)
        sums_[matrix.target] += sums_[matrix.first_cell + row];
      continue;
    }
    const std::span<const double> weights(sums_.data() + matrix.first_cell,
                                          std::size_t{matrix.rows} * matrix.columns);
    const AssignmentResult best = AssignBest(weights, matrix.rows, matrix.columns, assignment_);
    for (std::uint32_t row = 0; row < matrix.rows; ++row) {
      const std::uint32_t column = best.column_of_row[row];
      if (column == kUnassigned) continue;
      const Cell cell = matrix.first_cell + row * matrix.columns + column;
      sums_[matrix.target] += sums_[cell];
      if (keeps_leaves_) chosen_[cell] = 1;
    }
  }
  for (Entry& entry : results_) entry.result.matched = sums_[entry.cell];
  if (!keeps_leaves_) return;
  // A choice within a pair of elements counts only if that pair was chosen.
  for (const Entry& entry : results_) chosen_[entry.cell] = 1;
  for (const Matrix& matrix : matrices_) {
    if (chosen_[matrix.target] != 0) continue;
    std::fill_n(chosen_.begin() + matrix.first_cell, std::size_t{matrix.rows} * matrix.columns, 0);
  }
}

// Returns how much of the set's weight an accepted value earns.
double SimilarityCells::ShareOfSet(const Matrix& matrix, Cell cell) const {
  const double total = cell_totals_[cell];
  if (total == matrix.set_weight) return sums_[cell];
  return total == 0 ? 0 : sums_[cell] / total * matrix.set_weight;
}

// Returns the cell of the accepted value that matches best; if several match equally well, of the first one.
SimilarityCells::Cell SimilarityCells::BestAccepted(const Matrix& matrix) const {
  Cell best = matrix.first_cell;
  for (Cell cell = best + 1; cell != matrix.first_cell + matrix.rows; ++cell) {
    if (ShareOfSet(matrix, cell) > ShareOfSet(matrix, best)) best = cell;
  }
  return best;
}

// Returns the sets that contributed a value to a result, in ascending order. REQUIRES: Reduce was called.
std::vector<NodeId> SimilarityCells::SetsTakenFrom(std::uint32_t number) const {
  std::vector<NodeId> sets;
  const std::size_t end =
      number + 1 == results_.size() ? matrices_.size() : results_[number + 1].first_matrix;
  for (std::size_t m = results_[number].first_matrix; m != end; ++m) {
    const Matrix& matrix = matrices_[m];
    if (matrix.set != kNoNode && chosen_[matrix.target] != 0) sets.push_back(matrix.set);
  }
  std::ranges::sort(sets);
  return sets;
}

void SimilarityCells::AddTo(JudgedLeaves& leaves, std::uint32_t number, const StringPairs& pairs) const {
  const auto part_of = [&](const auto& column, std::size_t Entry::*first) {
    const std::size_t end = number + 1 == results_.size() ? column.size() : results_[number + 1].*first;
    return std::span(column).subspan(results_[number].*first, end - results_[number].*first);
  };
  std::vector<LeafPair> counted;
  for (const LeafPair& leaf : part_of(leaf_pairs_, &Entry::first_leaf_pair)) {
    if (chosen_[leaf.cell] != 0) counted.push_back(leaf);
  }
  std::ranges::sort(counted, {}, &LeafPair::expected);
  const std::vector<NodeId> taken = SetsTakenFrom(number);
  std::vector<CountedLeaf> leaves_of_result;
  for (const CountedLeaf& leaf : part_of(counted_leaves_, &Entry::first_counted_leaf)) {
    if (chosen_[leaf.condition.cell] == 0 || std::ranges::binary_search(taken, leaf.condition.set)) continue;
    leaves_of_result.push_back(leaf);
  }
  std::ranges::sort(leaves_of_result, {}, &CountedLeaf::node);
  auto pair = counted.begin();
  for (const CountedLeaf& leaf : leaves_of_result) {
    if (pair == counted.end() || pair->expected != leaf.node) {
      leaves.Add(leaf.node, kNoNode, 0, leaf.weight);
      continue;
    }
    leaves.Add(leaf.node, pair->actual,
               pair->pair == kNoPair ? pair->similarity : pairs.Similarity(pair->pair), leaf.weight);
    ++pair;
  }
}

}  // namespace leafscore::internal
