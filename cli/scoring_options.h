// cli/scoring_options.h: the options that several commands which score have.
#ifndef LEAFSCORE_CLI_SCORING_OPTIONS_H_
#define LEAFSCORE_CLI_SCORING_OPTIONS_H_

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "engine/run/scorer_set.h"
#include "leafscore/leafscore.h"

namespace leafscore::internal {

struct ScorerArguments {
  std::vector<std::string> scorers;
  std::string config;
};

// Adds the inputs and the options that name scorers.
void AddScorerOptions(CLI::App& command, FileOptions& run, ScorerArguments& scorers);

// Adds the options that name the fields of a record and say what is refused.
void AddRecordOptions(CLI::App& command, FileOptions& run);

// Adds --gold and --join.
void AddGoldOptions(CLI::App& command, FileOptions& run);

// Adds --details. `help` says of what, and the default.
void AddDetails(CLI::App& command, const std::string& help, DetailLevel& details);

// Adds --threads.
void AddThreads(CLI::App& command, unsigned& threads);

// Makes the scorers, those of the configuration first.
// ERRORS: Error(kUsage) when there is none or a name is taken twice; those of ReadConfigFile and ScorerSet.
Plan MakePlan(const ScorerArguments& arguments);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_SCORING_OPTIONS_H_
