// cli/commands.h: the subcommands. Each function adds one of them, which runs when a command line that names
// it is parsed. A run whose exit status can be other than 0 sets `exit_code` (cli/exit_code.h). ERRORS: the
// run throws Error.
#ifndef LEAFSCORE_CLI_COMMANDS_H_
#define LEAFSCORE_CLI_COMMANDS_H_

namespace CLI {
class App;
}

namespace leafscore::internal {

void AddCheckCommand(CLI::App& app, int& exit_code);     // shows what a configuration will do
void AddCompareCommand(CLI::App& app, int& exit_code);   // shows whether scores changed between runs
void AddCompletionsCommand(CLI::App& app);               // writes the completions of shells
void AddEvaluateCommand(CLI::App& app, int& exit_code);  // scores saved agent runs against their scenarios
void AddExplainCommand(CLI::App& app);                   // shows how the score of one record came about
void AddGenerateCommand(CLI::App& app);                  // writes realistic pairs from a seed
void AddImportCommand(CLI::App& app);  // turns a file of another tool into our configuration
void AddInitCommand(CLI::App& app);    // writes a configuration for files of records
void AddJudgeCacheCommand(CLI::App& app, int& exit_code);  // looks into files of --judge-cache
void AddJudgeCheckCommand(CLI::App& app, int& exit_code);  // compares scores with people's
void AddLeaderboardCommand(CLI::App& app);                 // ranks models by their files of scores
void AddLintCommand(CLI::App& app, int& exit_code);        // looks for faults in a test before it is used
void AddMergeCommand(CLI::App& app, int& exit_code);       // joins the shards of a run
void AddPlanTestCommand(CLI::App& app);                    // says how many records are needed to find a drop
void AddScoreCommand(CLI::App& app, int& exit_code);       // scores files of records
void AddScorersCommand(CLI::App& app);                     // lists the scorers and their options

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_COMMANDS_H_
