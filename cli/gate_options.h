// cli/gate_options.h: the options of gates, which say what figures a run must reach.
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

// Prints the gates that failed. If all hold, prints the gates that may have been passed by chance, with one
// line for all groups of a gate and a scorer. RETURNS: whether all hold.
bool PrintGates(std::span<const GateCheck> gates);

// Each reads the whole text as the value of a gate: ReadShare a number from 0 to 1, ReadCount a count, and
// ReadErrorLimit "3" or "1.5%".
// ERRORS: CLI::ValidationError that names the option.
double ReadShare(const std::string& option, std::string_view text);
std::uint64_t ReadCount(const std::string& option, std::string_view text);
ErrorLimit ReadErrorLimit(const std::string& option, std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_GATE_OPTIONS_H_
