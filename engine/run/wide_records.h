// engine/run/wide_records.h: reads records that each hold the answers of several models as if each model had
// a record of its own. The path of the answers has a `*` in its last step, for the names of the models:
//
//   {"id": 1, "answers": {"a": 7, "b": 8}}   answers.*
//
// The record is read as the line {"id": 1, "answers": {"*": 7}, "model": "a"} and a similar line for b. In
// these lines, answers.* is an ordinary path.
#ifndef LEAFSCORE_ENGINE_RUN_WIDE_RECORDS_H_
#define LEAFSCORE_ENGINE_RUN_WIDE_RECORDS_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/byte_source.h"
#include "engine/io/record_reader.h"
#include "engine/json/json_reader.h"
#include "engine/match/target_path.h"
#include "leafscore/files.h"

namespace leafscore::internal {

// The place of the answers of several models: the members of `object` whose keys begin with `before` and end
// with `after`.
struct WideField {
  TargetPath object;
  std::string key;  // with the `*`
  std::string before;
  std::string after;
};

// The field that gets the name of the model, unless another is named.
inline constexpr char kWideSourceField[] = "model";

// Returns the meaning of a field with a `*`; nullopt for a field without `*` or with a quoted key. ERRORS:
// Error(kUsage) if there is more than one `*`, if the `*` is not in the last step or is the whole path, or if
// the path has a position.
std::optional<WideField> WideFieldOf(const std::string& field);

// Returns how to read the inputs of a run, in which a record may have the answers of several models. If all
// inputs are regular files, they are first searched for the names of the models. ERRORS: Error(kUsage) from
// WideFieldOf.
ReaderOptions AnswerReaderOptions(const FileOptions& options, ReaderOptions reader);

// How the lines are written.
struct WideLayout {
  WideField answers;
  std::string source_field;  // gets the name of the model
  std::string id_field;      // gets the number of a record without this field; not written if empty
  std::vector<std::string> models = {};  // if empty, the models of the first record with answers
  bool is_complete = true;               // models that a record lacks have a line without an answer
  std::string input = {};                // for messages
  std::string id_prefix = {};            // before the numbers of records
  bool is_table = false;                 // the records are rows, in which null is an empty cell
  JsonOptions json = {};
};

// Returns the names of the models in all records, in order of first occurrence.
// ERRORS: Error(kInput) as reading the records. COST: reads them once.
std::vector<std::string> FindWideModels(RecordReader& records, const WideField& answers, JsonOptions json);

// Returns a line for each answer of a record. A name that is not among the models, or a key that occurs
// twice, gives a broken row in addition (table_source.h). A record that cannot be read gives one line, with
// its fault. ERRORS: Read throws what reading the records throws, and Error(kInput) if a record has the
// source field.
std::unique_ptr<ByteSource> LinesOfWideRecords(std::unique_ptr<RecordReader> records, WideLayout layout);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_WIDE_RECORDS_H_
