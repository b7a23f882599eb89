#include "cli/comparison_result.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/exit_code.h"
#include "cli/github.h"
#include "cli/looks_file.h"
#include "cli/terminal.h"
#include "engine/base/suggest.h"
#include "engine/io/replaced_files.h"
#include "engine/scores/manifest.h"

namespace leafscore::internal {
namespace {

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
                "standard output has the comparison anyway, in the --format; name a file to write to");
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
  // First of all, so that nobody sees a verdict that is not paid for.
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
  const std::string text = RenderComparison(comparison, gates, arguments_.format, UseColour(STDOUT_FILENO));
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
