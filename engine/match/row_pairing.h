// engine/match/row_pairing.h: pairs the rows of two arrays, whatever their order, so that the most cells
// match.
//
// A row is a set of numbered cells: two cells with one number are equal. Rows are paired in steps, each of
// which leaves fewer to the next:
//   join    rows with equal keys, where there are keys; rows that share a key pair best among themselves
//   peel    equal rows, the k-th with the k-th, which loses no cell while equality is transitive
//   assign  the rest, exactly: shortest augmenting paths with potentials (Kuhn 1955, Jonker and Volgenant
//   1987)
//           over the pairs that share a cell
// Up to 2^22 pairs of rows, every pair that shares a cell is a candidate. Above, cells that stand in many
// rows name no candidates. The result is exact all the same if the potentials of any two rows that are no
// candidates add up to the cells that the two could share; rows for which they do not become candidates, if
// they are few. What cannot be proven within the limits is told: `exact` is false. Rows without a common cell
// stay apart. THREADS: one at a time; each worker owns one for each depth of nested arrays.
#ifndef LEAFSCORE_ENGINE_MATCH_ROW_PAIRING_H_
#define LEAFSCORE_ENGINE_MATCH_ROW_PAIRING_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace leafscore::internal {

inline constexpr std::uint32_t kUnpaired = std::numeric_limits<std::uint32_t>::max();

// Pairs of rows up to which all of them that share a cell are candidates.
inline constexpr std::uint64_t kMaxAllRowPairs = std::uint64_t{1} << 22;

// What one record may cost; what exceeds it is paired well, but not proven to be best.
struct PairingBudget {
  std::uint64_t inner_steps = std::uint64_t{1}
                              << 26;  // cells looked at to weigh pairs of rows that hold rows
  std::uint64_t search_steps = std::uint64_t{1} << 29;  // candidates looked at while pairing
};

// The rows of one side, as columns. The caller owns them.
struct RowColumns {
  std::vector<std::uint32_t> whole;       // by row: rows with one number are equal; 0: the row has no cells
  std::vector<std::uint32_t> key;         // by row: rows with one number have equal keys; 0: it has none
  std::vector<std::uint32_t> cell_begin;  // by row, and one behind the last: where its cells begin
  std::vector<std::uint32_t> cells;       // of each row sorted; a row may hold a cell more than once

  void Clear() {
    whole.clear();
    key.clear();
    cell_begin.assign(1, 0);
    cells.clear();
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(whole.size()); }
  std::span<const std::uint32_t> CellsOf(std::uint32_t row) const {
    return std::span(cells).subspan(cell_begin[row], cell_begin[row + 1] - cell_begin[row]);
  }
};

struct RowPairingRules {
  bool join = false;      // by keys first
  bool pair_left = true;  // and then what the keys left
  bool peel = true;
  // Returns how many cells of two rows match, when that is not how many they share.
  std::function<std::uint32_t(std::uint32_t expected, std::uint32_t actual)> weigh = nullptr;
  // Whether it is at most what they share, so that rows without a common cell need not be weighed.
  bool shared_is_most = true;
};

class RowPairing {
 public:
  // Pairs the rows of two sides. `budget` is what is left of the record's.
  // RETURNS: whether no other pairing matches more cells (with keys: none that joins by them first).
  // COST:    near linear in the cells where rows can be told apart by a rare cell.
  bool Pair(const RowColumns& expected, const RowColumns& actual, const RowPairingRules& rules,
            PairingBudget& budget);

  // After Pair: by expected row its actual row, and the other way round; kUnpaired without one.
  std::span<const std::uint32_t> actual_of() const { return actual_of_; }
  std::span<const std::uint32_t> expected_of() const { return expected_of_; }
  std::uint32_t paired() const { return paired_; }
  std::uint32_t joined() const { return joined_; }  // of these, by key

 private:
  struct Candidate {
    std::uint32_t column;
    std::uint32_t weight;
  };
  using Rows = std::vector<std::uint32_t>;

  void Join();
  void Match(std::uint32_t expected, std::uint32_t actual);
  // Pairs the given rows, in rising order, among each other.
  void PairRows(Rows& expected, Rows& actual);
  void Peel(Rows& expected, Rows& actual);
  void Assign(const Rows& expected, const Rows& actual);
  std::uint32_t Shared(std::uint32_t expected, std::uint32_t actual) const;
  std::uint32_t Weight(std::uint32_t row, std::uint32_t column) const;

  void FindAllCandidates();
  void FindCandidatesByCells(std::uint32_t most_rows_of_cell);
  void KeepBest(std::size_t first, std::size_t most, std::uint32_t row);
  bool AddUnproven();
  void Solve();
  void Augment(std::uint32_t row);
  void TakeHeaviestFree(std::uint32_t row);
  void PairLeftInOrder();

  const RowColumns* expected_ = nullptr;
  const RowColumns* actual_ = nullptr;
  const RowPairingRules* rules_ = nullptr;
  PairingBudget* budget_ = nullptr;
  bool exact_ = true;
  std::uint32_t paired_ = 0;
  std::uint32_t joined_ = 0;
  std::vector<std::uint32_t> actual_of_;
  std::vector<std::uint32_t> expected_of_;
  Rows left_expected_;
  Rows left_actual_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted_expected_;  // by whole or key
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted_actual_;

  // The assignment at hand. Its rows are those of the shorter side, its columns the others.
  bool transposed_ = false;  // rows are actual ones
  bool weighs_ = false;      // by rules_->weigh
  const Rows* rows_ = nullptr;
  const Rows* columns_ = nullptr;
  std::vector<std::uint32_t> first_candidate_;  // by row, and one behind the last
  std::vector<Candidate> candidates_;           // of each row by column
  std::vector<std::uint32_t> row_common_;  // cells that name no candidates, though the other side has them
  std::vector<std::uint32_t> column_common_;
  std::vector<bool> row_is_unproven_;  // pairs of these rows and columns are all candidates
  std::vector<bool> column_is_unproven_;
  std::vector<std::uint32_t> slot_of_cell_;  // kUnpaired but while candidates are sought
  std::vector<std::uint32_t> slot_begin_;    // by slot: where its columns begin in slot_columns_
  std::vector<std::uint32_t> slot_columns_;
  std::vector<std::uint32_t> slot_rows_;  // by slot: how many rows have the cell
  std::vector<std::uint32_t> seen_;       // by column: the row that met it last

  std::vector<std::uint32_t> row_potential_;
  std::vector<std::uint32_t> column_potential_;
  std::vector<std::uint32_t> column_of_;                        // by row
  std::vector<std::uint32_t> row_of_;                           // by column
  std::vector<std::uint32_t> distance_;                         // by column; of the path being sought
  std::vector<std::uint32_t> previous_;                         // by column: the row that it was reached from
  std::vector<std::uint32_t> reached_;                          // columns with a distance
  std::vector<std::pair<std::uint32_t, std::uint32_t>> final_;  // distance and column
  std::vector<std::uint64_t> heap_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_ROW_PAIRING_H_
