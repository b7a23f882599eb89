// engine/match/row_pairing.h: pairs the rows of two arrays, whatever their order, so that the most cells
// match.
//
// A row is a set of numbered cells: two cells with one number are equal. Rows are paired in steps, each of
// which leaves fewer to the next:
//   join    rows with equal keys, where there are keys; rows that share a key pair best among themselves, and
//           of equally good choices the one that leaves the rest most
//   peel    equal rows, the k-th with the k-th, which loses no cell while equality is transitive
//   assign  the rest, so that most cells match (sparse_assignment.h)
// The last step looks at the pairs that share something rare (row_candidates.h). Its result is exact all the
// same if the potentials of any two other rows add up to the cells that the two could share; rows for which
// they do not are looked at more closely, up to 2^22 pairs of them at all. What cannot be proven within the
// limits is told: `exact` is false. Rows without a common cell stay apart. THREADS: one at a time; each
// worker owns one for each depth of nested arrays.
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

// Pairs of rows up to which all of them can be looked at.
inline constexpr std::uint64_t kMaxAllRowPairs = std::uint64_t{1} << 22;

// What one record may cost; what exceeds it is paired well, but not proven to be best.
struct PairingBudget {
  std::uint64_t inner_steps = std::uint64_t{1}
                              << 26;  // cells looked at to weigh pairs of rows that hold rows
  std::uint64_t search_steps = std::uint64_t{1} << 29;  // candidates looked at while pairing
};

// What a pair of rows is worth. Of pairings that match equally many cells the cheapest one counts.
struct PairWeight {
  std::uint32_t matched;
  std::uint32_t cost = 0;
};

struct RowPairingRules {
  bool join = false;      // by keys first
  bool pair_left = true;  // and then what the keys left
  bool peel = true;
  // Returns how many cells of two rows match, when that is not how many they share. It is at most as many.
  std::function<PairWeight(std::uint32_t expected, std::uint32_t actual)> weigh = nullptr;
  std::uint32_t most_cost = 0;  // at least the cost of any pairing
};

class RowPairing {
 public:
  // Pairs the rows of two sides. `budget` is what is left of the record's.
  // RETURNS: whether no other pairing matches more cells (with keys: none that joins by them first). If so,
  //          the order of the rows does not change how many match, nor the cost.
  // COST:    near linear in the cells where rows can be told apart by a rare cell.
  bool Pair(const RowColumns& expected, const RowColumns& actual, const RowPairingRules& rules,
            PairingBudget& budget);

  // After Pair: by expected row its actual row, and the other way round; kUnpaired without one.
  std::span<const std::uint32_t> actual_of() const { return actual_of_; }
  std::span<const std::uint32_t> expected_of() const { return expected_of_; }
  std::uint32_t paired() const { return paired_; }
  std::uint32_t joined() const { return joined_; }          // of these, by key
  std::uint32_t only_pairs() const { return only_pairs_; }  // of those, by keys that each side has once

 private:
  using Rows = std::vector<std::uint32_t>;

  // The rows of one key, where one side has it more often.
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
  // Pairs the given rows, in rising order, among each other.
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
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted_expected_;  // by whole or key
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted_actual_;

  // The assignment at hand. Its rows are those of the shorter side, its columns the others.
  bool transposed_ = false;      // rows are actual ones
  bool weighs_ = false;          // by rules_->weigh
  std::uint32_t scale_ = 1;      // the weight of a cell, above any cost
  std::uint32_t key_scale_ = 1;  // by which the weight of rows of one key is multiplied
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
