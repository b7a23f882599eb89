// cli/github.h: what `--github` tells GitHub Actions of a comparison.
#ifndef LEAFSCORE_CLI_GITHUB_H_
#define LEAFSCORE_CLI_GITHUB_H_

#include <span>
#include <string>
#include <string_view>

#include "leafscore/compare.h"

namespace leafscore::internal {

// Returns the path of the file with the step's summary.
// ERRORS: Error(kUsage) where GITHUB_STEP_SUMMARY names none.
std::string StepSummaryPath();

// Returns workflow commands, a line each and at most 10 of a kind, as GitHub shows no more of a step: errors
// for failed gates, warnings for what regressed without failing one and for doubts, a notice with the
// verdict.
std::string GitHubAnnotations(const Comparison& comparison, std::span<const GateResult> gates);

// Returns a text for standard output in which no line is a workflow command, whatever names the data has: a
// backslash stands in ::error:: and ##[error] then.
std::string WithoutWorkflowCommands(std::string_view text);

// Appends the comparison in short, as Markdown, to the file of the step's summary, as far as 1 MiB has room
// for it. ERRORS: Error(kOutput).
void AppendStepSummary(const Comparison& comparison, std::span<const GateResult> gates);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_GITHUB_H_
