// engine/run/run_files.h: a run over files: reading, scoring, writing, as an ordered pipeline
// (engine/threads/ordered_pipeline.h), so the memory is bounded whatever the size of the input.
#ifndef LEAFSCORE_ENGINE_RUN_RUN_FILES_H_
#define LEAFSCORE_ENGINE_RUN_RUN_FILES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/report/run_summary.h"
#include "engine/run/scorer_set.h"
#include "leafscore/error.h"
#include "leafscore/files.h"
#include "leafscore/judges.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// How a run ended.
struct RunResult {
  RunSummary summary;
  // Set when the run ended early: an input broke (kInput), an output could not be written (kOutput) or it
  // was stopped (kInterrupted). What came before is scored and counted, and written unless the output failed.
  std::optional<Error> error;
  std::string provenance;  // as in RunReport
  // Where the output of a run that ended early lies, when it was kept.
  std::string partial_output;
  std::vector<std::string> leftovers;  // as in RunReport
  bool refused = false;                // to go on with an earlier run, of which nothing was touched
  std::uint64_t resumed_records = 0;
  std::string journal;
  std::vector<StageTime> stages = {};
};

// Scores files. The bytes of the output do not depend on threads or batch sizes.
// REQUIRES: `offload`, if given, is used in place of the device that the options name.
// ERRORS:   throws Error for what is found before the first record is read; later ones are in the result.
RunResult RunFiles(const ScorerSet& scorers, const FileOptions& options, PairOffload* offload = nullptr);

class ShardMerge;

// Gives what the run would that the shards of `merge` are of; the options are those of the run, with an
// output. It may take so much memory, or for 0 as much as the run. ERRORS: as RunFiles.
RunResult RunMerge(const ScorerSet& scorers, const FileOptions& options, ShardMerge& merge,
                   std::uint64_t memory_bytes);

// Returns what is known of a run that has ended.
RunReport ReportOf(const RunResult& run);

// Returns the report of a run. ERRORS: RunError when it ended early, Error when it was refused.
RunReport ReportOrThrow(const RunResult& run);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RUN_FILES_H_
