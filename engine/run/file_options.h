// engine/run/file_options.h: checks the options of a run over files, and turns them into the options of its
// parts.
#ifndef LEAFSCORE_ENGINE_RUN_FILE_OPTIONS_H_
#define LEAFSCORE_ENGINE_RUN_FILE_OPTIONS_H_

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "engine/io/record_reader.h"
#include "engine/json/json_reader.h"
#include "engine/run/record_fields.h"
#include "engine/run/scorer_set.h"
#include "engine/scores/manifest.h"
#include "engine/threads/memory_plan.h"
#include "leafscore/files.h"
#include "leafscore/options.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

// Returns the options after checking them. ERRORS: Error(kUsage).
const FileOptions& CheckedFileOptions(const FileOptions& options);

// Checks that every scorer compares two answers in a run with answers of a base, and that no scorer does so
// in another run. ERRORS: Error(kUsage).
void CheckVersus(const ScorerSet& scorers, const FileOptions& options);

inline bool IsStopped(const FileOptions& options) { return options.stop != nullptr && options.stop->load(); }

inline ReaderOptions ReaderOptionsOf(const FileOptions& options) {
  return {.batch_bytes = options.batch_bytes,
          .max_line_bytes = options.max_line_bytes,
          .too_long = RejectReason::kLineTooLong,
          .max_ratio = options.max_ratio,
          .max_window_bytes = kMaxZstdWindow,
          .format = options.input_format,
          .stop = options.stop,
          .shard = options.shard,
          .limit = options.limit,
          .open = {}};
}

// As above, within a memory budget.
inline ReaderOptions ReaderOptionsOf(const FileOptions& options, const MemoryPlan& plan) {
  ReaderOptions reader = ReaderOptionsOf(options);
  reader.batch_bytes = plan.batch_bytes;
  reader.ranges = options.limit == 0;
  reader.max_window_bytes = plan.window_bytes;
  reader.unpack_threads = plan.threads;
  if (plan.record_bytes < reader.max_line_bytes) {
    reader.max_line_bytes = plan.record_bytes;
    reader.too_long = RejectReason::kOverMemoryBudget;
  }
  return reader;
}

inline JsonOptions JsonOptionsOf(const EngineOptions& options) {
  return {.strict = options.strict_json, .max_depth = options.max_depth};
}

// Returns the field by which answers are joined with the gold.
inline const std::string& JoinField(const FileOptions& options) {
  return options.join_field.empty() ? options.id_field : options.join_field;
}

// Return the fields in which the gold has its ids and its expected values.
inline const std::string& GoldIdField(const FileOptions& options) {
  return options.gold_id_field.empty() ? JoinField(options) : options.gold_id_field;
}
inline const std::string& GoldExpectedField(const FileOptions& options) {
  return options.gold_expected_field.empty() ? options.expected_field : options.gold_expected_field;
}

// With gold, the name of the group field whose values are the inputs.
inline constexpr char kSourceGroup[] = "source";

// The source of answers that do not say who answered.
inline constexpr char kNoSource[] = "(none)";

// Returns the group fields that are fields of records, each once, with the source field last. With gold,
// `source` is left out if it means the input.
inline std::vector<std::string> RecordGroups(const FileOptions& options) {
  std::vector<std::string> fields;
  for (const std::string& field : options.group_by) {
    const bool is_input = !options.gold.empty() && options.source_field.empty() && field == kSourceGroup;
    if (is_input || field == options.source_field) continue;
    if (std::ranges::find(fields, field) == fields.end()) fields.push_back(field);
  }
  if (!options.source_field.empty()) fields.push_back(options.source_field);
  return fields;
}

// Returns whether the summary groups by input, in addition to the groups of the records.
inline bool InputsAreSources(const FileOptions& options) {
  return !options.gold.empty() && options.source_field.empty();
}

// Returns the names of the fields of a record; the caller adds groups and gold.
inline RecordFields RecordFieldsOf(const FileOptions& options) {
  RecordFields fields;
  fields.id = options.gold.empty() ? options.id_field : JoinField(options);
  fields.expected = options.expected_field;
  fields.actual = options.actual_field;
  fields.calls = options.calls_field;
  fields.join = JoinField(options);
  fields.has_source = !options.source_field.empty();
  return fields;
}

// Returns whether all inputs can be read more than once.
inline bool AreRegularFiles(const std::vector<std::string>& inputs) {
  return std::ranges::all_of(inputs, [](const std::string& input) {
    std::error_code error;
    return std::filesystem::is_regular_file(input, error);
  });
}

// Returns the options for reading the answers of the base (FileOptions::versus) like gold, by id. The answer
// takes the place of the expected value.
inline FileOptions BaseOptions(const FileOptions& options) {
  FileOptions base = options;
  base.gold = options.versus;
  base.gold_text.clear();
  base.gold_id_field = JoinField(options);
  base.gold_expected_field = options.actual_field;
  base.group_by.clear();
  base.source_field.clear();
  base.strict_gold = false;
  return base;
}

// Returns the files that a run reads.
inline std::vector<std::string> InputsOf(const FileOptions& options) {
  std::vector<std::string> inputs = options.inputs;
  inputs.push_back(options.gold);
  inputs.push_back(options.versus);
  return inputs;
}

// Returns the files that a run may write: the output, and its manifest if the output has a name. For a shard,
// this includes the files that the merge will write.
inline std::vector<std::string> OutputsOf(const FileOptions& options) {
  const std::string& output = options.output;
  if (output.empty() || output == "-") return {output};
  std::vector<std::string> outputs = {output, ManifestPath(output)};
  if (options.shard) outputs.push_back(ShardPath(output, *options.shard));
  return outputs;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_FILE_OPTIONS_H_
