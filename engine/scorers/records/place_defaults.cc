#include "engine/scorers/records/place_defaults.h"

#include <string>
#include <utility>

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
    std::string json;
    AppendConfigAsJson(*(*places_)[place].default_value, json);
    reader_->ReadDefault(texts_.Add(std::move(json)), place, columns_.emplace_back());
  }
  const CellColumns& columns = columns_[entry->second];
  return {&columns, columns.root};
}

}  // namespace leafscore::internal
