// engine/scorers/records/record_results.h: the verdicts on the cells of a record, counted by field, and the
// rows of its arrays. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_RECORD_RESULTS_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_RECORD_RESULTS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/match/row_pairing.h"
#include "engine/scorers/records/cell_columns.h"
#include "engine/scorers/records/field_counts.h"
#include "engine/scorers/records/place_tree.h"

namespace leafscore::internal {

enum class CellVerdict : std::uint8_t { kMatched, kWrong, kMissing, kExtra };

// The verdict on one cell. If a side lacks the cell, its value is absent.
struct JudgedCell {
  PlaceId place;
  CellVerdict verdict;
  ValueRef expected;
  ValueRef actual;
  std::uint32_t alternative;  // number of the accepted value that contains it, from 1; 0 for none
  std::uint16_t confidence = CellColumns::kNoConfidence;
};

// The results for the rows of the arrays at one place.
struct RowCounts {
  std::uint32_t expected = 0;
  std::uint32_t actual = 0;
  std::uint32_t paired = 0;
  std::uint32_t joined = 0;
};

struct RecordTally {
  std::uint32_t matched = 0;
  std::uint32_t wrong = 0;
  std::uint32_t missing = 0;
  std::uint32_t extra = 0;
  bool exact = true;  // no pairing of rows matches more cells

  std::uint32_t expected() const { return matched + wrong + missing; }
  std::uint32_t actual() const { return matched + wrong + extra; }
};

class RecordResults {
 public:
  // REQUIRES: `places` outlives this.
  explicit RecordResults(const PlaceTree* places) : places_(places) {}

  void BeginRecord();

  // Forgets the record and all places.
  void ForgetPlaces();

  // Adds the verdict on a cell.
  void AddCell(PlaceId place, CellVerdict verdict, CellRef expected, CellRef actual);
  // Adds the rows of an array that were paired.
  void AddRows(PlaceId place, std::uint32_t expected, std::uint32_t actual, const RowPairing& pairing);
  // Records that another pairing of rows may match more cells, unless `exact`.
  void NotePairing(bool exact) { tally_.exact &= exact; }

  // Sets the accepted value that contains the cells from now on, by its number. RETURNS: the one before.
  std::uint32_t SetAlternative(std::uint32_t alternative) { return std::exchange(alternative_, alternative); }

  const RecordTally& tally() const { return tally_; }
  // Return the places of the record that have results, and the results at a place. Fields are in order of
  // first occurrence.
  const std::vector<PlaceId>& fields() const { return touched_fields_; }
  const FieldCells& field(PlaceId place) const { return fields_[place]; }
  const std::vector<PlaceId>& arrays() const { return touched_rows_; }
  const RowCounts& rows(PlaceId place) const { return rows_[place]; }

  // Returns the confidences of the record's actual cells that have one, and whether each of these cells
  // matches.
  const std::vector<std::pair<std::uint16_t, bool>>& confidences() const { return confidences_; }

  // Unless null, receives each judged cell.
  std::vector<JudgedCell>* cells = nullptr;

 private:
  const PlaceTree* places_;
  RecordTally tally_;
  std::uint32_t alternative_ = 0;  // the accepted value that contains the cells being recorded
  std::vector<FieldCells> fields_;
  std::vector<PlaceId> touched_fields_;
  std::vector<std::pair<std::uint16_t, bool>> confidences_;
  std::vector<RowCounts> rows_;
  std::vector<PlaceId> touched_rows_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_RECORD_RESULTS_H_
