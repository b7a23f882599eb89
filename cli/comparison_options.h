// cli/comparison_options.h: the options by which runs are compared and held to gates, of `compare` and of
// `score --compare-to` alike.
#ifndef LEAFSCORE_CLI_COMPARISON_OPTIONS_H_
#define LEAFSCORE_CLI_COMPARISON_OPTIONS_H_

#include <CLI/App.hpp>
#include <string_view>
#include <vector>

#include "cli/comparison_result.h"

namespace leafscore::internal {

// Adds --by, --cluster and all that says how to compare, the gates --fail-on, --max-drop and --max-flips, and
// --github, in the group "Comparison". None of these names is one of `score`.
void AddComparisonOptions(CLI::App& command, ComparisonArguments& arguments);

// Adds --compare-to, --comparison and these, which make no sense without it.
void AddCompareTo(CLI::App& command, ComparisonArguments& arguments);

// ERRORS: Error(kUsage) for a gate on a scorer that is none of these.
void CheckGateScorers(const ComparisonGates& gates, const std::vector<std::string_view>& scorers);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_COMPARISON_OPTIONS_H_
