#include "cli/lint_command.h"

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/choice_option.h"
#include "cli/exit_code.h"
#include "cli/file_name.h"
#include "cli/interrupt.h"
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
    R"(Severities: an error is gold that cannot be judged rightly, a warning something that scores may hide, a
note worth knowing. Exit status: 0; with --strict 1 where there is a warning or an error; 2 usage, input or output
error, or no gold record to judge; 3 defect of leafscore; 130 and 143 interrupted.
A code_judge runs a program of yours, and so is only asked with --ask-judges: then up to eleven times for each gold
record (the gold itself, and ten easy answers), and once for each answer.)";

struct LintArguments {
  LintOptions lint;
  ScorerArguments scorers;
  std::string output = "-";
  LintFormat format = LintFormat::kTable;
  const CLI::Option* format_option = nullptr;
  bool strict = false;
};

// Returns the format that was asked for, or else the one of the output's name. ERRORS: Error(kUsage) for a
// name in another suffix.
LintFormat LintFormatOf(const LintArguments& arguments) {
  constexpr std::array<std::string_view, 3> kLintSuffixes = {".json", ".md", ".txt"};
  const std::string suffix = CheckOutputSuffix(arguments.output, kLintSuffixes);
  if (arguments.format_option->count() != 0) return arguments.format;
  if (suffix == ".json") return LintFormat::kJson;
  return suffix == ".md" ? LintFormat::kMarkdown : LintFormat::kTable;
}

// Prints the report, or writes it to a file and prints its first line as a message.
void TellReport(const LintReport& report, LintFormat format, OutputFile* file) {
  const std::string text = RenderLint(report, format);
  if (file == nullptr) {
    Print(text);
    return;
  }
  file->Write(text);
  file->Commit();
  PrintLeftovers(file->leftovers());
  const std::string table = RenderLint(report, LintFormat::kTable);
  PrintMessage(std::string_view(table).substr(0, table.find('\n')));
}

int RunLint(LintArguments& arguments) {
  const Plan plan = MakePlan(arguments.scorers);
  FileOptions& files = arguments.lint.files;
  std::vector<std::string> inputs = InputsOf(files);
  inputs.push_back(arguments.scorers.config);
  CheckReplacesNone(std::vector{arguments.output}, inputs);
  const LintFormat format = LintFormatOf(arguments);
  files.stop = &CatchInterrupts();
  // Opened early, so that long work does not end with a report that cannot be written.
  std::unique_ptr<OutputFile> file;
  if (arguments.output != "-") file = OutputFile::Open(arguments.output, files.stop);
  const LintReport report = LintGold(plan, arguments.lint);
  TellReport(report, format, file.get());
  const bool is_clean = report.Count(LintSeverity::kError) == 0 && report.Count(LintSeverity::kWarning) == 0;
  return arguments.strict && !is_clean ? kExitGateFailed : kExitFine;
}

}  // namespace

void AddLintCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("lint", "Judge a test before anyone is judged by it: gold, scorers and thresholds");
  const auto arguments = std::make_shared<LintArguments>();
  LintOptions& lint = arguments->lint;
  command
      ->add_option("gold", lint.files.gold,
                   "File with the expected values, as score --gold takes it; - is standard input")
      ->required()
      ->check(CheckFileName);
  command
      ->add_option("answers", lint.files.inputs,
                   "Files of answers, each those of one model; .gz and .zst too")
      ->check(CheckFileName);
  AddScorers(*command, arguments->scorers);
  command->add_flag("--strict", arguments->strict, "Exit 1 if there is any warning or error");
  arguments->format_option = AddChoice(*command, "--format", kLintFormatChoices, arguments->format,
                                       "Output format [by the output's name, else table]");
  command
      ->add_option(
          "-o,--output", arguments->output,
          "Output file: .json, .md or .txt, also with .gz or .zst, which compress [-, standard output]")
      ->check(CheckFileName);
  command->add_option("--question-field", lint.question_field,
                      "Field of the gold with the question [the first there of question, input, prompt]");
  command
      ->add_option("--pass-score", lint.pass_score,
                   "Score from which a record passes under a scorer that has no threshold [0.5]")
      ->check(CLI::Range(0.0, 1.0));
  command->add_flag("--ask-judges", lint.ask_judges,
                    "Also put the answers to code_judge scorers (see below)");
  AddRecordOptions(*command, lint.files);
  command->add_option("--gold-id-field", lint.files.gold_id_field, "Id field of the gold [as --id-field]");
  command->add_option("--gold-expected-field", lint.files.gold_expected_field,
                      "Field of the gold with the expected value [as --expected-field]");
  AddThreads(*command, lint.files.threads);
  command->footer(kLintFooter);
  command->callback([arguments, &exit_code] { exit_code = RunLint(*arguments); });
}

}  // namespace leafscore::internal
