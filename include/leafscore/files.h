// leafscore/files.h: scores files of records, as `leafscore score` does.
//
//   leafscore::FileOptions options;
//   options.inputs = {"large.jsonl", "small.jsonl"};
//   options.gold = "gold.jsonl";
//   options.output = "scores.csv.gz";
//   try {
//     const leafscore::RunReport report = leafscore::ScoreFiles(leafscore::Plan({"exact_match"}), options);
//     assert(report.totals.records_read == 48);
//   } catch (const leafscore::RunError& error) {  // the run began, and could not end
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

// The rule for several answers of one source to one id of the gold: which of them count.
enum class Repeats : std::uint8_t {
  kLast,
  kFirst,
  kAll,    // all count as one answer, with their mean score and the share that passes
  kError,  // repeated answers end the run
};

// The layout of records in a file.
enum class InputFormat : std::uint8_t {
  // A name that ends in .jsonl or .ndjson, perhaps with .gz or .zst after it, means lines. Another input is
  // an array if it begins with [ and its first line does not end with ], is the only line, or is longer than
  // 256 KiB. Otherwise it is lines.
  kAuto,
  kJsonLines,  // a JSON object on each line
  kJsonArray,  // one array of JSON objects, with only blanks after it
  // Tables of separated values (RFC 4180), as names that end in .csv and .tsv say, perhaps with .gz or .zst
  // after
  // them. The first row names the members of the records; every cell is a text, and an empty one is absent.
  kCsv,
  kTsv,
};

// A part of a run that is scored separately, perhaps on another machine: part `index`, from 1, of `count`.
struct Shard {
  std::uint32_t index = 1;
  std::uint32_t count = 1;
};

// The options of `leafscore score`, with the same limits and, except for `output`, the same defaults.
struct FileOptions : EngineOptions {
  // Files with JSON Lines, a JSON array or a table of records, perhaps .gz or .zst; "-" is standard input.
  std::vector<std::string> inputs;
  // A file for JSON Lines, or for CSV if its name ends in .csv; .gz or .zst at the end compresses. "-" is
  // standard output; empty: only the report. A file gets a manifest beside it, output.manifest.json, by which
  // RankFiles recognises complete scores (docs/formats.md).
  std::string output = {};
  bool csv_raw = false;  // in CSV, leave texts as they are that a spreadsheet would take for formulas
  // Writes the manifest as the last line of JSON Lines, for pipes and standard output.
  bool trailer = false;
  InputFormat input_format = InputFormat::kAuto;  // of the inputs and the gold
  // Fields are given as paths: id, meta.task, output[0].text. If a member has the whole path as its name, the
  // member wins, so a key with dots can be given as it is.
  std::string id_field = "id";
  std::string expected_field = "expected";
  std::string actual_field = "actual";
  // The field with the messages, spans or calls of the run that gave the answer, for files whose answers are
  // in a field of their own. The scorer tool_calls and asserts of the type trajectory:* read it instead of
  // the actual value. Empty: there is none. A record without the field is unanswered for tool_calls.
  std::string calls_field = {};
  // Fields whose values are the groups of the report. With gold they are fields of the gold, or fields of the
  // answers where no gold record has them.
  std::vector<std::string> group_by = {};
  // The field that says who answered, for inputs with the answers of several models. Ids are then unique for
  // each of its values, and the report groups by it, too. With gold, each value is a source.
  std::string source_field = {};
  // A file with the expected values. Each input then holds the answers of one model. A gold record and an
  // answer belong together when their join fields are equal; that value is the id in the output. Every id of
  // the gold is asked of every input, and an id without an answer has a line in the output, after the lines
  // of its input. The report groups records by `source`, the input. With source_field, it groups by that
  // field instead, and unanswered ids come last.
  std::string gold = {};
  // Records to read instead of the file `gold`, which then is only the name of these records. For tests that
  // hold their own gold.
  std::string gold_text = {};
  std::string join_field = {};           // empty: id_field
  std::string gold_id_field = {};        // empty: join_field
  std::string gold_expected_field = {};  // empty: expected_field
  Repeats repeats = Repeats::kLast;
  bool strict_gold = false;  // a flaw in the gold file ends the run
  // Accepts a path in the options of a scorer that leads nowhere in any expected value. Otherwise such a path
  // ends the run, because it is probably mistyped. The report lists them as absent_paths.
  bool allow_absent_paths = false;
  // Continues an earlier run with the same options that was killed, was interrupted or failed. The output has
  // the bytes of an uninterrupted run. The inputs are read from their start, to check that the part which was
  // scored has not changed. If the earlier run left no output, the run starts from the beginning.
  bool resume = false;
  // Scores only this part of the records, and writes the input of MergeShards (shards.h) to the file
  // ShardPath(output, shard) instead of the output. The report of a shard only counts the records that it
  // read; all other figures need all shards. The inputs must be named files.
  std::optional<Shard> shard = {};
  // Called with the report when everything is written and the output is about to get its name. An exception
  // from it ends the run. Until it returns, `resume` can continue the run.
  std::function<void(const RunReport&)> before_end = {};
  std::size_t batch_bytes = 256 << 10;  // the input read at a time
  std::size_t max_line_bytes = 64 << 20;
  // The memory that the run may take, at least 128 MiB; 0: half of the memory of the machine or the cgroup.
  // When memory is short, batches become fewer and smaller, and then a record that does not fit alone is
  // rejected (kOverMemoryBudget). The command counts the memory that scoring takes. In other programs only
  // the length of a record is limited, to a part of this budget.
  std::uint64_t memory_bytes = 0;
  // The largest ratio of unpacked to compressed bytes of an input, after its first 64 MiB. A larger one ends
  // the run.
  std::uint64_t max_ratio = 1000;
  std::size_t max_groups = 4096;
  // Group fields for which the report gives an interval of the mean of each group, as Gates::by with
  // Gates::sure needs. Each group takes a fraction of a millisecond.
  std::vector<std::string> interval_by = {};
  bool profile = false;  // report the processor time of each stage
};

// Scores files as `leafscore score` does. The bytes of the output depend neither on the number of threads nor
// on the size of batches. A program that writes to pipes should ignore SIGPIPE, so that a reader that goes
// away is an error and not a signal.
// ERRORS: Error for a problem found before the first record is read. RunError, with the report so far, for a
//         problem that ends the run later. Codes: kUsage, kInput, kOutput, kInterrupted, kResources.
LEAFSCORE_EXPORT RunReport ScoreFiles(const Plan& plan, const FileOptions& options);

// Returns the name of the file that a shard of an output writes, such as OUTPUT.shard-2-of-8.
LEAFSCORE_EXPORT std::string ShardPath(const std::string& output, const Shard& shard);

}  // namespace leafscore

#endif  // LEAFSCORE_FILES_H_
