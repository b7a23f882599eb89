// cli/scoring_options.h: the options that several subcommands share.
#ifndef LEAFSCORE_CLI_SCORING_OPTIONS_H_
#define LEAFSCORE_CLI_SCORING_OPTIONS_H_

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "engine/run/scorer_set.h"
#include "leafscore/files.h"
#include "leafscore/outcome.h"
#include "leafscore/plan.h"

namespace leafscore::internal {

struct ScorerArguments {
  std::vector<std::string> scorers;
  std::string config;
  std::vector<CLI::Option*> of_gold = {};  // options that are for runs with gold
};

// Adds the options that name scorers.
void AddScorers(CLI::App& command, ScorerArguments& scorers);

// Adds the inputs and the options that name scorers.
void AddScorerOptions(CLI::App& command, FileOptions& run, ScorerArguments& scorers);

// Adds the options that name the fields of a record and limit what is accepted.
void AddRecordOptions(CLI::App& command, FileOptions& run);
// Adds --calls-field, for commands that score tool calls.
void AddCallsField(CLI::App& command, FileOptions& run);

// Adds --gold, and the options that are for runs with gold.
void AddGoldOptions(CLI::App& command, FileOptions& run, ScorerArguments& scorers);

// Adds --repeats with this help.
CLI::Option* AddRepeats(CLI::App& command, const std::string& help, Repeats& repeats);

// Adds --details with this help.
void AddDetails(CLI::App& command, const std::string& help, DetailLevel& details);

// Adds --threads, which defaults to LEAFSCORE_THREADS.
void AddThreads(CLI::App& command, unsigned& threads);

struct MadePlan {
  Plan plan;
  std::vector<std::string> files;  // the configuration and the files it names; no output may replace them
  bool is_partial;                 // a part of a test of another tool cannot be done here
};

// Makes a plan of the scorers; the scorers of the configuration come first. If the configuration is another
// tool's test with its own gold, that gold becomes the gold of `run`, unless `run` names gold itself.
// ERRORS: Error(kUsage) if there is no scorer, if two scorers have one name, and for options of gold without
// gold; the errors of LoadScorerConfig and ScorerSet.
MadePlan MakePlan(const ScorerArguments& arguments, FileOptions& run);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_SCORING_OPTIONS_H_
