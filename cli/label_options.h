// cli/label_options.h: the option --labels of `score`, `compare` and `leaderboard`: human verdicts that
// correct pass rates.
#ifndef LEAFSCORE_CLI_LABEL_OPTIONS_H_
#define LEAFSCORE_CLI_LABEL_OPTIONS_H_

#include <CLI/App.hpp>
#include <string>

#include "leafscore/files.h"

namespace leafscore::internal {

// Adds --labels.
void AddLabels(CLI::App& command, std::string& labels);

// Reads the output of a run back, and prints its pass rates beside the rates corrected by labels.
// ERRORS: as Leaderboard.
void PrintCorrected(const FileOptions& run, const std::string& labels, bool quiet);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_LABEL_OPTIONS_H_
