// leafscore/files.h: scores files of records, as `leafscore score` does.
//
//   leafscore::FileOptions options;
//   options.inputs = {"large.jsonl", "small.jsonl"};
//   options.gold = "gold.jsonl";
//   options.output = "scores.csv.gz";
//   try {
//     const leafscore::RunReport report = leafscore::ScoreFiles(leafscore::Plan({"exact_match"}), options);
//     assert(report.totals.records_read == 48);
//   } catch (const leafscore::RunError& error) {  // the run began but could not finish
//     std::printf("%s; the lines so far are in %s\n", error.what(), error.report().partial_output.c_str());
//   }
#ifndef LEAFSCORE_FILES_H_
#define LEAFSCORE_FILES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "leafscore/export.h"
#include "leafscore/options.h"
#include "leafscore/plan.h"
#include "leafscore/report.h"

namespace leafscore {

// Which answers count if a source answers an id of the gold several times.
enum class Repeats : std::uint8_t {
  kLast,
  kFirst,
  kAll,    // all, as one answer with their mean score and the share that passes
  kError,  // repeated answers end the run
};

// The layout of records in a file.
enum class InputFormat : std::uint8_t {
  // The name decides: .jsonl and .ndjson are lines, .csv and .tsv are tables, and .gz or .zst may follow. For
  // any other name, the text decides. It is an array if it begins with [, unless its first line ends with ]
  // within 256 KiB and other lines follow. Otherwise it has lines.
  kAuto,
  kJsonLines,  // a JSON object on each line
  kJsonArray,  // one array of JSON objects, with only blanks after it
  // Tables of separated values (RFC 4180). The first row names the members of the records. Every cell is a
  // text, and an empty cell is an absent member.
  kCsv,
  kTsv,
};

// A part of a run that is scored separately, perhaps on another machine: part `index` (from 1) of `count`.
struct Shard {
  std::uint32_t index = 1;
  std::uint32_t count = 1;
};

// The options of `leafscore score`, with the same limits and the same defaults, except for `output`.
struct FileOptions : EngineOptions {
  // Files with JSON Lines, a JSON array or a table of records, perhaps .gz or .zst; "-" is standard input.
  std::vector<std::string> inputs;
  // The file for the scores: CSV if its name ends in .csv, otherwise JSON Lines, compressed if .gz or .zst
  // follows. "-" is standard output; empty: only the report. A file gets a manifest beside it,
  // output.manifest.json, by which RankFiles recognises complete scores (docs/formats.md).
  std::string output = {};
  bool csv_raw = false;  // in CSV, do not protect texts that a spreadsheet would take for formulas
  // Writes the manifest as the last line of JSON Lines, for pipes and standard output.
  bool trailer = false;
  InputFormat input_format = InputFormat::kAuto;  // the layout of the inputs and the gold
  // The names of fields are paths: id, meta.task, output[0].text. A member whose name is the whole path has
  // priority, so a key with dots can be given as it is. If a record has the answers of several models, a * in
  // the last step of actual_field stands for their names (answers.*). Then source_field must name the field
  // that gets the name of the model.
  std::string id_field = "id";
  std::string expected_field = "expected";
  std::string actual_field = "actual";
  // The field with the messages, spans or calls of the run that gave the answer, for files that have the
  // answer itself in another field. The scorer tool_calls and asserts of the type trajectory:* read it
  // instead of the actual value. Empty: the records have no such field. A record without the field is
  // unanswered for tool_calls.
  std::string calls_field = {};
  // Fields whose values are the groups of the report. With gold, these are fields of the gold or, if no gold
  // record has the field, of the answers.
  std::vector<std::string> group_by = {};
  // The field that names who answered, for inputs with the answers of several models. An id may then occur
  // once for each value of this field, and the report also groups by it. With gold, each value is a source.
  std::string source_field = {};
  // A file with the expected values. Each input then has the answers of one model. A gold record and an
  // answer belong together if their join fields are equal; that value is the id in the output. Every input is
  // asked every id of the gold. An id without an answer has a line in the output, after the lines of its
  // input. The report groups records by `source`, the input. With source_field, it groups by that field
  // instead, and unanswered ids come last.
  std::string gold = {};
  // The gold itself, for callers that have it in memory. If this is set, `gold` is not read, and only serves
  // as the name of the gold.
  std::string gold_text = {};
  std::string join_field = {};           // empty: id_field
  std::string gold_id_field = {};        // empty: join_field
  std::string gold_expected_field = {};  // empty: expected_field
  // A file with the answers of another model, the base, in the layout of the inputs, with one answer to each
  // id. Every scorer must then compare two answers (llm_judge with the option `versus`). Such a scorer
  // compares each answer with the answer of the base that has the same value of the join field.
  std::string versus = {};
  Repeats repeats = Repeats::kLast;
  bool strict_gold = false;  // a flaw in the gold file ends the run
  // Accepts a path in a scorer's options even if no expected value has that path. Otherwise such a path ends
  // the run, because it is probably mistyped. The report lists such paths as absent_paths.
  bool allow_absent_paths = false;
  // Continues an earlier run with the same options that was killed, was interrupted or failed. The output has
  // the same bytes as after an uninterrupted run. The inputs are read from the start, to check that the
  // part that was scored has not changed, so they must be named files. If the earlier run left no output, the
  // run starts from the beginning.
  bool resume = false;
  // Scores only this part of the records, and writes the file ShardPath(output, shard), an input of
  // MergeShards (shards.h), instead of the output. The report of a shard has only the numbers of records that
  // were read and rejected, since all other figures need all shards. The inputs must be named files.
  std::optional<Shard> shard = {};
  // Called with the report after everything is written and before the output gets its name, but not for a
  // shard. An exception from this function ends the run. Until the function returns, `resume` can continue
  // the run.
  std::function<void(const RunReport&)> before_end = {};
  // For trial runs: scores at most this number of records of each input, and does not read further. 0: all.
  // The report says whether records were left out. Not allowed with a shard, with a * in actual_field, or
  // with gold, whose other ids would count as unanswered.
  std::uint64_t limit = 0;
  std::size_t batch_bytes = 256 << 10;  // how much of the input is read at a time
  std::size_t max_line_bytes = 64 << 20;
  // The memory that the run may take, at least 128 MiB; 0: half of the memory of the machine or the cgroup.
  // If memory is short, batches become fewer and smaller; a record that does not fit even alone is rejected
  // (kOverMemoryBudget). The command measures the memory that scoring takes. In other programs, scoring is
  // not measured; instead, the length of a record is limited to a part of this budget.
  std::uint64_t memory_bytes = 0;
  // The largest ratio of unpacked to compressed bytes of an input, after its first 64 MiB. A larger ratio
  // ends the run.
  std::uint64_t max_ratio = 1000;
  std::size_t max_groups = 4096;
  // Group fields whose groups get an interval of the mean in the report. Gates::by together with Gates::sure
  // needs these intervals. Each group takes a fraction of a millisecond.
  std::vector<std::string> interval_by = {};
  bool profile = false;  // whether to report the processor time of each stage
};

// Scores files as `leafscore score` does. The bytes of the output depend neither on the number of threads nor
// on the size of batches. A program that writes to pipes should ignore SIGPIPE; then a reader that exits
// early causes an error instead of a signal.
// ERRORS: Error for a problem found before the first record is read. RunError, with the report so far, for a
//         problem that ends the run later. Codes: kUsage, kInput, kOutput, kInterrupted, kResources.
LEAFSCORE_EXPORT RunReport ScoreFiles(const Plan& plan, const FileOptions& options);

// Returns the name of the file that is written for a shard of an output, such as OUTPUT.shard-2-of-8.
LEAFSCORE_EXPORT std::string ShardPath(const std::string& output, const Shard& shard);

}  // namespace leafscore

#endif  // LEAFSCORE_FILES_H_
