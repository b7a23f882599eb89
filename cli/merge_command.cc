#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/file_name.h"
#include "cli/interrupt.h"
#include "cli/memory_option.h"
#include "cli/option_groups.h"
#include "cli/run_result.h"
#include "engine/run/file_options.h"
#include "engine/run/shard_merge.h"
#include "leafscore/files.h"
#include "leafscore/plan.h"
#include "leafscore/report.h"
#include "leafscore/shards.h"

namespace leafscore::internal {
namespace {

constexpr char kMergeExamples[] = R"(Examples:
  leafscore merge scores.jsonl.shard-*-of-8 -o scores.jsonl
  leafscore merge scores.jsonl.shard-*-of-8 -o scores.jsonl --summary summary.json --quiet
  leafscore merge scores.jsonl.shard-*-of-8 --fail-under 0.9 --max-errors 0 > scores.jsonl)";

struct MergeArguments {
  MergeOptions merge;
  ResultArguments result;
};

int MergeAndTell(const MergeArguments& arguments) {
  MergeOptions merge = arguments.merge;
  merge.strict_gold = arguments.result.strict;
  merge.stop = &CatchInterrupts();
  merge.interval_by = arguments.result.gates.by;
  // Checks the shards before anything is written.
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
  return RunAndPrint(arguments.result, options, [&](const BeforeEnd& before_end) {
    merge.before_end = before_end;
    return MergeShards(merge);
  });
}

}  // namespace

void AddMergeCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("merge", "Join the shards that `score --shard` wrote into the output of one run");
  const auto arguments = std::make_shared<MergeArguments>();
  MergeOptions& merge = arguments->merge;
  merge.output = "-";
  command->add_option("shards", merge.shards, "The files of all shards of a run, in any order")
      ->required()
      ->type_name("FILE");
  StartGroup(*command, kOutputGroup);
  command
      ->add_option(
          "-o,--output", merge.output,
          "Output file, of the same kind as the shards, compressed or not [default: standard output, "
          "-]")
      ->type_name("FILE")
      ->check(CheckFileName);
  command
      ->add_flag("--allow-absent-paths", merge.allow_absent_paths,
                 "Accept a path in a scorer's options that no expected value has, as in `score`")
      ->group(kScorersGroup);
  AddMemory(*command, merge.memory_bytes);
  AddResultOptions(*command, arguments->result);
  command->footer(kMergeExamples);
  command->callback([arguments, &exit_code] { exit_code = MergeAndTell(*arguments); });
}

}  // namespace leafscore::internal
