#include "cli/comparison_result.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/environment.h"
#include "cli/exit_code.h"
#include "cli/looks_file.h"
#include "cli/terminal.h"
#include "engine/base/file_descriptor.h"
#include "engine/base/suggest.h"
#include "engine/compare/comparison_cells.h"
#include "engine/compare/comparison_document.h"
#include "engine/compare/comparison_formats.h"
#include "engine/io/replaced_files.h"
#include "engine/io/write_file.h"
#include "engine/scores/manifest.h"
#include "leafscore/compare.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Reports a comparison to GitHub Actions (`--github`).

constexpr char kSummaryVariable[] = "GITHUB_STEP_SUMMARY";
constexpr std::size_t kMaxAnnotations = 10;  // of each kind

// Appends the data of a workflow command, escaped. For example, GitHub reads %0A as a line end.
void AppendCommandData(std::string_view data, std::string& text) {
  for (const char c : data) {
    if (c == '%') {
      text += "%25";
    } else if (c == '\r') {
      text += "%0D";
    } else if (c == '\n') {
      text += "%0A";
    } else {
      text += c;
    }
  }
}

void AppendAnnotations(std::string_view kind, const std::vector<std::string>& messages, std::string& text) {
  for (std::size_t i = 0; i < std::min(messages.size(), kMaxAnnotations); ++i) {
    const bool is_rest = i + 1 == kMaxAnnotations && messages.size() > kMaxAnnotations;
    text += fmt::format("::{} title=leafscore compare::", kind);
    AppendCommandData(is_rest ? fmt::format("and {} more", messages.size() - i) : messages[i], text);
    text += '\n';
  }
}

bool FailedAGate(const ComparedRow& row, const std::string& file, std::span<const GateResult> gates) {
  return std::ranges::any_of(gates, [&](const GateResult& gate) {
    return !gate.passed && gate.file == file && gate.scorer == row.scorer && gate.group == row.group &&
           gate.field == row.field;
  });
}

// Returns the path of the file with the step's summary.
// ERRORS: Error(kUsage) if GITHUB_STEP_SUMMARY names no file.
std::string StepSummaryPath() {
  std::string path(EnvironmentVariable(kSummaryVariable));
  if (!path.empty()) return path;
  throw Error(
      ErrorCode::kUsage,
      fmt::format("--github appends to the file that {} names, which is not set; GitHub Actions sets it",
                  kSummaryVariable));
}

// Returns workflow commands, one a line: errors for failed gates; warnings for the doubts of the comparison,
// and for rows that regressed without failing a gate; and a notice with the verdict. There are at most 10 of
// each kind, because GitHub shows no more for a step.
std::string GitHubAnnotations(const Comparison& comparison, std::span<const GateResult> gates) {
  std::vector<std::string> errors;
  for (const GateResult& gate : gates) {
    if (!gate.passed)
      errors.push_back(GateName(gate, comparison.files.size() > 1) + ": " + Visible(gate.sentence));
  }
  std::vector<std::string> warnings;
  for (const FileComparison& file : comparison.files) {
    const auto add = [&](const ComparedRow& row) {
      if (row.verdict != ComparisonVerdict::kRegressed || FailedAGate(row, file.file, gates)) return;
      std::string what = ShownName(row.scorer);
      if (row.group) what += ", group " + ShownName(*row.group);
      if (comparison.files.size() > 1) what += ", " + ShownName(file.file);
      warnings.push_back(fmt::format("{} regressed: {}", what, Signed(row.mean.difference)));
    };
    for (const ScorerComparison& scorer : file.scorers) {
      add(scorer.all);
      std::ranges::for_each(scorer.groups, add);
    }
  }
  for (const std::string& warning : comparison.warnings) warnings.push_back(Visible(warning));
  std::string text;
  AppendAnnotations("error", errors, text);
  AppendAnnotations("warning", warnings, text);
  AppendAnnotations("notice", {VerdictLine(comparison, gates)}, text);
  return text;
}

// Returns a text for standard output in which no line is a workflow command, even if names in the data look
// like one: a backslash breaks ::error:: and ##[error].
std::string WithoutWorkflowCommands(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end == std::string_view::npos ? end : end + 1);
    text.remove_prefix(line.size());
    const std::size_t begin = line.find_first_not_of(" \t");
    std::string shown(line);
    if (begin != std::string_view::npos && line.substr(begin).starts_with("::")) shown.insert(begin, 1, '\\');
    for (std::size_t at = 0; (at = shown.find("##[", at)) != std::string::npos;)
      shown.insert(at + 2, 1, '\\');
    safe += shown;
  }
  return safe;
}

// Appends a short form of the comparison, as Markdown, to the file of the step's summary, which holds at most
// 1 MiB. ERRORS: Error(kOutput).
void AppendStepSummary(const Comparison& comparison, std::span<const GateResult> gates) {
  const std::string path = StepSummaryPath();
  const FileDescriptor file(open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644));
  struct stat status {};
  if (!file.valid() || fstat(file.get(), &status) != 0) ThrowOutputError("cannot write " + path, errno);
  const auto before = static_cast<std::size_t>(status.st_size);
  const std::size_t room = before < kMaxMarkdownBytes ? kMaxMarkdownBytes - before : 0;
  const std::string text = ComparisonStepSummary(comparison, gates, room > 0 ? room - 1 : 0);
  if (text.empty()) {
    PrintMessage("warning: the summary of the step is full, so it does not have the comparison");
    return;
  }
  const std::string bytes = (before > 0 ? "\n" : "") + text;
  if (WriteAll(file.get(), bytes) < bytes.size()) ThrowOutputError("cannot write " + path, errno);
}

struct FormatSuffix {
  std::string_view suffix;
  ComparisonFormat format;
};
constexpr FormatSuffix kFormatSuffixes[] = {
    {".txt", ComparisonFormat::kTable}, {".md", ComparisonFormat::kMarkdown},
    {".json", ComparisonFormat::kJson}, {".csv", ComparisonFormat::kCsv},
    {".xml", ComparisonFormat::kJunit}, {".tex", ComparisonFormat::kLatex}};

ComparisonFormat FormatOf(const std::string& output) {
  if (output == "-") {
    throw Error(ErrorCode::kUsage,
                "the comparison goes to standard output in any case, in the format of --format; name a file");
  }
  std::array<std::string_view, std::size(kFormatSuffixes)> known;
  std::ranges::transform(kFormatSuffixes, known.begin(), &FormatSuffix::suffix);
  const std::string suffix = CheckOutputSuffix(output, known);
  const auto* const found = std::ranges::find(kFormatSuffixes, suffix, &FormatSuffix::suffix);
  return found == std::end(kFormatSuffixes) ? ComparisonFormat::kTable : found->format;
}

bool IsForPeople(ComparisonFormat format) {
  return format == ComparisonFormat::kTable || format == ComparisonFormat::kMarkdown;
}

}  // namespace

std::vector<std::string> InputsOf(const ComparisonOptions& options) {
  std::vector<std::string> inputs = options.records;
  inputs.push_back(options.base);
  inputs.insert(inputs.end(), options.news.begin(), options.news.end());
  const std::size_t files = inputs.size();
  for (std::size_t i = options.records.size(); i < files; ++i) inputs.push_back(ManifestPath(inputs[i]));
  inputs.push_back(options.labels);
  return inputs;
}

std::vector<std::string> OutputsOf(const ComparisonArguments& arguments) {
  std::vector<std::string> outputs = arguments.outputs;
  if (!arguments.looks.empty()) outputs.push_back(arguments.looks);
  if (arguments.github) outputs.insert(outputs.end(), {"-", StepSummaryPath()});
  return outputs;
}

ComparisonResult::ComparisonResult(const ComparisonArguments& arguments) : arguments_(arguments) {
  CheckReplacesNone(OutputsOf(arguments), InputsOf(arguments.options));
  if (arguments.github && !IsForPeople(arguments.format)) {
    throw Error(ErrorCode::kUsage,
                "--github prints annotations behind the comparison, which such a --format has no place for; "
                "write that format to a file, with -o");
  }
  for (const std::string& output : arguments.outputs) FormatOf(output);
  for (const std::string& output : arguments.outputs) {
    outputs_.push_back({FormatOf(output), OutputFile::Open(output, arguments.options.stop)});
  }
}

void ComparisonResult::Tell(bool errors_only) {
  const ComparisonOptions& options = arguments_.options;
  const Comparison comparison = CompareFiles(options);
  // Written before anything is shown, so that nobody sees the verdict of a look that is not recorded.
  if (comparison.look)
    WriteLooks(arguments_.looks, *options.looks, options.alpha, *comparison.look, options.stop);
  std::vector<GateResult> gates = CheckComparison(comparison, arguments_.gates);
  if (errors_only) {
    std::erase_if(gates, [](const GateResult& gate) { return !gate.gate.starts_with("max-errors"); });
  }
  verdict_ = comparison.verdict;
  gates_hold_ = std::ranges::all_of(gates, &GateResult::passed);
  if (!IsForPeople(arguments_.format)) {
    for (const std::string& warning : comparison.warnings) PrintMessage("warning: " + warning);
  }
  const std::string text = RenderComparison(comparison, gates, arguments_.format, UseColour(STDOUT_FILENO),
                                            TableColumns(STDOUT_FILENO));
  Print(arguments_.github ? WithoutWorkflowCommands(text) : text);
  for (const Output& output : outputs_) {
    output.file->Write(RenderComparison(comparison, gates, output.format));
    PrintLeftovers(output.file->leftovers());
    output.file->Commit();
  }
  if (!arguments_.github) return;
  Print(GitHubAnnotations(comparison, gates));
  AppendStepSummary(comparison, gates);
}

int ComparisonResult::exit_code() const { return gates_hold_ ? kExitFine : kExitGateFailed; }

}  // namespace leafscore::internal
