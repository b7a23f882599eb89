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
    R"(Severities: an error is gold that cannot be judged rightly, a warning something that scores may hide, a
note worth knowing. Exit status: 0 the gold was judged, whatever was found; 1 with --strict, where there is a
warning or an error; 2 usage, input or output error, out of memory, or no gold record to judge; 3 defect of
leafscore; 129, 130 and 143 interrupted.
A code_judge runs a program of yours, and so is only asked with --ask-judges: then up to thirteen times for each gold
record (the gold itself, eleven easy answers, and one more leaf), and once for each answer.)";

struct LintArguments {
  LintOptions lint;
  ScorerArguments scorers;
  std::vector<std::string> outputs;  // none: standard output
  LintFormat format = LintFormat::kTable;
  const CLI::Option* format_option = nullptr;
  bool strict = false;
};

// Returns the format that was asked for, or else the one of the output's name. ERRORS: Error(kUsage) for a
// name in another suffix.
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

// Writes the report to all outputs. Where none is standard output, its first line is a message.
void TellReport(const LintReport& report, const std::vector<LintOutput>& outputs) {
  bool is_printed = false;
  for (const LintOutput& output : outputs) {
    const std::string text = RenderLint(report, output.format);
    if (output.file == nullptr) {
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
  // Opened early, so that long work does not end with a report that cannot be written.
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (arguments.outputs[i] != "-") outputs[i].file = OutputFile::Open(arguments.outputs[i], files.stop);
  }
  const LintReport report = WithProgress(arguments.lint.files, [&](const FileOptions& shown) {
    LintOptions lint = arguments.lint;
    lint.files = shown;
    return LintGold(plan, lint);
  });
  TellReport(report, outputs);
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
  command->add_flag("--strict", arguments->strict,
                    "Exit 1 if there is any warning or error that is not accepted");
  command
      ->add_option(
          "--accept", lint.accept,
          "A finding that is known, which counts no more (repeatable): its kind, and behind colons the "
          "scorer, easy answer or input that it is narrowed to: easy_answer:superset")
      ->type_name("FINDING")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--group-by", lint.files.group_by,
          "Field of the gold whose values are tests of their own, which need more than one record each "
          "(repeatable)")
      ->allow_extra_args(false);
  arguments->format_option = AddChoice(*command, "--format", kLintFormatChoices, arguments->format,
                                       "Output format [by the output's name, else table]");
  command
      ->add_option("-o,--output", arguments->outputs,
                   "Output file; several with an -o for each: .json, .md or .txt, also with .gz or .zst, "
                   "which compress "
                   "[-, standard output]")
      ->allow_extra_args(false)
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
  AddCallsField(*command, lint.files);
  command->add_option("--gold-id-field", lint.files.gold_id_field, "Id field of the gold [as --id-field]");
  command->add_option("--gold-expected-field", lint.files.gold_expected_field,
                      "Field of the gold with the expected value [as --expected-field]");
  AddThreads(*command, lint.files.threads);
  AddMemory(*command, lint.files.memory_bytes);
  command->footer(kLintFooter);
  command->callback([arguments, &exit_code] { exit_code = RunLint(*arguments); });
}

}  // namespace leafscore::internal
