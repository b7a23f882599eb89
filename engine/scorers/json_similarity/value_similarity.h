// engine/scorers/json_similarity/value_similarity.h: json_similarity of single pairs of values, with all its
// options: arrays in any order, paths that do not count or weigh more. json_similarity without these walks
// each pair once, in its own file; here is what other scorers and these options need.
//
// What is compared adds to cells: one for each pair of values given, and one for every pair of elements of
// two arrays in any order, whose cells form a matrix. Compare walks the values and adds what is settled at
// once; Reduce adds the string pairs, then turns matrix after matrix, the innermost first, into the best sum
// that pairing rows with columns gives, which counts for the cell that the two arrays belong to.
//
// Comparing all elements with all takes quadratic time, so a pair of values has an allowance in proportion to
// its size. Arrays beyond it, or with more than kMaxExactAssignment elements, are paired greedily: elements
// that are the same but for the order of their keys first, the others by the best pairing while the allowance
// lasts, else by the leaves that they share, and what shares none in its order.
// THREADS: one at a time; each scorer batch owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_VALUE_SIMILARITY_H_
#define LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_VALUE_SIMILARITY_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/distance/string_pairs.h"
#include "engine/match/assignment.h"
#include "engine/match/pair_walker.h"
#include "engine/match/path_rules.h"
#include "engine/match/row_pairing.h"
#include "engine/match/value_ids.h"
#include "engine/scorers/json_similarity/judged_leaves.h"
#include "engine/scorers/json_similarity/leaf_rule.h"
#include "engine/scorers/pair_selector.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

struct SimilarityRules {
  double number_tolerance = 0;
  bool case_sensitive = true;
  bool any_order = false;
  PathRules paths;
};

class ValueSimilarity {
 public:
  struct Result {
    double matched = 0;
    double total = 0;
    bool exact = true;  // no arrays were paired greedily
    double score() const { return total > 0 ? matched / total : 1.0; }
  };

  // REQUIRES: `rules` outlives this. With `keeps_leaves`, AddTo can tell about each leaf.
  ValueSimilarity(const SimilarityRules* rules, WorkerTools tools, bool keeps_leaves)
      : rules_(rules),
        shapes_(tools.shapes),
        keeps_leaves_(keeps_leaves),
        paths_(&rules->paths, tools.shapes),
        rule_(rules->case_sensitive) {}

  // Forgets all pairs; the first string pair to come has this number.
  // REQUIRES: called for each batch, before pairs of it are compared.
  void Begin(std::uint32_t first_pair);

  // Compares two values of a record that `path` leads to. RETURNS: the number of the result, counted from 0.
  // COST: linear in both, beside the string pairs; with any_order linear with a factor of up to kAllowance.
  std::uint32_t Compare(std::uint32_t record, ValueRef expected, ValueRef actual, const TargetPath& path,
                        StringPairs& pairs);

  // Follows the path rules through an expected value that there is nothing to compare with.
  void FollowRules(ValueRef expected, const TargetPath& path);
  // Returns by pattern of the rules whether it leads somewhere (PathMatcher::led_somewhere).
  const std::vector<bool>& led_somewhere() const { return paths_.led_somewhere(); }

  // Steps that comparing all elements with all may take for each byte of the two values, and in all.
  static constexpr std::uint64_t kAllowance = 512;
  static constexpr std::uint64_t kMaxAllowance = 1 << 26;

  // Completes the results, from what Compare left. REQUIRES: computed distances.
  void Reduce(const StringPairs& pairs);

  const Result& result(std::uint32_t number) const { return results_[number].result; }

  // Adds the leaves of a result that count. REQUIRES: a part begun in `leaves`; Reduce.
  void AddTo(JudgedLeaves& leaves, std::uint32_t number, const StringPairs& pairs) const;

 private:
  using Cell = std::uint32_t;  // index into cells_
  using State = PathMatcher::State;

  // An expected value, and what its place is to the path rules.
  struct Row {
    NodeId expected;
    State state;
  };
  // The members or elements of two containers, compared one with one or all with all.
  struct Grid {
    std::size_t rows_begin;     // in rows_
    std::size_t columns_begin;  // in columns_; one with one, it has a column for each row, maybe kNoNode
    std::uint32_t rows;
    std::uint32_t columns;
    bool all_pairs;
    std::uint32_t row = 0;  // the next pair
    std::uint32_t column = 0;
    Cell cell;  // the first one of a matrix
    double weight;
  };
  struct Matrix {
    Cell first_cell;
    std::uint32_t rows;
    std::uint32_t columns;
    Cell target;
  };
  struct PendingPair {
    Cell cell;
    double weight;
  };
  // A pair of leaves that was compared, for AddTo.
  struct LeafPair {
    NodeId expected;
    NodeId actual;
    Cell cell;
    std::uint32_t pair;  // kNoPair when the similarity is settled
    double similarity;
  };
  // An expected leaf that counts.
  struct CountedLeaf {
    NodeId node;
    double weight;
  };
  struct Comparison {
    Result result;
    Cell cell;
    std::size_t first_leaf_pair;
    std::size_t first_counted_leaf;
  };
  static constexpr std::uint32_t kNoPair = 0xffffffffu;

  Cell NewCells(std::size_t count);
  std::pair<State, double> StartOf(const TargetPath& path);
  double CountLeaves(NodeId root, State state, double weight);
  void Visit(const Row& row, NodeId actual, double weight, Cell cell, StringPairs& pairs);
  void CompareLeaves(NodeId expected, NodeId actual, double weight, Cell cell, StringPairs& pairs);
  void Open(const Row& row, NodeId actual, double weight, Cell cell);
  void PairByPosition(Grid grid);
  void PairInAnyOrder(const Grid& grid, std::string_view expected, std::string_view actual);
  bool OpenMatrix(Grid grid, std::uint64_t expected_bytes, std::uint64_t actual_bytes);
  void PairEqualFirst(Grid grid);
  void PairBySharedLeaves(Grid grid);
  void AddRow(const LeafTable& table, NodeId element, RowColumns& side);
  bool Pay(std::uint64_t steps);

  const SimilarityRules* rules_;
  ShapeTable* shapes_;
  bool keeps_leaves_;
  PathMatcher paths_;
  LeafRule rule_;

  // The comparison under way.
  std::uint32_t record_ = 0;
  const LeafTable* expected_table_ = nullptr;
  const LeafTable* actual_table_ = nullptr;
  std::uint64_t allowance_ = 0;
  bool exact_ = true;
  std::vector<Grid> grids_;
  std::vector<Row> rows_;
  std::vector<NodeId> columns_;

  // Of the batch.
  std::vector<Comparison> results_;
  std::vector<double> cells_;     // what Compare settled
  std::vector<double> sums_;      // the cells with what Reduce adds
  std::vector<Matrix> matrices_;  // an inner one behind those around it
  std::uint32_t first_pair_ = 0;  // of this scorer's string pairs in the list of the batch
  std::vector<PendingPair> pending_;
  std::vector<LeafPair> leaf_pairs_;
  std::vector<CountedLeaf> counted_leaves_;
  std::vector<std::uint8_t> chosen_;  // by cell, with keeps_leaves_: it is part of the result
  AssignmentWorkspace assignment_;
  ValueIds ids_;  // of the leaves of elements that are paired by what they share
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_VALUE_SIMILARITY_H_
