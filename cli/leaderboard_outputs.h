// cli/leaderboard_outputs.h: the files that a leaderboard is written to, each in the format of its suffix.
#ifndef LEAFSCORE_CLI_LEADERBOARD_OUTPUTS_H_
#define LEAFSCORE_CLI_LEADERBOARD_OUTPUTS_H_

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/choices.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

inline constexpr NamedChoice<LeaderboardFormat> kLeaderboardFormats[] = {
    {"table", LeaderboardFormat::kTable},
    {"md", LeaderboardFormat::kMarkdown},
    {"csv", LeaderboardFormat::kCsv},
    {"json", LeaderboardFormat::kJson},
    {"latex", LeaderboardFormat::kLatex}};

struct LeaderboardOutput {
  std::string path;
  LeaderboardFormat format;
};

// Returns the outputs with these paths; standard output without any. What has no suffix, as standard output
// has none, gets `format`.
// ERRORS: Error(kUsage) for an unknown suffix, and for an output that is another one or an input.
std::vector<LeaderboardOutput> LeaderboardOutputs(const std::vector<std::string>& paths,
                                                  LeaderboardFormat format,
                                                  std::span<const std::string> inputs);

// Writes all of them, or none: they get their names when all are complete. ERRORS: those of OutputFile.
void WriteLeaderboard(std::span<const LeaderboardOutput> outputs,
                      const std::function<std::string(LeaderboardFormat format)>& render);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_LEADERBOARD_OUTPUTS_H_
