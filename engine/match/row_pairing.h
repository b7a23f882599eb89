// engine/match/row_pairing.h: pairs the rows of two arrays, in any order, so that the most cells match.
//
// A row is a set of numbered cells; cells with the same number are equal. Rows are paired in steps, and each
// step leaves fewer rows to the next:
//   join    rows with equal keys, if there are keys. Rows that share a key are paired so that most of their
//           cells match. If several choices are equally good, the choice that leaves the most matches for
//           the rest wins
//   peel    equal rows, the k-th with the k-th. This loses no match as long as equality is transitive
//   assign  the rest, so that most cells match (sparse_assignment.h)
// The last step examines the pairs that share something rare (row_candidates.h). Its result is still exact
// if, for every other pair, the sum of the potentials of its two rows is at least the number of cells that
// they could share. Rows that do not meet this condition are examined more closely, up to 2^22 pairs in
// total. If exactness cannot be proven within the limits, Pair returns false. Rows without a common cell stay
// unpaired. THREADS: one at a time; each worker owns one for each depth of nested arrays.
#ifndef LEAFSCORE_ENGINE_MATCH_ROW_PAIRING_H_
#define LEAFSCORE_ENGINE_MATCH_ROW_PAIRING_H_

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "engine/match/row_candidates.h"
#include "engine/match/sparse_assignment.h"

namespace leafscore::internal {

// If there are at most this many pairs of rows, all of them may be examined.
inline constexpr std::uint64_t kMaxAllRowPairs = std::uint64_t{1} << 22;

// The work allowed for one record. Beyond it, rows are still paired, but without a proof that the pairing is
// best.
struct PairingBudget {
  std::uint64_t inner_steps = std::uint64_t{1}
                              << 26;  // cells examined to weigh pairs of rows that contain rows
  std::uint64_t search_steps = std::uint64_t{1} << 29;  // candidates examined while pairing
};

// The value of a pair of rows. If several pairings match the same number of cells, the cheapest one wins.
struct PairWeight {
  std::uint32_t matched;
  std::uint32_t cost = 0;
};

struct RowPairingRules {
  bool join = false;      // first pair rows by keys
  bool pair_left = true;  // then pair the rows that keys did not join
  bool peel = true;
  // Returns the value of a pair of rows. `weigh` is null if two rows always match in all cells that they
  // share.
  std::function<PairWeight(std::uint32_t expected, std::uint32_t actual)> weigh = nullptr;
  std::uint32_t most_cost = 0;  // no pairing costs more
};

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

  void SetScale();
  void Join();
  bool PairOpenKeys(std::vector<OpenKey>& open);
  bool TakeOnlyBest(const OpenKey& open);
  void TakeAssigned();
  bool AreJoined(std::uint32_t expected, std::uint32_t actual) const;
  void PartUnlikeRows();
  void Match(std::uint32_t expected, std::uint32_t actual);
  // Pairs the rows of two lists with each other. REQUIRES: ascending rows.
  void PairRows(Rows& expected, Rows& actual);
  void Peel(Rows& expected, Rows& actual);
  void Assign(const Rows& expected, const Rows& actual);
  std::uint32_t Shared(std::uint32_t row, std::uint32_t column) const;
  std::uint32_t Weight(std::uint32_t row, std::uint32_t column) const;

  void SetSides(const Rows& expected, const Rows& actual);
  bool SolveOverAll();
  bool SolveWithProof();
  void AddCandidates();
  std::uint32_t RaiseUnproven(bool raises);
  bool NameLeft();
  bool LookCloser(std::uint8_t step);
  void PairLeftInOrder();

  const RowColumns* expected_ = nullptr;
  const RowColumns* actual_ = nullptr;
  const RowPairingRules* rules_ = nullptr;
  PairingBudget* budget_ = nullptr;
  bool exact_ = true;
  std::uint32_t paired_ = 0;
  std::uint32_t joined_ = 0;
  std::uint32_t only_pairs_ = 0;
  std::vector<std::uint32_t> actual_of_;
  std::vector<std::uint32_t> expected_of_;
  Rows left_expected_;
  Rows left_actual_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted_expected_;  // sorted by whole or key
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted_actual_;

  // The current assignment: rows are from the shorter side, columns from the other.
  bool transposed_ = false;      // rows are actual rows
  bool weighs_ = false;          // uses rules_->weigh
  std::uint32_t scale_ = 1;      // the weight of a cell, above any cost
  std::uint32_t key_scale_ = 1;  // factor for the weight of rows with equal keys
  const Rows* rows_ = nullptr;
  const Rows* columns_ = nullptr;
  RowCandidates finder_;
  CandidateLists candidates_;
  CandidateLists merged_;
  std::vector<std::uint32_t> new_columns_;
  std::vector<std::uint32_t> left_rows_;
  std::vector<std::uint32_t> left_columns_;
  SparseAssignment assignment_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_ROW_PAIRING_H_
