#include <CLI/CLI.hpp>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/choice_option.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/file_name.h"
#include "cli/interrupt.h"
#include "cli/memory_option.h"
#include "cli/option_groups.h"
#include "cli/progress.h"
#include "cli/scoring_options.h"
#include "cli/terminal.h"
#include "engine/io/output_file.h"
#include "engine/io/replaced_files.h"
#include "engine/run/file_options.h"
#include "leafscore/lint.h"

namespace leafscore::internal {
namespace {

constexpr NamedChoice<LintFormat> kLintFormatChoices[] = {
    {"table", LintFormat::kTable}, {"json", LintFormat::kJson}, {"md", LintFormat::kMarkdown}};

constexpr char kLintFooter[] =
    R"(An error is gold that no scorer can judge correctly, a warning is a flaw that scores may hide, and a
note is worth knowing. Without --strict, findings do not change the exit status.

A code_judge runs a program of yours, so it is asked only with --ask-judges: up to thirteen times
for each gold record (the gold itself, eleven easy answers, and one more leaf), and once for each
answer.

Examples:
  leafscore lint gold.jsonl -s json_similarity
  leafscore lint gold.jsonl model-a.jsonl model-b.jsonl -c scorers.yaml -o lint.md
  leafscore lint gold.jsonl answers.jsonl -c scorers.yaml --strict --accept easy_answer:superset)";

struct LintArguments {
  LintOptions lint;
  ScorerArguments scorers;
  std::vector<std::string> outputs;  // none: standard output
  LintFormat format = LintFormat::kTable;
  const CLI::Option* format_option = nullptr;
  bool strict = false;
};

// Returns the requested format or, without one, the format that the suffix of the output names. ERRORS:
// Error(kUsage) for any other suffix.
LintFormat LintFormatOf(const LintArguments& arguments, const std::string& output) {
  constexpr std::array<std::string_view, 3> kLintSuffixes = {".json", ".md", ".txt"};
  const std::string suffix = CheckOutputSuffix(output, kLintSuffixes);
  if (arguments.format_option->count() != 0) return arguments.format;
  if (suffix == ".json") return LintFormat::kJson;
  return suffix == ".md" ? LintFormat::kMarkdown : LintFormat::kTable;
}

struct LintOutput {
  LintFormat format;
  std::unique_ptr<OutputFile> file;  // none: standard output
};

// Writes the report to all outputs. If no output is standard output, prints the report's first line as a
// message.
void PrintReport(const LintReport& report, const std::vector<LintOutput>& outputs) {
  bool is_printed = false;
  for (const LintOutput& output : outputs) {
    const bool is_shown = output.file == nullptr;
    const std::string text = RenderLint(report, output.format, is_shown ? TableColumns(STDOUT_FILENO) : 0);
    if (is_shown) {
      Print(text);
      is_printed = true;
      continue;
    }
    output.file->Write(text);
    output.file->Commit();
    PrintLeftovers(output.file->leftovers());
  }
  if (is_printed) return;
  const std::string table = RenderLint(report, LintFormat::kTable);
  PrintMessage(std::string_view(table).substr(0, table.find('\n')));
}

int RunLint(LintArguments& arguments) {
  FileOptions& files = arguments.lint.files;
  std::vector<std::string> inputs = InputsOf(files);
  const MadePlan made = MakePlan(arguments.scorers, files);
  const Plan& plan = made.plan;
  inputs.insert(inputs.end(), made.files.begin(), made.files.end());
  if (arguments.outputs.empty()) arguments.outputs = {"-"};
  CheckReplacesNone(arguments.outputs, inputs);
  std::vector<LintOutput> outputs;
  for (const std::string& output : arguments.outputs)
    outputs.push_back({LintFormatOf(arguments, output), nullptr});
  files.stop = &CatchInterrupts();
  // Open the outputs early, so that long work does not end with a report that cannot be written.
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (arguments.outputs[i] != "-") outputs[i].file = OutputFile::Open(arguments.outputs[i], files.stop);
  }
  const LintReport report = WithProgress(arguments.lint.files, [&](const FileOptions& shown) {
    LintOptions lint = arguments.lint;
    lint.files = shown;
    return LintGold(plan, lint);
  });
  PrintReport(report, outputs);
  const bool is_clean = report.Count(LintSeverity::kError) == 0 && report.Count(LintSeverity::kWarning) == 0;
  return arguments.strict && !is_clean ? kExitGateFailed : kExitFine;
}

}  // namespace

void AddLintCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("lint", "Check a test before you rely on it: its gold, scorers and thresholds");
  const auto arguments = std::make_shared<LintArguments>();
  LintOptions& lint = arguments->lint;
  command
      ->add_option("gold", lint.files.gold,
                   "File with the expected values, as `score --gold` reads it; - is standard input")
      ->type_name("FILE")
      ->required()
      ->check(CheckFileName);
  command->add_option("answers", lint.files.inputs, "Files of answers, also compressed; one per model")
      ->type_name("FILE")
      ->check(CheckFileName);
  AddScorers(*command, arguments->scorers);
  StartGroup(*command, kGatesGroup);
  command->add_flag("--strict", arguments->strict,
                    "Fail (exit 1) if there is any warning or error that is not accepted");
  command
      ->add_option(
          "--accept", lint.accept,
          "Ignore a known finding: its kind, and after colons the scorer, easy answer or input that it is "
          "limited to, as in easy_answer:superset")
      ->type_name("FINDING")
      ->allow_extra_args(false);
  StartGroup(*command, kOutputGroup);
  arguments->format_option = AddChoice(*command, "--format", kLintFormatChoices, arguments->format,
                                       "Output format [default: by the output's suffix, else table]");
  command
      ->add_option("-o,--output", arguments->outputs,
                   "Output file: .json, .md or .txt, compressed with .gz or .zst after it [default: standard "
                   "output, -]")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->check(CheckFileName);
  StartGroup(*command, kScorersGroup);
  command
      ->add_option("--pass-score", lint.pass_score,
                   "Score, 0 to 1, from which a record passes if its scorer has no threshold [default: 0.5]")
      ->type_name("SCORE")
      ->check(CLI::Range(0.0, 1.0).description(""));
  command->add_flag("--ask-judges", lint.ask_judges,
                    "Also ask the programs of code_judge scorers (see below)");
  AddRecordOptions(*command, lint.files);
  AddCallsField(*command, lint.files);
  StartGroup(*command, kGoldGroup);
  command
      ->add_option("--group-by", lint.files.group_by,
                   "Field of the gold whose values are separate tests, which need more than one record each")
      ->type_name("FIELD")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--schema", lint.schema,
          "File with a JSON Schema (JSON or YAML) that the expected values should follow, in addition "
          "to the schemas in the options of scorers")
      ->type_name("FILE")
      ->check(CheckFileName);
  command
      ->add_option("--question-field", lint.question_field,
                   "Field of the gold with the question [default: the first of question, input, prompt]")
      ->type_name("FIELD");
  command
      ->add_option("--gold-id-field", lint.files.gold_id_field,
                   "Id field of the gold [default: as --id-field]")
      ->type_name("FIELD");
  command
      ->add_option("--gold-expected-field", lint.files.gold_expected_field,
                   "Field of the gold with the expected value [default: as --expected-field]")
      ->type_name("FIELD");
  AddThreads(*command, lint.files.threads);
  AddMemory(*command, lint.files.memory_bytes);
  command->footer(kLintFooter);
  command->callback([arguments, &exit_code] { exit_code = RunLint(*arguments); });
}

}  // namespace leafscore::internal
