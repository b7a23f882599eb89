#include "cli/github.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string_view>
#include <vector>

#include "cli/environment.h"
#include "cli/terminal.h"
#include "engine/base/file_descriptor.h"
#include "engine/compare/comparison_cells.h"
#include "engine/compare/comparison_document.h"
#include "engine/compare/comparison_formats.h"
#include "engine/io/write_file.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr char kSummaryVariable[] = "GITHUB_STEP_SUMMARY";
constexpr std::size_t kMaxAnnotations = 10;  // of a kind

// Appends the data of a workflow command, in which GitHub reads %0A as a line end and so on.
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

}  // namespace

std::string StepSummaryPath() {
  std::string path(EnvironmentVariable(kSummaryVariable));
  if (!path.empty()) return path;
  throw Error(
      ErrorCode::kUsage,
      fmt::format("--github appends to the file that {} names, which is not set; GitHub Actions sets it",
                  kSummaryVariable));
}

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

}  // namespace leafscore::internal
