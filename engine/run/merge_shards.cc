#include <fmt/format.h>

#include <utility>

#include "engine/base/resource_error.h"
#include "engine/io/replaced_files.h"
#include "engine/run/file_options.h"
#include "engine/run/result_writer.h"
#include "engine/run/run_files.h"
#include "engine/run/shard_merge.h"
#include "leafscore/error.h"
#include "leafscore/files.h"
#include "leafscore/plan.h"
#include "leafscore/report.h"
#include "leafscore/shards.h"

namespace leafscore {
namespace {

using internal::OutputFormatOf;

const char* NameOf(internal::OutputFormat format) {
  return format == internal::OutputFormat::kCsv ? "CSV" : "JSON Lines";
}

// Returns the options of the run that writes the whole output.
FileOptions OptionsOf(const internal::ShardMerge& merge, const MergeOptions& options) {
  FileOptions run = merge.options();
  const internal::OutputFormat format = OutputFormatOf(run.output);
  if (!options.output.empty() && OutputFormatOf(options.output) != format) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the shards contain {}, but {} would be {}: name another output", NameOf(format),
                            options.output, NameOf(OutputFormatOf(options.output))));
  }
  run.output = options.output;
  run.strict_gold = options.strict_gold;
  run.allow_absent_paths = run.allow_absent_paths || options.allow_absent_paths;
  run.interval_by = options.interval_by;
  run.before_end = options.before_end;
  run.stop = options.stop;
  run.threads = 1;
  run.device = "cpu";
  return run;
}

}  // namespace

RunReport MergeShards(const MergeOptions& options) {
  return internal::WithResourceErrors("give a lower --memory, or merge where there is more", [&] {
    internal::ShardMerge merge(options.shards);
    const FileOptions run = OptionsOf(merge, options);
    internal::CheckReplacesNone(internal::OutputsOf(run), options.shards);
    const Plan plan = Plan::FromConfig(merge.config(), "the configuration of the shards");
    return internal::ReportOrThrow(internal::RunMerge(plan.scorers(), run, merge, options.memory_bytes));
  });
}

}  // namespace leafscore
