// engine/scorers/json_similarity/leaf_matrix.h: the similarities of all rows with all columns, place by
// place. At a place, each row and each column has at most one leaf. If rows and columns are the objects of
// two arrays, each of their members is a place. Equal leaves are compared once, and all texts of a place
// together. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_LEAF_MATRIX_H_
#define LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_LEAF_MATRIX_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "engine/distance/kernel_memory.h"
#include "engine/match/value_ids.h"
#include "engine/scorers/json_similarity/leaf_rule.h"

namespace leafscore::internal {

class LeafMatrix {
 public:
  // Add refuses a place if the product of the sizes of its longest expected and actual texts, in bytes, is
  // larger than `max_cells`.
  LeafMatrix(const LeafRule& rule, double number_tolerance, std::uint64_t max_cells)
      : rule_(rule), number_tolerance_(number_tolerance), max_cells_(max_cells) {}

  // Drops all places.
  void Clear();

  // Adds a place with the leaf of each row and of each column; kNoNode stands for a missing leaf.
  // RETURNS: false if texts are too long (max_cells); the place is then not added.
  bool Add(const LeafTable& expected, std::span<const NodeId> rows, const LeafTable& actual,
           std::span<const NodeId> columns);

  // Adds the similarities at all places, times `weight`, to a matrix in row-major order. Texts that need an
  // edit distance come last, as in ValueSimilarity.
  void AddTo(std::span<double> matrix, double weight) const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  // The distinct values of one side at a place.
  struct Values {
    std::vector<ComparedLeaf> leaves;
    std::vector<std::int32_t> lengths;  // of texts, in code points
    std::vector<ValueId> ids;
  };
  struct Place {
    std::size_t first_row;     // index into value_of_
    std::size_t first_column;  // index into value_of_
    std::size_t end;           // of its columns
    std::size_t similarities;  // index of the first one; each expected value has a row
    std::size_t columns;       // number of actual values; another column of zeros stands for a missing leaf
    bool has[2];  // [0]: has settled similarities; [1]: has similarities that need an edit distance
  };

  void ListValues(const LeafTable& table, std::span<const NodeId> nodes, Values& values);
  void CompareTexts(Place& place);
  void FindDistances();
  void CompareOthers(Place& place);

  const LeafRule& rule_;
  double number_tolerance_;
  std::uint64_t max_cells_;

  std::vector<Place> places_;
  std::vector<std::uint32_t> value_of_;
  std::vector<double> similarities_;
  std::vector<std::uint8_t> is_of_texts_;  // by similarity

  // About the place that is being added.
  ValueIds ids_;
  std::vector<std::uint32_t> value_of_id_;
  Values expected_;
  Values actual_;
  std::deque<std::string> buffers_;  // texts whose compared form differs from the input
  std::vector<double> expected_numbers_;
  std::vector<double> actual_numbers_;
  std::vector<double> number_similarities_;
  std::vector<std::size_t> number_targets_;
  StringColumnBuilder left_;
  StringColumnBuilder right_;
  std::vector<std::uint32_t> distances_;  // a row for each expected value
  KernelScratch scratch_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_LEAF_MATRIX_H_
