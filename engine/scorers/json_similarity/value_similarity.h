// engine/scorers/json_similarity/value_similarity.h: the json_similarity of single pairs of values with all
// options of the scorer: arrays in any order, sets of accepted values, and paths that are ignored, weighted
// or normalised. Without these options, one walk over each pair is enough (json_similarity.cc). Other scorers
// use this file, too.
//
// Comparisons add similarities to cells. Each pair of values has a cell. If arrays are in any order, each
// pair of their elements has a cell, too, and the cells of two arrays form a matrix. Compare walks the values
// and adds everything that can be settled at once. Reduce adds the string pairs. Then it takes each matrix,
// from the innermost to the outermost, pairs its rows with its columns so that the sum of their cells is
// best, and adds this sum to the cell of the two arrays. A larger matrix whose elements contain no containers
// is computed and paired at once, so that its cells need no memory.
//
// A set of accepted values (accepted_values.h) is a matrix with one column and a row for each value. The set
// weighs as much as its first value, and earns the share of this weight that its best value matches. A
// further accepted value therefore never lowers a score.
//
// Comparing all elements with all takes quadratic time, so a pair of values has an allowance in proportion to
// its size. Arrays that exceed it, or have more than kMaxExactAssignment elements, are paired greedily.
// First, elements that are equal apart from the order of keys are paired. The others get the best pairing
// while the allowance lasts. After that, elements are paired by the leaves that they share, and elements that
// share no leaf are paired in order.
// THREADS: one at a time; each scorer batch owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_VALUE_SIMILARITY_H_
#define LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_VALUE_SIMILARITY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/distance/string_pairs.h"
#include "engine/match/pair_walker.h"
#include "engine/match/path_rules.h"
#include "engine/match/row_pairing.h"
#include "engine/match/value_ids.h"
#include "engine/scorers/accepted_values.h"
#include "engine/scorers/json_similarity/judged_leaves.h"
#include "engine/scorers/json_similarity/leaf_matrix.h"
#include "engine/scorers/json_similarity/leaf_rule.h"
#include "engine/scorers/json_similarity/similarity_cells.h"
#include "engine/scorers/scorer.h"
#include "engine/text/normaliser.h"

namespace leafscore::internal {

struct SimilarityRules {
  double number_tolerance = 0;
  bool case_sensitive = true;
  bool any_order = false;
  std::string any_of_key;  // empty if there are no sets of accepted values
  PathRules paths;         // each mark is an index into normalisers
  std::vector<Normaliser> normalisers;

  // Returns whether one walk over each pair of values is enough (json_similarity.cc).
  bool are_plain() const { return !any_order && any_of_key.empty() && paths.empty(); }
};

class ValueSimilarity {
 public:
  using Result = SimilarityCells::Result;

  // REQUIRES: `rules` outlives this. With `keeps_leaves`, AddTo can report each leaf.
  ValueSimilarity(const SimilarityRules* rules, WorkerTools tools, bool keeps_leaves)
      : rules_(rules),
        shapes_(tools.shapes),
        paths_(&rules->paths, tools.shapes),
        rule_(rules->case_sensitive),
        cells_(!rules->any_of_key.empty(), keeps_leaves),
        leaf_matrix_(rule_, rules->number_tolerance, std::min(tools.max_pair_cells, kMaxCellsAtOnce)) {}
  ValueSimilarity(const ValueSimilarity&) = delete;  // leaf_matrix_ refers to rule_
  ValueSimilarity& operator=(const ValueSimilarity&) = delete;

  // Drops all pairs; the next string pair has number `first_pair`.
  // REQUIRES: called for each batch, before its pairs are compared.
  void Begin(std::uint32_t first_pair);

  // Compares two values of a record at the end of `path`. RETURNS: the number of the result, counted from 0.
  // COST: linear in both, apart from the string pairs; with any_order, a factor of up to kAllowance.
  std::uint32_t Compare(std::uint32_t record, ValueRef expected, ValueRef actual, const TargetPath& path,
                        StringPairs& pairs);

  // Follows the path rules through an expected value that is compared with nothing.
  void FollowRules(ValueRef expected, const TargetPath& path);
  // Returns, for each pattern of the rules, whether it leads somewhere (PathMatcher::led_somewhere).
  const std::vector<bool>& led_somewhere() const { return paths_.led_somewhere(); }

  // Limits of the steps that may be spent on comparing every element with every other one.
  static constexpr std::uint64_t kAllowance = 512;         // for each byte of the two values
  static constexpr std::uint64_t kMaxAllowance = 1 << 26;  // in all

  // Completes the results of Compare. REQUIRES: the distances of `pairs` are computed.
  void Reduce(const StringPairs& pairs) { cells_.Reduce(pairs); }

  const Result& result(std::uint32_t number) const { return cells_.result(number); }

  // Adds the counted leaves of a result. REQUIRES: a part was begun in `leaves`, and Reduce was called.
  void AddTo(JudgedLeaves& leaves, std::uint32_t number, const StringPairs& pairs) const {
    cells_.AddTo(leaves, number, pairs);
  }

 private:
  using Cell = SimilarityCells::Cell;
  using Condition = SimilarityCells::Condition;
  using State = PathMatcher::State;

  // An expected value, and the state of the path rules at its place.
  struct Row {
    NodeId expected;
    State state;
  };
  // The members or elements of two containers, compared one to one or all with all.
  struct Grid {
    std::size_t rows_begin;     // index into rows_
    std::size_t columns_begin;  // index into columns_; if one to one, each row has one, which may be kNoNode
    std::uint32_t rows;
    std::uint32_t columns;
    bool all_pairs;
    std::uint32_t row = 0;  // the next pair
    std::uint32_t column = 0;
    Cell cell;  // the first cell of a matrix
    double weight;
  };
  // The most cells for two texts that are compared at once (LeafMatrix). Longer texts wait for the texts of
  // the whole batch, which a GPU or all threads can compare faster.
  static constexpr std::uint64_t kMaxCellsAtOnce = std::uint64_t{2048} * 2048;

  std::pair<State, double> StartOf(const TargetPath& path);
  NodeId AcceptedIn(NodeId expected) const {
    return AcceptedValues(*expected_table_, *shapes_, expected, rules_->any_of_key);
  }
  double CountLeaves(NodeId root, State state, double weight, const Condition* kept);
  double WeightOfSet(NodeId accepted, State state, double weight, const Condition* kept);
  NodeId NullIn(NodeId accepted) const;
  void Visit(const Row& row, NodeId actual, double weight, Cell cell, StringPairs& pairs);
  void CompareLeaves(const Row& row, NodeId actual, double weight, Cell cell, StringPairs& pairs);
  void OpenAccepted(const Row& row, NodeId accepted, NodeId actual, double weight, Cell cell);
  void AcceptNothing(const Row& row, NodeId accepted, double weight, Cell cell);
  std::uint32_t AddNothings(const Grid& grid);
  void Open(const Row& row, NodeId actual, double weight, Cell cell);
  void PairByPosition(Grid grid);
  void PairInAnyOrder(const Grid& grid, std::string_view expected, std::string_view actual);
  bool OpenMatrix(Grid grid, std::uint64_t expected_bytes, std::uint64_t actual_bytes);
  bool SettleMatrix(const Grid& grid);
  bool ListPlaces(const Grid& grid);
  void PairEqualFirst(Grid grid);
  void PairBySharedLeaves(Grid grid);
  void AddRow(const LeafTable& table, NodeId element, bool is_expected, RowColumns& side);
  bool Pay(std::uint64_t steps);

  const SimilarityRules* rules_;
  ShapeTable* shapes_;
  PathMatcher paths_;
  LeafRule rule_;

  // About the current comparison.
  std::uint32_t record_ = 0;
  const LeafTable* expected_table_ = nullptr;
  const LeafTable* actual_table_ = nullptr;
  std::uint64_t allowance_ = 0;
  bool exact_ = true;
  std::vector<Grid> grids_;
  std::vector<Row> rows_;
  std::vector<NodeId> columns_;

  SimilarityCells cells_;  // of the batch
  LeafMatrix leaf_matrix_;
  ValueIds ids_;  // for leaves of elements that are paired by shared leaves
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_VALUE_SIMILARITY_H_
