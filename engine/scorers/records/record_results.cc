#include "engine/scorers/records/record_results.h"

#include <cstddef>

namespace leafscore::internal {

void RecordResults::BeginRecord() {
  for (const PlaceId place : touched_fields_) fields_[place] = {};
  for (const PlaceId place : touched_rows_) rows_[place] = {};
  touched_fields_.clear();
  touched_rows_.clear();
  confidences_.clear();
  tally_ = {};
}

void RecordResults::ForgetPlaces() {
  BeginRecord();
  fields_.clear();
  rows_.clear();
}

void RecordResults::AddCell(PlaceId place, CellVerdict verdict, CellRef expected, CellRef actual) {
  if (place >= fields_.size()) fields_.resize(places_->size());
  FieldCells& field = fields_[place];
  if (field.expected == 0 && field.actual == 0) touched_fields_.push_back(place);
  // A default that does not match is a cell of the record. It does not count for its field, because no side
  // stated it.
  const bool is_matched = verdict == CellVerdict::kMatched;
  field.matched += is_matched;
  field.expected += expected.present() && (is_matched || !expected.columns->is_default);
  field.actual += actual.present() && (is_matched || !actual.columns->is_default);
  std::uint32_t* const counts[] = {&tally_.matched, &tally_.wrong, &tally_.missing, &tally_.extra};
  ++*counts[static_cast<std::size_t>(verdict)];
  const std::uint16_t confidence =
      actual.present() ? actual.columns->confidence(actual.node) : CellColumns::kNoConfidence;
  if (confidence != CellColumns::kNoConfidence) confidences_.emplace_back(confidence, is_matched);
  if (cells == nullptr) return;
  const auto value_of = [](CellRef cell) { return cell.present() ? cell.value() : ValueRef{}; };
  cells->push_back({place, verdict, value_of(expected), value_of(actual), alternative_, confidence});
}

void RecordResults::AddRows(PlaceId place, std::uint32_t expected, std::uint32_t actual,
                            const RowPairing& pairing) {
  if (place >= rows_.size()) rows_.resize(places_->size());
  RowCounts& rows = rows_[place];
  const bool is_new = rows.expected == 0 && rows.actual == 0;
  if (is_new && expected + actual != 0) touched_rows_.push_back(place);
  rows.expected += expected;
  rows.actual += actual;
  rows.paired += pairing.paired();
  rows.joined += pairing.joined();
}

}  // namespace leafscore::internal
