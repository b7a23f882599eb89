// cli/comparison_options.h: options of `compare` and of `score --compare-to`: how runs are compared, and
// which gates apply.
#ifndef LEAFSCORE_CLI_COMPARISON_OPTIONS_H_
#define LEAFSCORE_CLI_COMPARISON_OPTIONS_H_

#include <CLI/App.hpp>
#include <string_view>
#include <vector>

#include "cli/comparison_result.h"

namespace leafscore::internal {

// Adds the options that say how to compare (--by, --cluster and others), the gates --fail-on, --max-drop,
// --max-pass-drop and --max-flips, and --github. `score` has no other options with these names.
void AddComparisonOptions(CLI::App& command, ComparisonArguments& arguments);

// Adds --compare-to and --comparison, and the options of AddComparisonOptions, which need --compare-to.
void AddCompareTo(CLI::App& command, ComparisonArguments& arguments);

// ERRORS: Error(kUsage) for a gate on a scorer that is not in `scorers`.
void CheckGateScorers(const ComparisonGates& gates, const std::vector<std::string_view>& scorers);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_COMPARISON_OPTIONS_H_
