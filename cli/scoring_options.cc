#include "cli/scoring_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "cli/choice_option.h"
#include "cli/config_file.h"
#include "cli/environment.h"
#include "cli/file_name.h"
#include "cli/limit_option.h"
#include "cli/option_groups.h"
#include "cli/whole_number.h"
#include "engine/base/limits.h"
#include "engine/config/scorer_text.h"
#include "engine/render/cells.h"
#include "engine/run/wide_records.h"
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
  StartGroup(command, kInputGroup);
  AddChoice(command, "--input-format", kInputFormatChoices, run.input_format,
            "jsonl: one record per line; json: one array of records; csv, tsv: a table whose first row names "
            "the fields; auto: by the file's name, else by its text [default: auto]");
  command.add_flag(
      "--strict-json", run.strict_json,
      "Reject what Python's json reads beyond the standard: NaN, Infinity, lone surrogates, numbers out of "
      "range");
  StartGroup(command, kFieldsGroup);
  command
      .add_option("--id-field", run.id_field,
                  "Field with the record's id, a name or a path (a.b[0].c) [default: id]")
      ->type_name("FIELD");
  command
      .add_option("--expected-field", run.expected_field, "Field with the expected value [default: expected]")
      ->type_name("FIELD");
  command
      .add_option(
          "--actual-field", run.actual_field,
          "Field with the actual value; answers.* or answer_* are those of several models, for which * "
          "stands [default: actual]")
      ->type_name("FIELD")
      ->each([&run](const std::string& field) {
        if (run.source_field.empty() && WideFieldOf(field)) run.source_field = kWideSourceField;
      });
  AddChoice(command, "--parse-texts", kParseTextsChoices, run.parse_texts,
            "Whether scorers that compare structure parse JSON in strings; auto: in answers where an object "
            "or array is expected, and in both strings if the expected one holds JSON; prose: also with "
            "other text around it in answers [default: auto]");
  AddLimit(command, kMaxLineBytes, run.max_line_bytes);
  AddLimit(command, kMaxRatio, run.max_ratio);
  AddLimit(command, kMaxDepth, run.max_depth);
  AddLimit(command, kMaxPairCells, run.max_pair_cells);
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
  // Whether there is gold is known when the configuration is read, which may be a test that holds its own.
  scorers.of_gold = {
      AddRepeats(
          command,
          "Which of several answers to one id counts; all: their mean; error: none, the run ends [default: "
          "last]",
          run.repeats),
      command
          .add_option("--join", run.join_field,
                      "Field whose value joins an answer with its gold record [default: the id field]")
          ->type_name("FIELD"),
      command
          .add_option("--gold-id-field", run.gold_id_field, "The same field in the gold [default: as --join]")
          ->type_name("FIELD"),
      command
          .add_option("--gold-expected-field", run.gold_expected_field,
                      "Field of the gold with the expected value [default: as --expected-field]")
          ->type_name("FIELD")};
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
  CheckScorerSpecs(specs, source_name);
  const auto set = std::make_shared<const ScorerSet>(std::move(specs), source_name);
  AddProgramFiles(*set, files);
  return {Plan(set), std::move(files), is_partial};
}

}  // namespace leafscore::internal
