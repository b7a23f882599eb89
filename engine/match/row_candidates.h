// engine/match/row_candidates.h: finds pairs of rows that may share many cells without looking at all pairs,
// and bounds what the other pairs can share.
//
// A row is a set of numbered cells. In step 1 each row names the rows of the other side that share its rarest
// cells, as many as name few; its other cells are common. Rows for which that is not enough rise to step 2,
// which does among them with every two of the common cells what step 1 does with each cell; step 3 takes
// three, step 4 four, step 5 all pairs. Each step bounds what rows can share without being named: s cells of
// which every combination of n is common, so that s of the row's cells must each be in C(s - 1, n - 1) common
// combinations. THREADS: one at a time.
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

class RowCandidates {
 public:
  static constexpr std::uint8_t kSteps = 5;

  // The rows of one side that are to be paired. Rows here are numbered by their place in `rows`.
  struct Side {
    const RowColumns* columns = nullptr;
    std::span<const std::uint32_t> rows;
    std::vector<std::uint8_t> step;                        // by row: the last step that it has been through
    std::array<std::vector<std::uint32_t>, kSteps> bound;  // by step - 1 and row, while it has been through
    std::vector<std::uint32_t> common_begin;               // by row, and one behind the last
    std::vector<std::pair<std::uint32_t, std::uint32_t>> common;  // cells left out, and how often it has them

    std::uint32_t size() const { return static_cast<std::uint32_t>(rows.size()); }
    // Whether a row has come to a step, and some of its pairs have no name yet.
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
  using Pair = std::pair<std::uint32_t, std::uint32_t>;  // of a row of either side

  // Takes both sides through step 1.
  void Begin(const RowColumns& left, std::span<const std::uint32_t> left_rows, const RowColumns& right,
             std::span<const std::uint32_t> right_rows);
  // Takes the rows whose step is at least `step`, which is above 1, through it. RETURNS: false, and does
  // nothing, when there are too many combinations.
  bool TakeStep(std::uint8_t step);
  // Names all pairs of the rows whose step is at least `step` instead, so that these need no bound.
  void NameAll(std::uint8_t step);
  // Names all pairs of some rows of each side, in rising order, which need no further step.
  void NameAllOf(std::span<const std::uint32_t> left_rows, std::span<const std::uint32_t> right_rows);
  // Returns how many pairs of rows have a step of at least `step` on both sides.
  std::uint64_t PairsFrom(std::uint8_t step) const;

  Side& left() { return left_; }
  Side& right() { return right_; }
  // The pairs that the last of these calls named, by left row, each once.
  const std::vector<Pair>& pairs() const { return pairs_; }

 private:
  // Numbers that rows hold, each at most once in a row.
  struct Keys {
    std::vector<std::uint32_t> begin;
    std::vector<std::uint32_t> keys;
    std::vector<std::uint32_t> rows;  // by place

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
  // While pairs are named, else 0 and false. By key: in how many right rows it is, whether a left row has it,
  // and whether it is common for one of them.
  std::vector<std::uint32_t> right_count_;
  std::vector<bool> in_left_;
  std::vector<bool> is_common_;
  std::vector<bool> left_is_common_;     // by place in left_keys_: whether the key is common for its row
  std::vector<std::uint32_t> slot_end_;  // by key: where its right rows end in slot_rows_
  std::vector<std::uint32_t> slot_rows_;
  std::vector<std::uint32_t> seen_;  // by right row: the left row that met it last
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_rareness_;  // right rows and place of a row's keys
  std::vector<std::uint64_t> common_with_;  // by cell of a row: in how many common combinations it is
  std::vector<std::uint32_t> times_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_ROW_CANDIDATES_H_
