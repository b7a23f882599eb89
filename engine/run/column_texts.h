// engine/run/column_texts.h: parses the texts of a column. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_RUN_COLUMN_TEXTS_H_
#define LEAFSCORE_ENGINE_RUN_COLUMN_TEXTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/json/json_reader.h"
#include "engine/json/leaf_table.h"
#include "leafscore/runner.h"

namespace leafscore::internal {

// The values of a column.
struct ColumnValues {
  LeafTable table;
  std::string lines;  // short texts of the column, a line each, then padding
};

// Reads the texts of a column, except in rows that `results` has already rejected, and fills in the roots of
// their values. Short texts are copied to lines, because a single pass over many lines finds their tokens in
// half the time. REQUIRES: `roots` and `results` have a row for each text.
// RETURNS: the rows whose text cannot be read; `results` has the reason.
std::vector<std::uint32_t> ReadTexts(const TextColumn& column, TextFormat format, JsonReader& reader,
                                     ColumnValues& values, std::vector<NodeId>& roots,
                                     std::vector<JsonResult>& results);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_COLUMN_TEXTS_H_
