// engine/run/run_files.h: a run over files: reading, scoring and writing as an ordered pipeline
// (engine/threads/ordered_pipeline.h), so that the memory is bounded for inputs of any size.
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
  // Set if the run ended early: an input could not be read (kInput), an output could not be written
  // (kOutput), or the run was stopped (kInterrupted). Earlier records are scored and counted. They are
  // written, too, unless the output failed.
  std::optional<Error> error;
  std::string provenance;  // as in RunReport
  // The path of the output of a run that ended early, if it was kept.
  std::string partial_output;
  std::vector<std::string> leftovers;  // as in RunReport
  bool refused = false;                // the earlier run cannot be resumed; its files are unchanged
  std::uint64_t resumed_records = 0;
  std::string journal;
  std::vector<StageTime> stages = {};
};

// Scores files. The bytes of the output do not depend on threads or batch sizes. `offload`, if given, is used
// instead of the device that the options name.
// ERRORS: throws Error for problems found before the first record is read; later ones are in the result.
RunResult RunFiles(const ScorerSet& scorers, const FileOptions& options, PairOffload* offload = nullptr);

class ShardMerge;

// Writes the output of the run to which the shards of `merge` belong. `options` are the options of that run,
// with an output. The merge may use `memory_bytes` bytes of memory; 0 means as many as that run. ERRORS: as
// RunFiles.
RunResult RunMerge(const ScorerSet& scorers, const FileOptions& options, ShardMerge& merge,
                   std::uint64_t memory_bytes);

// Returns the report of a run that has ended.
RunReport ReportOf(const RunResult& run);

// Returns the report of a run. ERRORS: RunError if it ended early, Error if it was refused.
RunReport ReportOrThrow(const RunResult& run);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RUN_FILES_H_
