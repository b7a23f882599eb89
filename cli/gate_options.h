// cli/gate_options.h: the options that hold a run to figures.
#ifndef LEAFSCORE_CLI_GATE_OPTIONS_H_
#define LEAFSCORE_CLI_GATE_OPTIONS_H_

#include <CLI/App.hpp>

#include "leafscore/report.h"

namespace leafscore::internal {

// Adds --fail-under, --min-pass-rate, --min-coverage, --max-errors and --gate-by.
void AddGateOptions(CLI::App& command, Gates& gates);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_GATE_OPTIONS_H_
