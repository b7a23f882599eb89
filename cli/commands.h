// cli/commands.h: the subcommands. Each function adds one; parsing a command line that names it runs it, and
// sets `exit_code` (cli/exit_code.h) where it may be another one than 0. ERRORS: the run throws Error.
#ifndef LEAFSCORE_CLI_COMMANDS_H_
#define LEAFSCORE_CLI_COMMANDS_H_

namespace CLI {
class App;
}

namespace leafscore::internal {

void AddCheckCommand(CLI::App& app, int& exit_code);     // says what a configuration will do
void AddCompareCommand(CLI::App& app, int& exit_code);   // tells whether scores changed between runs
void AddCompletionsCommand(CLI::App& app);               // writes the completions of shells
void AddEvaluateCommand(CLI::App& app, int& exit_code);  // scores saved agent runs against their scenarios
void AddExplainCommand(CLI::App& app);                   // shows how the score of one record came about
void AddGenerateCommand(CLI::App& app);                  // writes realistic pairs from a seed
void AddImportCommand(CLI::App& app);  // turns a file of another tool into our configuration
void AddInitCommand(CLI::App& app);    // writes a configuration for files of records
void AddJudgeCacheCommand(CLI::App& app, int& exit_code);  // looks into files of --judge-cache
void AddJudgeCheckCommand(CLI::App& app, int& exit_code);  // holds scores against those of people
void AddLeaderboardCommand(CLI::App& app);                 // ranks models by their files of scores
void AddLintCommand(CLI::App& app, int& exit_code);        // judges a test before anyone is judged by it
void AddMergeCommand(CLI::App& app, int& exit_code);       // joins the shards of a run
void AddPlanTestCommand(CLI::App& app);                    // says how many records find a drop
void AddScoreCommand(CLI::App& app, int& exit_code);       // scores files of records
void AddScorersCommand(CLI::App& app);                     // lists the scorers and their options

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_COMMANDS_H_
