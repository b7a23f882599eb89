#include "cli/scoring_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "cli/choice_option.h"
#include "cli/config_file.h"
#include "cli/environment.h"
#include "cli/file_name.h"
#include "cli/option_groups.h"
#include "cli/run_option.h"
#include "cli/whole_number.h"
#include "engine/config/scorer_text.h"
#include "engine/render/cells.h"
#include "engine/run/wide_records.h"
#include "engine/scorers/registry.h"
#include "engine/threads/thread_count.h"

namespace leafscore::internal {

void AddScorerOptions(CLI::App& command, FileOptions& run, ScorerArguments& scorers) {
  command
      .add_option(
          "inputs", run.inputs,
          "Files of records: JSON Lines, JSON arrays or tables (.csv, .tsv), also compressed (.gz, .zst); "
          "- is standard input")
      ->required()
      ->type_name("FILE");
  AddScorers(command, scorers);
}

void AddScorers(CLI::App& command, ScorerArguments& scorers) {
  StartGroup(command, kScorersGroup);
  command
      .add_option(
          "--scorer,-s", scorers.scorers,
          "Scorer to use, with options as in a configuration: "
          "json_similarity:number_tolerance=0.01,array_match=any_order; `leafscore scorers` lists all")
      ->type_name("SCORER[:OPTION=VALUE,...]")
      ->allow_extra_args(false);
  command.add_option("--config,-c", scorers.config, "YAML or JSON file that lists scorers and their options")
      ->type_name("FILE")
      ->check(CheckFileName);
}

void AddRecordOptions(CLI::App& command, FileOptions& run) {
  AddRunOptions(command, Commands::kReaders, run);
  OptionOf(command, "--actual-field")->each([&run](const std::string& field) {
    if (run.source_field.empty() && WideFieldOf(field)) run.source_field = kWideSourceField;
  });
}

void AddCallsField(CLI::App& command, FileOptions& run) {
  command
      .add_option("--calls-field", run.calls_field,
                  "Field with the messages, spans or calls of the run, for tool_calls and trajectory asserts "
                  "[default: the actual value]")
      ->type_name("FIELD")
      ->group(kFieldsGroup);
}

void AddGoldOptions(CLI::App& command, FileOptions& run, ScorerArguments& scorers) {
  StartGroup(command, kGoldGroup);
  command
      .add_option("--gold", run.gold,
                  "File with the expected values; the inputs then hold the answers, one file per model")
      ->type_name("FILE")
      ->check(CheckFileName);
  // Gold can come from the configuration, too, so it is known only later whether there is gold.
  scorers.of_gold = AddRunOptions(command, Commands::kJoins, run);
}

CLI::Option* AddRepeats(CLI::App& command, const std::string& help, Repeats& repeats) {
  return AddChoice(command, "--repeats", kRepeatsChoices, repeats, help);
}

void AddDetails(CLI::App& command, const std::string& help, DetailLevel& details) {
  AddChoice(command, "--details", kDetailChoices, details, help)->group(kOutputGroup);
}

void AddThreads(CLI::App& command, unsigned& threads) {
  command
      .add_option(
          "--threads", threads,
          fmt::format("Number of threads, 1 to {} [default: LEAFSCORE_THREADS, else the processors that "
                      "this process may use]",
                      WithThousands(kMaxThreads)))
      ->type_name("N")
      ->check(CheckWholeNumber)
      ->check(CLI::Range(1u, kMaxThreads).description(""))
      ->group(kMachineGroup);
  command.parse_complete_callback([&threads] {
    if (threads == 0) threads = ThreadsOfEnvironment();
  });
}

// Makes the judges among these scorers compare each answer with the answer of a base, as --versus asks.
void CompareAnswers(std::vector<ScorerSpec>& specs) {
  for (ScorerSpec& spec : specs) {
    if (spec.type != kLlmJudgeScorer.name || spec.options.Find("versus") != nullptr) continue;
    ConfigMember& versus = spec.options.members.emplace_back();
    versus.key = "versus";
    versus.value.kind = ConfigValue::Kind::kScalar;
    versus.value.scalar = "true";
    versus.line = versus.value.line = spec.line;
  }
}

MadePlan MakePlan(const ScorerArguments& arguments, FileOptions& run) {
  if (arguments.config.empty() && arguments.scorers.empty()) {
    throw Error(ErrorCode::kUsage,
                "no scorer was named; give --scorer NAME or --config FILE (leafscore scorers lists them)");
  }
  std::vector<std::string> files;
  bool is_partial = false;
  std::vector<ScorerSpec> specs;
  std::string source_name = "--scorer";
  if (!arguments.config.empty()) {
    source_name = arguments.config;
    const ImportedConfig config = LoadScorerConfig(arguments.config);
    specs = ReadScorerSpecs(config.config, source_name);
    files = config.files;
    files.push_back(arguments.config);
    is_partial = config.lacks_any();
    if (run.gold.empty() && !config.gold.empty()) {
      run.gold = arguments.config;
      run.gold_text = fmt::format("{}\n", fmt::join(config.gold, "\n"));
    }
  }
  for (const CLI::Option* const option : arguments.of_gold) {
    if (run.gold.empty() && option->count() != 0) {
      throw Error(ErrorCode::kUsage,
                  option->get_name() + " requires --gold, or a --config that holds gold of its own");
    }
  }
  for (const std::string& scorer : arguments.scorers) specs.push_back(ReadScorerText(scorer));
  if (!run.versus.empty()) CompareAnswers(specs);
  CheckScorerSpecs(specs, source_name);
  const auto set = std::make_shared<const ScorerSet>(std::move(specs), source_name);
  AddProgramFiles(*set, files);
  return {Plan(set), std::move(files), is_partial};
}

}  // namespace leafscore::internal
