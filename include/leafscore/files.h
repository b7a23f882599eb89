// leafscore/files.h: a run over files.
#ifndef LEAFSCORE_FILES_H_
#define LEAFSCORE_FILES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "leafscore/export.h"
#include "leafscore/options.h"
#include "leafscore/plan.h"
#include "leafscore/report.h"

namespace leafscore {

// The values are those of `leafscore score`, and the same limits hold.
struct FileOptions : EngineOptions {
  std::vector<std::string>
      inputs;               // JSON Lines or a JSON array of records, .gz and .zst too; "-" is standard input
  std::string output = {};  // "-" is standard output; empty: no output but the report
  std::string id_field = "id";
  std::string expected_field = "expected";
  std::string actual_field = "actual";
  std::vector<std::string> group_by = {};  // fields of the records
  // A file with the expected values; the inputs then hold answers, each file those of one model. A record and
  // an answer belong together when the join field has one value in both (the id field, when empty). The
  // report has a group `source` for each input. `strict_gold`: what is wrong in the gold file ends the run.
  std::string gold = {};
  std::string join_field = {};
  bool strict_gold = false;
  std::size_t batch_bytes = 256 << 10;  // input read at a time
  std::size_t max_line_bytes = 64 << 20;
  std::size_t max_groups = 4096;
};

// Scores files as `leafscore score` does: the bytes of the output depend neither on threads nor on batch
// sizes. A program that writes to pipes should ignore SIGPIPE, so that a reader that went away is an error
// and not a signal. ERRORS: Error for what is found before the first record is read, RunError, with all that
// is known, for what ends
//         the run later: kUsage, kInput, kOutput, kInterrupted.
LEAFSCORE_EXPORT RunReport ScoreFiles(const Plan& plan, const FileOptions& options);

}  // namespace leafscore

#endif  // LEAFSCORE_FILES_H_
