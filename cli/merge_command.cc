#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/file_name.h"
#include "cli/interrupt.h"
#include "cli/memory_option.h"
#include "cli/run_result.h"
#include "engine/run/file_options.h"
#include "engine/run/shard_merge.h"
#include "leafscore/files.h"
#include "leafscore/plan.h"
#include "leafscore/report.h"
#include "leafscore/shards.h"

namespace leafscore::internal {
namespace {

struct MergeArguments {
  MergeOptions merge;
  ResultArguments result;
};

int MergeAndTell(const MergeArguments& arguments) {
  MergeOptions merge = arguments.merge;
  merge.strict_gold = arguments.result.strict;
  merge.stop = &CatchInterrupts();
  merge.interval_by = arguments.result.gates.by;
  // What the shards are of, for the checks that come before anything is written.
  const ShardMerge shards(merge.shards);
  FileOptions options = shards.options();
  options.output = merge.output;
  options.stop = merge.stop;
  options.allow_absent_paths = options.allow_absent_paths || merge.allow_absent_paths;
  std::vector<std::string> inputs = InputsOf(options);
  inputs.insert(inputs.end(), merge.shards.begin(), merge.shards.end());
  CheckResultArguments(arguments.result, OutputsOf(options), inputs);
  const Plan plan = Plan::FromConfig(shards.config(), "the configuration of the shards");
  CheckGates(arguments.result.gates, plan.scorer_names(), GroupFieldsOf(options));
  return TellRun(arguments.result, options, [&](const BeforeEnd& before_end) {
    merge.before_end = before_end;
    return MergeShards(merge);
  });
}

}  // namespace

void AddMergeCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("merge", "Put together what `score --shard` has scored, as one run would have");
  const auto arguments = std::make_shared<MergeArguments>();
  MergeOptions& merge = arguments->merge;
  merge.output = "-";
  command->add_option("shards", merge.shards, "The files of all shards of a run, in any order")->required();
  command
      ->add_option(
          "-o,--output", merge.output,
          "Output file, as in `score`; of the kind that the shards were given, compressed or not [-]")
      ->check(CheckFileName);
  command->add_flag("--allow-absent-paths", merge.allow_absent_paths, "As in `score`");
  AddMemory(*command, merge.memory_bytes);
  AddResultOptions(*command, arguments->result);
  command->callback([arguments, &exit_code] { exit_code = MergeAndTell(*arguments); });
}

}  // namespace leafscore::internal
