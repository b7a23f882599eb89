// engine/match/row_pairing.h: pairs the rows of two arrays, in any order, so that the most cells match.
//
// A row is a set of numbered cells; cells with the same number are equal. Rows are paired in steps, and each
// step leaves fewer rows to the next:
//   join    rows with equal keys, if there are keys. Rows that share a key are paired so that most of their
//           cells match. If several choices are equally good, the choice that leaves the most matches for
//           the rest wins
//   peel    equal rows, the k-th with the k-th. This loses no match as long as equality is transitive
//   assign  the rest, so that most cells match (row_assignment.h)
// If it cannot be proven within the limits that the result is exact, Pair returns false. Rows without a
// common cell stay unpaired. THREADS: one at a time; each worker owns one for each depth of nested arrays.
#ifndef LEAFSCORE_ENGINE_MATCH_ROW_PAIRING_H_
#define LEAFSCORE_ENGINE_MATCH_ROW_PAIRING_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/match/row_assignment.h"
#include "engine/match/row_candidates.h"
#include "engine/match/row_pairing_task.h"
#include "engine/match/sparse_assignment.h"

namespace leafscore::internal {

class RowPairing {
 public:
  // Pairs the rows of two sides. `budget` is the rest of the budget of the record.
  // RETURNS: true if it is proven that no other pairing matches more cells; if keys are joined, no other
  // pairing that joins keys first. In this case, neither the number of matches nor the cost depends on the
  // order of the rows.
  // COST: near linear in the cells if rows can be distinguished by a rare cell.
  bool Pair(const RowColumns& expected, const RowColumns& actual, const RowPairingRules& rules,
            PairingBudget& budget);

  // After Pair: the actual row of each expected row, and vice versa; kUnpaired for an unpaired row.
  std::span<const std::uint32_t> actual_of() const { return actual_of_; }
  std::span<const std::uint32_t> expected_of() const { return expected_of_; }
  std::uint32_t paired() const { return paired_; }
  std::uint32_t joined() const { return joined_; }  // pairs joined by key
  std::uint32_t only_pairs() const {
    return only_pairs_;
  }  // joined pairs whose keys are unique on both sides

 private:
  using Rows = std::vector<std::uint32_t>;

  // The rows with one key; one side has more such rows than the other.
  struct OpenKey {
    std::vector<std::uint32_t> expected;
    std::vector<std::uint32_t> actual;
  };

  void Join();
  bool PairOpenKeys(std::vector<OpenKey>& open);
  bool TakeOnlyBest(const OpenKey& open);
  void TakeAssigned();
  void PartUnlikeRows();
  void Match(std::uint32_t expected, std::uint32_t actual);
  // Pairs the rows of two lists with each other. REQUIRES: ascending rows.
  void PairRows(Rows& expected, Rows& actual);
  void Peel(Rows& expected, Rows& actual);
  void Assign(const Rows& expected, const Rows& actual);

  RowPairingTask task_;
  bool exact_ = true;
  std::uint32_t paired_ = 0;
  std::uint32_t joined_ = 0;
  std::uint32_t only_pairs_ = 0;
  std::vector<std::uint32_t> actual_of_;
  std::vector<std::uint32_t> expected_of_;
  Rows left_expected_;
  Rows left_actual_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted_expected_;  // sorted by whole
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted_actual_;
  RowAssignment assignment_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_ROW_PAIRING_H_
