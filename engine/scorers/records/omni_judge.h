// engine/scorers/records/omni_judge.h: pairs the rows of two values as omni-extract-bench does, and counts
// the results at their addresses. Rows are paired so that as many values as possible match, then so that as
// many addresses as possible are shared. Rows without a matching value stay unpaired.
//
// Rows without arrays are compared column by column, other rows pair by pair. Beyond the limits, rows are
// paired by the values that they share (engine/match/row_pairing.h), and the result may not be the best.
// THREADS: one at a time; each worker owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_OMNI_JUDGE_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_OMNI_JUDGE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/match/least_cost_assignment.h"
#include "engine/match/row_pairing.h"
#include "engine/scorers/records/field_counts.h"
#include "engine/scorers/records/omni_values.h"
#include "engine/scorers/records/record_results.h"

namespace leafscore::internal {

struct OmniTally {
  std::uint64_t matched = 0;
  std::uint64_t wrong = 0;
  std::uint64_t missing = 0;
  std::uint64_t fabricated = 0;      // where the schema asks for a value, but none is expected
  std::uint64_t invented_item = 0;   // in rows that are not paired
  std::uint64_t invented_field = 0;  // where the schema asks for nothing
  std::uint64_t matched_rows = 0;    // pairs of objects in arrays
  bool exact = true;
};

class OmniJudge {
 public:
  void BeginRecord();
  // Judges two values and adds the result.
  void Judge(const OmniValues& expected, const OmniValues& actual);

  const OmniTally& tally() const { return tally_; }

  // Counts the matching values of the record by field. REQUIRES: not null.
  FieldCellTally* fields = nullptr;
  // Unless null, receives each judged value. The place of a value is its field.
  std::vector<JudgedCell>* cells = nullptr;

 private:
  using Row = OmniValues::Row;
  using Array = OmniValues::Array;
  static constexpr std::uint32_t kNoRow = 0xffffffffu;

  struct Worth {
    std::uint32_t matched = 0;
    std::uint32_t shared = 0;  // addresses that both rows have
  };
  // The memory for pairing two arrays at one depth.
  struct Level {
    std::vector<std::uint32_t> actual_of;  // by index of the expected row
    std::vector<Worth> worths;             // a matrix, or one row of it
    std::vector<std::uint32_t> costs;      // of one row
    std::vector<ValueId> addresses;        // of the columns
    std::vector<ValueId> columns;          // the values of the longer side, column by column
    LeastCostAssignment assignment;
    RowPairing pairing;
  };

  void MatchRows(const Row& expected, const Row& actual);
  void MatchArrays(const Array& expected, const Array& actual);
  void AddExtra(std::uint32_t values, std::uint32_t asked_for);
  void Note(CellVerdict verdict, const OmniValues::Leaf* expected, const OmniValues::Leaf* actual);
  void NoteRow(CellVerdict verdict, const Row& row);
  void NoteArray(CellVerdict verdict, const Array& array);
  Worth WorthOf(const Row& expected, const Row& actual);
  Worth WorthOf(const Array& expected, const Array& actual);
  Level& Enter();
  void Pair(const Array& expected, const Array& actual, Level& level);
  bool AssignColumns(const Array& expected, const Array& actual, Level& level);
  bool AssignMatrix(const Array& expected, const Array& actual, Level& level);
  template <class WorthsOf>
  bool Assign(const Array& expected, const Array& actual, WorthsOf worths_of, Level& level);
  void PairBySharedValues(const Array& expected, const Array& actual, Level& level);

  const OmniValues* expected_ = nullptr;
  const OmniValues* actual_ = nullptr;
  OmniTally tally_;
  std::uint64_t steps_left_ = 0;  // for the record
  PairingBudget budget_;
  std::vector<std::unique_ptr<Level>> levels_;
  std::size_t depth_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_OMNI_JUDGE_H_
