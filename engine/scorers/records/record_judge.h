// engine/scorers/records/record_judge.h: compares the cells of two values. Members of objects are compared by
// key. Elements of arrays are paired by engine/match/row_pairing.h; nested arrays are compared within paired
// rows. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_RECORD_JUDGE_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_RECORD_JUDGE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "engine/json/shape_table.h"
#include "engine/match/row_pairing.h"
#include "engine/match/value_ids.h"
#include "engine/scorers/records/cell_columns.h"
#include "engine/scorers/records/place_defaults.h"
#include "engine/scorers/records/place_tree.h"
#include "engine/scorers/records/record_results.h"
#include "engine/scorers/records/record_rules.h"
#include "engine/scorers/records/similar_texts.h"

namespace leafscore::internal {

// Numbers the values of the current rows, in order of first occurrence. Ids cannot take the place of numbers,
// because they depend on what was read before.
class RowNumbers {
 public:
  // REQUIRES: `ids` outlives this.
  explicit RowNumbers(const ValueIds* ids) : ids_(ids) {}

  void Clear() {
    for (const ValueId id : numbered_) number_of_[id] = 0;
    numbered_.clear();
  }

  // Returns the number of a value in the current rows; 0 for no value.
  std::uint32_t Of(ValueId id) {
    if (id == 0) return 0;
    if (number_of_.size() <= id) number_of_.resize(ids_->limit(), 0);
    if (number_of_[id] == 0) {
      numbered_.push_back(id);
      number_of_[id] = static_cast<std::uint32_t>(numbered_.size());
    }
    return number_of_[id];
  }

 private:
  const ValueIds* ids_;
  std::vector<std::uint32_t> number_of_;  // by id
  std::vector<ValueId> numbered_;         // the values that have a number
};

class RecordJudge {
 public:
  RecordJudge(const RecordRules* rules, WorkerTools tools, PlaceTree* places, ValueIds* ids,
              CellReader* reader, SimilarTexts* similar)
      : rules_(rules),
        shapes_(tools.shapes),
        places_(places),
        ids_(ids),
        similar_(similar),
        results_(places),
        numbers_(ids),
        defaults_(tools, places, reader) {
    for (const std::vector<TargetPath>& keys : rules->keys) {
      std::vector<PathFollower>& followers = followers_.emplace_back();
      for (const TargetPath& key : keys) followers.emplace_back(&key, tools.shapes);
      keys_found_.emplace_back(keys.size(), false);
    }
  }

  // Forgets the shapes. With `all`, also forgets the places and ids of values.
  void BeginBatch(bool all);

  // Judge the two values of a record and add the results to those since BeginRecord. If the similarity of two
  // texts in a chosen pair of rows is unknown, it is requested.
  void BeginRecord();
  void Judge(const CellColumns& expected, const CellColumns& actual);
  // Does the same for an actual value that belongs to only one member of the expected object.
  void JudgeMember(const CellColumns& expected, NodeId member, const CellColumns& actual);
  // Counts everything expected as missing.
  void Miss(const CellColumns& expected) { Lose<true>({&expected, expected.root}); }

  // Returns the results since BeginRecord.
  const RecordResults& results() const { return results_; }

  // Appends each judged cell to `cells` from now on, unless it is null.
  void KeepCells(std::vector<JudgedCell>* cells) { results_.cells = cells; }

  // For each list of keys, by its number, and each key in the list, by its position: whether an expected row
  // of any batch had the key.
  const std::vector<std::vector<bool>>& keys_found() const { return keys_found_; }

 private:
  struct Counts {
    std::uint32_t matched = 0;
    std::uint32_t expected = 0;  // cells
    std::uint32_t filled = 0;    // actual cells for which defaults were used

    Counts& operator+=(const Counts& more) {
      matched += more.matched;
      expected += more.expected;
      filled += more.filled;
      return *this;
    }
  };
  // The data for pairing rows at one depth of nested arrays.
  struct Level {
    RowColumns expected;
    RowColumns actual;
    std::vector<CellRef> expected_rows;
    std::vector<CellRef> actual_rows;
    RowPairing pairing;
    // For the current rows: how many cells defaults may add, and whether some texts were compared with only a
    // few others.
    std::uint32_t default_cells = 0;
    bool is_limited = false;
  };

  // Compares two values; with kRecord, records the result of each cell.
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
  Counts CompareRows(CellRef expected, CellRef actual);
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
  void AppendLinks(CellRef cell, bool is_expected, Level& level);
  ValueId KeyOf(CellRef row, std::uint32_t keys, bool is_expected);

  const RecordRules* rules_;
  ShapeTable* shapes_;
  PlaceTree* places_;
  ValueIds* ids_;
  SimilarTexts* similar_;

  RecordResults results_;
  PairingBudget budget_;
  std::vector<std::unique_ptr<Level>> levels_;
  std::size_t depth_ = 0;
  int weighing_ = 0;  // depth of nested pairs of rows that are weighed, but may not be chosen
  // The results of pairs of arrays with nested rows that were weighed in this record. Each result is needed
  // for the weight of its own pair and for the weight of the rows around the pair. Without this table, the
  // work would double at every level.
  using ArrayPair = std::tuple<const CellColumns*, NodeId, const CellColumns*, NodeId>;
  std::map<ArrayPair, Counts> weighed_;
  RowNumbers numbers_;
  std::vector<NodeId> children_;
  std::vector<ValueId> key_cells_;
  std::vector<std::vector<PathFollower>> followers_;
  std::vector<std::vector<bool>> keys_found_;
  PlaceDefaults defaults_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_RECORD_JUDGE_H_
