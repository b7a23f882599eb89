// engine/scorers/records/record_judge.h: compares the cells of two values: members of objects by key,
// elements of arrays as engine/match/row_pairing.h pairs them, nested arrays within their rows. THREADS: one
// at a time.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_RECORD_JUDGE_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_RECORD_JUDGE_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/json/shape_table.h"
#include "engine/match/row_pairing.h"
#include "engine/match/value_ids.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/records/cell_columns.h"
#include "engine/scorers/records/place_tree.h"
#include "engine/scorers/records/record_rules.h"
#include "engine/scorers/records/similar_texts.h"

namespace leafscore::internal {

enum class CellVerdict : std::uint8_t { kMatched, kWrong, kMissing, kExtra };

// How one cell was judged. The side that has none is absent.
struct JudgedCell {
  PlaceId place;
  CellVerdict verdict;
  ValueRef expected;
  ValueRef actual;
  std::uint32_t alternative;  // from 1: which of the accepted values it is in; 0: of none
};

// What became of the cells of one field.
struct FieldCells {
  std::uint32_t matched = 0;
  std::uint32_t expected = 0;
  std::uint32_t actual = 0;
};

// What became of the rows of the arrays at one place.
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

class RecordJudge {
 public:
  RecordJudge(const RecordRules* rules, WorkerTools tools, PlaceTree* places, ValueIds* ids,
              CellReader* reader, SimilarTexts* similar)
      : rules_(rules),
        shapes_(tools.shapes),
        places_(places),
        ids_(ids),
        reader_(reader),
        similar_(similar),
        texts_(tools) {
    for (const std::vector<TargetPath>& keys : rules->keys) {
      std::vector<PathFollower>& followers = followers_.emplace_back();
      for (const TargetPath& key : keys) followers.emplace_back(&key, tools.shapes);
      keys_found_.emplace_back(keys.size(), false);
    }
  }

  // Forgets the shapes met; with `all`, the places and numbers of values, too.
  void BeginBatch(bool all);

  // Judges the two values of a record, adding to what is known of it. Similarities of texts in pairs of rows
  // that were chosen are asked for where they are not known.
  void BeginRecord();
  void Judge(const CellColumns& expected, const CellColumns& actual);
  // The same where the actual value is only that of one member of the expected object.
  void JudgeMember(const CellColumns& expected, NodeId member, const CellColumns& actual);
  // Counts all that is expected as missing.
  void Miss(const CellColumns& expected) { Lose<true>({&expected, expected.root}); }

  const RecordTally& tally() const { return tally_; }
  // By place, those of the record that have any; fields are in the order in which they were met.
  const std::vector<PlaceId>& fields() const { return touched_fields_; }
  const FieldCells& field(PlaceId place) const { return fields_[place]; }
  const std::vector<PlaceId>& arrays() const { return touched_rows_; }
  const RowCounts& rows(PlaceId place) const { return rows_[place]; }

  // Where each judged cell goes, if anywhere.
  std::vector<JudgedCell>* cells = nullptr;

  // By number of keys and key: whether an expected row has had it, in any batch.
  const std::vector<std::vector<bool>>& keys_found() const { return keys_found_; }

 private:
  struct Counts {
    std::uint32_t matched = 0;
    std::uint32_t expected = 0;  // cells
    std::uint32_t filled = 0;    // actual cells that defaults stand in for

    Counts& operator+=(const Counts& more) {
      matched += more.matched;
      expected += more.expected;
      filled += more.filled;
      return *this;
    }
  };
  // What the pairing of rows needs at one depth of nested arrays.
  struct Level {
    RowColumns expected;
    RowColumns actual;
    std::vector<CellRef> expected_rows;
    std::vector<CellRef> actual_rows;
    RowPairing pairing;
    // Of the rows at hand: the cells that defaults may add to them, and whether some of their texts were
    // compared with a few others only.
    std::uint32_t default_cells = 0;
    bool is_limited = false;
  };

  // Compares two values; with kRecord, notes what becomes of each cell.
  template <bool kRecord>
  Counts Compare(CellRef expected, CellRef actual);
  template <bool kRecord>
  Counts CompareAlternatives(CellRef expected, CellRef actual);
  template <bool kRecord>
  Counts CompareLeaves(CellRef expected, CellRef actual);
  template <bool kRecord>
  Counts CompareObjects(CellRef expected, CellRef actual);
  template <bool kRecord>
  Counts CompareArrays(CellRef expected, CellRef actual);
  template <bool kRecord>
  Counts CompareInOrder(CellRef expected, CellRef actual);
  template <bool kRecord>
  Counts Lose(CellRef expected);
  template <bool kRecord>
  void AddExtra(CellRef actual);

  bool EqualCells(CellRef expected, CellRef actual);
  CellRef SmallestAlternative(CellRef set, std::uint32_t& number) const;
  Level& PairRows(CellRef expected, CellRef actual);
  void ListRows(CellRef array, bool is_expected, Level& level);
  void AppendCells(CellRef row, bool is_expected, Level& level);
  std::uint32_t NumberOf(ValueId id);
  void AppendLinks(CellRef cell, bool is_expected, Level& level);
  ValueId KeyOf(CellRef row, std::uint32_t keys, bool is_expected);
  CellRef DefaultOf(PlaceId place);
  void Note(PlaceId place, CellVerdict verdict, CellRef expected, CellRef actual);
  FieldCells& FieldAt(PlaceId place);
  void ForgetRecord();

  const RecordRules* rules_;
  ShapeTable* shapes_;
  PlaceTree* places_;
  ValueIds* ids_;
  CellReader* reader_;
  SimilarTexts* similar_;

  RecordTally tally_;
  PairingBudget budget_;
  std::uint32_t alternative_ = 0;  // that the cells being noted are in
  std::vector<FieldCells> fields_;
  std::vector<PlaceId> touched_fields_;
  std::vector<RowCounts> rows_;
  std::vector<PlaceId> touched_rows_;

  std::vector<std::unique_ptr<Level>> levels_;
  std::size_t depth_ = 0;
  int weighing_ = 0;  // pairs of rows that may or may not be chosen, one in the other
  // By number of a value: its number among those of the rows at hand, in the order in which these were met,
  // as the other one depends on what was read before; and the values that have one.
  std::vector<std::uint32_t> number_of_;
  std::vector<ValueId> numbered_;
  std::vector<NodeId> children_;
  std::vector<ValueId> key_cells_;
  std::vector<std::vector<PathFollower>> followers_;
  std::vector<std::vector<bool>> keys_found_;

  ParsedTexts texts_;  // of defaults
  std::deque<CellColumns> default_columns_;
  std::unordered_map<std::uint32_t, std::size_t> default_of_;  // by place
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_RECORD_JUDGE_H_
