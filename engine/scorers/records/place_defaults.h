// engine/scorers/records/place_defaults.h: the cells of the defaults in a schema, which stand for members
// that a row lacks. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_PLACE_DEFAULTS_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_PLACE_DEFAULTS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>

#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/records/cell_columns.h"
#include "engine/scorers/records/place_tree.h"

namespace leafscore::internal {

class PlaceDefaults {
 public:
  // REQUIRES: `places` and `reader` outlive this.
  PlaceDefaults(WorkerTools tools, const PlaceTree* places, CellReader* reader)
      : places_(places), reader_(reader), texts_(tools) {}

  // Forgets what was read, with its shapes and ids.
  void Clear();

  // Returns the default of a place, read once per batch; it is valid until Clear. REQUIRES: the place has a
  // default.
  CellRef Of(PlaceId place);

 private:
  const PlaceTree* places_;
  CellReader* reader_;
  ParsedTexts texts_;
  std::deque<CellColumns> columns_;
  std::unordered_map<std::uint32_t, std::size_t> column_of_;  // by place
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_PLACE_DEFAULTS_H_
