// engine/match/row_candidates.h: finds the pairs of rows that may share many cells without examining all
// pairs, and bounds the number of cells that other pairs can share.
//
// A row is a set of numbered cells. In step 1, each row names the rows of the other side that share its
// rarest cells, as long as these rows are few. The other cells of the row are called common. If step 1 is not
// enough for a row, the row advances to step 2, which treats every two of its common cells as step 1 treats a
// single cell. Step 3 uses three cells, step 4 uses four, and step 5 names all pairs. Step n bounds how many
// cells two rows can share without being named: if they share s cells, every combination of n of the s cells
// is common, so each of the s cells is in at least C(s - 1, n - 1) common combinations. THREADS: one at a
// time.
#ifndef LEAFSCORE_ENGINE_MATCH_ROW_CANDIDATES_H_
#define LEAFSCORE_ENGINE_MATCH_ROW_CANDIDATES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace leafscore::internal {

// The rows of one side, as columns. The caller owns them.
struct RowColumns {
  std::vector<std::uint32_t> whole;       // by row: equal rows have the same number; 0 without cells
  std::vector<std::uint32_t> key;         // by row: equal keys have the same number; 0 without a key
  std::vector<std::uint32_t> cell_begin;  // by row, plus the end: where its cells begin
  std::vector<std::uint32_t> cells;       // sorted within each row; a row may repeat a cell

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

class RowCandidates {
 public:
  static constexpr std::uint8_t kSteps = 5;

  // The rows of one side that are to be paired. A row's number is its position in `rows`.
  struct Side {
    const RowColumns* columns = nullptr;
    std::span<const std::uint32_t> rows;
    std::vector<std::uint8_t> step;  // by row: the last step that it has completed
    std::array<std::vector<std::uint32_t>, kSteps>
        bound;                                // by step - 1 and row, if the row has completed the step
    std::vector<std::uint32_t> common_begin;  // by row, plus the end
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        common;  // common cells, and how often the row has them

    std::uint32_t size() const { return static_cast<std::uint32_t>(rows.size()); }
    // Returns whether a row has reached a step and has not yet named all of its pairs.
    bool IsAt(std::uint32_t row, std::uint8_t at_least) const {
      return step[row] >= at_least && step[row] <= kSteps;
    }
    std::uint32_t CellCount(std::uint32_t row) const {
      return columns->cell_begin[rows[row] + 1] - columns->cell_begin[rows[row]];
    }
    std::span<const std::pair<std::uint32_t, std::uint32_t>> CommonOf(std::uint32_t row) const {
      return std::span(common).subspan(common_begin[row], common_begin[row + 1] - common_begin[row]);
    }
  };
  using Pair = std::pair<std::uint32_t, std::uint32_t>;  // of a left and a right row

  // Performs step 1 for both sides.
  void Begin(const RowColumns& left, std::span<const std::uint32_t> left_rows, const RowColumns& right,
             std::span<const std::uint32_t> right_rows);
  // Performs a step above 1 for the rows whose step is at least `step`. RETURNS: false, without doing
  // anything, if there are too many combinations.
  bool TakeStep(std::uint8_t step);
  // Instead of TakeStep: names all pairs of the rows whose step is at least `step`. These rows then need no
  // bound.
  void NameAll(std::uint8_t step);
  // Names all pairs with at least one of these rows. These rows then need no further step.
  // REQUIRES: ascending rows.
  void NameAllOf(std::span<const std::uint32_t> left_rows, std::span<const std::uint32_t> right_rows);
  // Returns the number of pairs of rows whose step is at least `step` on both sides.
  std::uint64_t PairsFrom(std::uint8_t step) const;

  Side& left() { return left_; }
  Side& right() { return right_; }
  // Returns the pairs that the last call above named, sorted by left row, without repetition.
  const std::vector<Pair>& pairs() const { return pairs_; }

 private:
  // The keys of rows: the numbers of their cells, or of combinations of cells.
  struct Keys {
    std::vector<std::uint32_t> begin;
    std::vector<std::uint32_t> keys;
    std::vector<std::uint32_t> rows;  // by position

    void Clear() {
      begin.assign(1, 0);
      keys.clear();
      rows.clear();
    }
    void EndRow(std::uint32_t row) {
      rows.push_back(row);
      begin.push_back(static_cast<std::uint32_t>(keys.size()));
    }
    std::span<const std::uint32_t> Of(std::size_t at) const {
      return std::span(keys).subspan(begin[at], begin[at + 1] - begin[at]);
    }
  };

  void ListCells(const Side& side, Keys& keys) const;
  void ListCombinations(const Side& side, std::uint8_t step, int bits, bool is_left);
  void NamePairs(std::uint32_t limit);
  void ForgetKeys();
  void BoundByCells(Side& side, const Keys& keys) const;
  void BoundByCombinations(Side& side, std::uint8_t step, int bits);

  Side left_;
  Side right_;
  std::vector<Pair> pairs_;
  Keys left_keys_;
  Keys right_keys_;
  // Indexed by key: the number of right rows with the key, whether a left row has the key, and whether the
  // key is common for a left row. All elements are 0 or false except while pairs are named.
  std::vector<std::uint32_t> right_count_;
  std::vector<bool> in_left_;
  std::vector<bool> is_common_;
  std::vector<bool> left_is_common_;     // by position in left_keys_: whether the key is common for its row
  std::vector<std::uint32_t> slot_end_;  // by key: where its right rows end in slot_rows_
  std::vector<std::uint32_t> slot_rows_;
  std::vector<std::uint32_t> seen_;  // by right row: the last left row that named it
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      by_rareness_;                         // number of right rows, and position of a row's key
  std::vector<std::uint64_t> common_with_;  // by cell of a row: common combinations with the cell
  std::vector<std::uint32_t> times_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_ROW_CANDIDATES_H_
