// cli/gate_options.h: the options that hold a run to figures.
#ifndef LEAFSCORE_CLI_GATE_OPTIONS_H_
#define LEAFSCORE_CLI_GATE_OPTIONS_H_

#include <CLI/App.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "leafscore/report.h"

namespace leafscore::internal {

// Adds --fail-under, --min-pass-rate, --sure, --min-coverage, --max-errors and --gate-by.
void AddGateOptions(CLI::App& command, Gates& gates);

// Tells the gates that failed or, where all hold, those that chance may have passed: of groups, one line a
// gate and scorer. RETURNS: whether all hold.
bool PrintGates(std::span<const GateCheck> gates);

// Read the values of gates, each as a whole: a number from 0 to 1; a count; "3" or "1.5%".
// ERRORS: CLI::ValidationError that names the option.
double ReadShare(const std::string& option, std::string_view text);
std::uint64_t ReadCount(const std::string& option, std::string_view text);
ErrorLimit ReadErrorLimit(const std::string& option, std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_GATE_OPTIONS_H_
