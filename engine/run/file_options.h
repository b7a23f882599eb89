// engine/run/file_options.h: what the options of a run over files say to the parts of the engine.
#ifndef LEAFSCORE_ENGINE_RUN_FILE_OPTIONS_H_
#define LEAFSCORE_ENGINE_RUN_FILE_OPTIONS_H_

#include <string>

#include "engine/io/record_reader.h"
#include "engine/json/json_reader.h"
#include "engine/run/batch_scorer.h"
#include "leafscore/leafscore.h"

namespace leafscore::internal {

inline ReaderOptions ReaderOptionsOf(const FileOptions& options) {
  return {.batch_bytes = options.batch_bytes,
          .max_line_bytes = options.max_line_bytes,
          .format = options.input_format,
          .stop = options.stop,
          .open = {}};
}

inline JsonOptions JsonOptionsOf(const EngineOptions& options) {
  return {.strict = options.strict_json, .max_depth = options.max_depth};
}

// Returns the field by which answers are joined with the gold.
inline const std::string& JoinField(const FileOptions& options) {
  return options.join_field.empty() ? options.id_field : options.join_field;
}

// Returns the fields of single records; groups and gold are for the caller to add.
inline RecordFields RecordFieldsOf(const FileOptions& options) {
  RecordFields fields;
  fields.id = options.gold.empty() ? options.id_field : JoinField(options);
  fields.expected = options.expected_field;
  fields.actual = options.actual_field;
  fields.join = JoinField(options);
  return fields;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_FILE_OPTIONS_H_
