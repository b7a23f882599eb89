// leafscore/files.h: scores files.
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

// Which of several answers of a source to one id of the gold count.
enum class Repeats : std::uint8_t {
  kLast,
  kFirst,
  kAll,    // figures take them as one, with their mean score and the share of them that passes
  kError,  // none: they end the run
};

// How records lie in a file.
enum class InputFormat : std::uint8_t {
  // Names that end in .jsonl or .ndjson (before .gz or .zst) are lines. Any other input is an array when it
  // begins with [ and its first line does not end with ], is followed by nothing, or is longer than 256 KiB;
  // else it is lines.
  kAuto,
  kJsonLines,  // a JSON object on each line
  kJsonArray,  // one array of JSON objects, and nothing after it
};

// One of the parts of a run that are scored each by itself, perhaps on several machines: the `index`-th of
// `count`, from 1.
struct Shard {
  std::uint32_t index = 1;
  std::uint32_t count = 1;
};

// The options of `leafscore score`, with the same limits and, but for `output`, the same defaults.
struct FileOptions : EngineOptions {
  // JSON Lines or a JSON array of records, .gz and .zst too; "-" is standard input.
  std::vector<std::string> inputs;
  // JSON Lines, or CSV when the name ends in .csv, with .gz or .zst behind it to compress; "-" is standard
  // output; empty: no output but the report. Beside a file stands its manifest, output.manifest.json, by
  // which RankFiles knows whole scores (docs/formats.md).
  std::string output = {};
  bool csv_raw = false;  // in CSV, texts that a spreadsheet would take for formulas stay as they are
  // Ends JSON Lines with the manifest as a line of its own, for pipes and standard output.
  bool trailer = false;
  InputFormat input_format = InputFormat::kAuto;  // of the inputs and of the gold
  // Fields are named by paths: id, meta.task, output[0].text. A member of a record whose name is the whole
  // text comes first, so that a key which holds dots can be named as it is.
  std::string id_field = "id";
  std::string expected_field = "expected";
  std::string actual_field = "actual";
  std::vector<std::string> group_by = {};  // with gold, of the gold record, or of answers where none has it
  // The field of a record that says who answered, where an input has the answers of several models: ids are
  // unique by its value, which is a group of the report, too. With gold, each of its values is a source.
  std::string source_field = {};
  // A file with the expected values; the inputs then hold answers, each file those of one model. A gold
  // record and an answer belong together when the join field has the same value in both, which is then the id
  // in the output. Every id of the gold is asked of every input: one that an input leaves unanswered has a
  // line in the output, too, after those of the input. The report groups records by `source`, the input; with
  // source_field, by that field instead, and unanswered ids come last.
  std::string gold = {};
  // Records that are read in place of those of the file `gold`, which then only names them: of a test that
  // holds its own.
  std::string gold_text = {};
  std::string join_field = {};           // empty: id_field
  std::string gold_id_field = {};        // empty: join_field
  std::string gold_expected_field = {};  // empty: expected_field
  Repeats repeats = Repeats::kLast;
  bool strict_gold = false;  // a flaw of the gold file ends the run
  // Goes on where a path in the options of a scorer leads nowhere in any expected value, which else ends the
  // run as a mistyped one; the report has it in absent_paths.
  bool allow_absent_paths = false;
  // Goes on with what an earlier run of the same options left of the output when it was killed, interrupted
  // or met an error, and gives the bytes that a run without a break gives. It reads the inputs from their
  // start, to see that what was scored of them has not changed. Where nothing was left, it begins anew.
  bool resume = false;
  // Scores this part of the records only, and writes what MergeShards (shards.h) needs of it to the file
  // ShardPath(output, shard) in place of the output. The report of a shard counts the records that it read
  // and tells nothing else: what was asked, and so every figure, is known when all are merged. The inputs
  // must be files with names.
  std::optional<Shard> shard = {};
  // Called with the report when everything is scored and written but the output has not got its name: what it
  // throws ends the run, and as long as it has not returned, the run can be gone on with.
  std::function<void(const RunReport&)> before_end = {};
  std::size_t batch_bytes = 256 << 10;  // input read at a time
  std::size_t max_line_bytes = 64 << 20;
  // The memory that the run may take, from 128 MiB; 0: half of what the machine or the cgroup has. When it is
  // short, batches become fewer and smaller; then a record that does not fit alone is rejected
  // (kOverMemoryBudget). What scoring takes is counted in the command; in another program only records are
  // held to a part of it by their length.
  std::uint64_t memory_bytes = 0;
  // A compressed input that unpacks to more than so many times its size, beyond its first 64 MiB, ends the
  // run.
  std::uint64_t max_ratio = 1000;
  std::size_t max_groups = 4096;
  // Group fields of whose groups the report has intervals of the mean, as Gates::by with Gates::sure needs
  // them. Each takes a fraction of a millisecond.
  std::vector<std::string> interval_by = {};
  bool profile = false;  // the report has the processor time of each stage
};

// Scores files as `leafscore score` does: the bytes of the output depend neither on threads nor on batch
// sizes. A program that writes to pipes should ignore SIGPIPE, so that a reader that went away is an error
// and not a signal.
// ERRORS: Error for what is found before the first record is read; RunError, with all that is known, for what
//         ends the run later. Codes: kUsage, kInput, kOutput, kInterrupted, kResources.
LEAFSCORE_EXPORT RunReport ScoreFiles(const Plan& plan, const FileOptions& options);

// Returns the file that a shard of an output writes: OUTPUT.shard-2-of-8.
LEAFSCORE_EXPORT std::string ShardPath(const std::string& output, const Shard& shard);

}  // namespace leafscore

#endif  // LEAFSCORE_FILES_H_
