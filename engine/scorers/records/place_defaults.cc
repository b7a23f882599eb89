#include "engine/scorers/records/place_defaults.h"

#include "engine/config/config_json.h"

namespace leafscore::internal {

void PlaceDefaults::Clear() {
  column_of_.clear();
  columns_.clear();
  texts_.Truncate(0);
}

CellRef PlaceDefaults::Of(PlaceId place) {
  const auto [entry, is_new] = column_of_.try_emplace(place, columns_.size());
  if (is_new) {
    ParsedText& parsed = texts_.Push();
    AppendConfigAsJson(*(*places_)[place].default_value, parsed.text);
    const ValueRef value{&parsed.table, texts_.Read(parsed).root};
    reader_->ReadDefault(value, place, columns_.emplace_back());
  }
  const CellColumns& columns = columns_[entry->second];
  return {&columns, columns.root};
}

}  // namespace leafscore::internal
