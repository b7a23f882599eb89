// engine/scorers/records/cell_batch.h: the base class of batches of `records` whose rules count cells. It
// keeps the counts of each field and, for details, the judged cells of each record.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_CELL_BATCH_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_CELL_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/scorers/records/cell_details.h"
#include "engine/scorers/records/field_counts.h"
#include "engine/scorers/selecting_batch.h"

namespace leafscore::internal {

class CellBatch : public SelectingBatch {
  // Returns FieldPath as a function object. This function comes first, because the functions below need its
  // deduced type.
  auto PathOf() const {
    return [this](std::uint32_t field) { return FieldPath(field); };
  }

 public:
  void AppendLeaves(std::uint32_t record, LeafList& leaves) const final {
    AppendJudgedLeaves(CellsOf(record), PlacesOf(PathOf()), PathsOf(record), *shapes_, leaves);
  }
  void WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const final {
    ScorerBatch::WriteDetails(record, level, json);
    WriteFields(FieldsOf(record), PathOf(), json);
    if (level == DetailLevel::kLeaves)
      WriteLeaves(CellsOf(record), PlacesOf(PathOf()), PathsOf(record), *shapes_, json);
  }
  bool counts_cells() const final { return true; }
  void AppendCellCounts(std::uint32_t record, std::vector<NamedCellCounts>& counts) const final {
    AppendFieldCounts(FieldsOf(record), PathOf(), counts);
  }

 protected:
  CellBatch(const PairSelectorOptions* selection, WorkerTools tools,
            std::span<const std::string_view> metric_names)
      : SelectingBatch(selection, tools, metric_names),
        listed_cells_(tools.details == DetailLevel::kLeaves ? &cells_ : nullptr) {}

  // Returns the path of a field, valid until the next batch.
  virtual std::string_view FieldPath(std::uint32_t field) const = 0;

  // Forgets the previous batch.
  void BeginCells(std::uint32_t records) {
    tally_.BeginBatch();
    kept_.assign(records, {});
    sides_.clear();
    cells_.clear();
  }
  // Adds the sides of a part of a record. REQUIRES: all parts of a record are added one after the other.
  void AddSides(std::uint32_t record, const CellSides& sides) {
    Kept& kept = kept_[record];
    if (kept.sides_begin == kept.sides_end) kept.sides_begin = sides_.size();
    sides_.push_back(sides);
    kept.sides_end = sides_.size();
  }
  // KeepFields keeps the counts of a record. KeepCells keeps its cells, which were listed from index `first`
  // on.
  void KeepFields(std::uint32_t record) { kept_[record].fields = tally_.Keep(PathOf()); }
  void KeepCells(std::uint32_t record, std::size_t first) {
    kept_[record].cells_begin = first;
    kept_[record].cells_end = cells_.size();
  }

  std::span<FieldCount> FieldsOf(std::uint32_t record) { return tally_.Of(kept_[record].fields); }
  std::span<const FieldCount> FieldsOf(std::uint32_t record) const { return tally_.Of(kept_[record].fields); }
  std::size_t cell_count() const { return cells_.size(); }

  FieldCellTally tally_;                         // of the current record
  std::vector<JudgedCell>* const listed_cells_;  // null unless cells are wanted

 private:
  struct Kept {
    FieldCellTally::Range fields = {};
    std::size_t cells_begin = 0, cells_end = 0;
    std::size_t sides_begin = 0, sides_end = 0;
  };

  std::span<const JudgedCell> CellsOf(std::uint32_t record) const {
    const Kept& kept = kept_[record];
    return std::span(cells_).subspan(kept.cells_begin, kept.cells_end - kept.cells_begin);
  }
  CellPaths PathsOf(std::uint32_t record) const {
    const Kept& kept = kept_[record];
    return {std::span(sides_).subspan(kept.sides_begin, kept.sides_end - kept.sides_begin), *shapes_};
  }

  std::vector<Kept> kept_;         // by record
  std::vector<CellSides> sides_;   // of all parts
  std::vector<JudgedCell> cells_;  // of all records
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_CELL_BATCH_H_
