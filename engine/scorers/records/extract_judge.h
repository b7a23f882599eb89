// engine/scorers/records/extract_judge.h: pairs the rows of two values by ExtractBench's rules and counts the
// cells that match. A pair of rows costs one for each cell that differs; a missing cell equals only a missing
// cell. All rows of the shorter side are paired, at the least total cost.
//
// Rows are plain if they are flat and their cells are equal exactly if their numbers are. Equal plain rows
// are paired first, in their order. The other plain rows are assigned from columns with the numbers of their
// cells, and the rows of all other arrays from a matrix of costs.
// THREADS: one at a time; each worker owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_JUDGE_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_JUDGE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/match/least_cost_assignment.h"
#include "engine/scorers/records/extract_equality.h"
#include "engine/scorers/records/extract_schema.h"
#include "engine/scorers/records/extract_values.h"
#include "engine/scorers/records/record_results.h"

namespace leafscore::internal {

// If the flat rows that have no equal row form more pairs than this, they stay unpaired, as by the rules of
// ExtractBench.
inline constexpr std::uint64_t kMaxExtractPairs = 100'000'000;

struct ExtractTally {
  std::uint64_t matched = 0;
  std::uint64_t expected_rows = 0;
  std::uint64_t actual_rows = 0;
  bool incomplete = false;  // some rows stayed unpaired because of a limit
};

class ExtractJudge {
 public:
  ExtractJudge(const ExtractRules* rules, ExtractEquality* equality) : rules_(rules), equality_(equality) {}

  // Begins a record. REQUIRES: `fields` is the number of fields so far.
  void BeginRecord(std::uint32_t fields);
  // Judges two values and adds the result.
  void Judge(const ExtractValues& expected, const ExtractValues& actual);

  // Unless null, receives each judged cell. The place of a cell is the number of its field.
  std::vector<JudgedCell>* cells = nullptr;

  const ExtractTally& tally() const { return tally_; }
  // Returns how many cells of a field match.
  std::uint32_t matched(std::uint32_t field) const { return matched_[field]; }

 private:
  using Row = ExtractValues::Row;
  using Array = ExtractValues::Array;
  static constexpr std::uint32_t kNoRow = 0xffffffffu;
  static constexpr std::uint32_t kNoCell = 0xffffffffu;

  // The memory for pairing two arrays at one depth.
  struct Level {
    std::vector<std::uint32_t> expected;  // rows to assign, as positions in their arrays
    std::vector<std::uint32_t> actual;
    std::vector<std::uint32_t> actual_of;  // by position of the expected row
    std::vector<std::uint32_t> costs;      // a matrix, or one row of it
    std::vector<ValueId> columns;          // the cells of the longer side, column by column
    LeastCostAssignment assignment;
  };

  Level& Enter();
  void Leave() { --depth_; }
  void MatchRows(const RowLayout& layout, const Row& expected, const Row& actual);
  void MatchArrays(const RowLayout& layout, const Array& expected, const Array& actual);
  void MatchExtras();
  void NoteCell(std::uint32_t field, std::uint32_t expected, std::uint32_t actual, CellVerdict verdict);
  void NoteUnpaired(const RowLayout& layout, const ExtractValues& values, const Row& row);
  void MatchCell(std::uint32_t field, std::uint32_t expected, std::uint32_t actual, double likeness);
  bool HasNotes(const RowLayout& layout, const Array& expected) const;
  void Pair(const RowLayout& layout, const Array& expected, const Array& actual, Level& level);
  void Peel(const RowLayout& layout, const Array& expected, const Array& actual, Level& level);
  bool AssignColumns(const RowLayout& layout, const Array& expected, const Array& actual, Level& level);
  bool AssignMatrix(const RowLayout& layout, const Array& expected, const Array& actual, Level& level);
  bool Assign(const LeastCostAssignment::CostsOfRow& costs_of, Level& level);
  std::uint32_t CostOfRows(const RowLayout& layout, const Row& expected, const Row& actual);
  std::uint32_t CostOfArrays(const RowLayout& layout, const Array& expected, const Array& actual);
  bool TakeSteps(std::uint64_t steps);
  const Row& ExpectedRow(const Array& array, std::uint32_t position) const {
    return expected_->rows[array.rows + position];
  }
  const Row& ActualRow(const Array& array, std::uint32_t position) const {
    return actual_->rows[array.rows + position];
  }

  const ExtractRules* rules_;
  ExtractEquality* equality_;
  const ExtractValues* expected_ = nullptr;
  const ExtractValues* actual_ = nullptr;
  ExtractTally tally_;
  std::vector<std::uint32_t> matched_;  // by field
  std::uint64_t steps_left_ = 0;        // for the record
  std::vector<std::unique_ptr<Level>> levels_;
  std::size_t depth_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_JUDGE_H_
