#include "cli/leaderboard_command.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/choice_option.h"
#include "cli/limit_option.h"
#include "cli/scoring_options.h"
#include "cli/terminal.h"
#include "engine/base/limits.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {
namespace {

constexpr NamedChoice<LeaderboardFormat> kFormatChoices[] = {{"table", LeaderboardFormat::kTable},
                                                             {"md", LeaderboardFormat::kMarkdown},
                                                             {"csv", LeaderboardFormat::kCsv},
                                                             {"json", LeaderboardFormat::kJson}};

struct LeaderboardArguments {
  std::vector<std::string> files;
  LeaderboardOptions options;
  LeaderboardFormat format = LeaderboardFormat::kTable;
};

}  // namespace

void AddLeaderboardCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("leaderboard", "Rank models by their score files");
  const auto arguments = std::make_shared<LeaderboardArguments>();
  command
      ->add_option("scores", arguments->files,
                   "JSON Lines files written by leafscore score, one per model; .gz and .zst too")
      ->required();
  command->add_option(
      "--by", arguments->options.by,
      "Field that names the model, if a file holds several models (score with --group-by FIELD)");
  command->add_option("--cluster", arguments->options.cluster,
                      "Field by which to cluster: ids with the same value are dependent");
  AddRepeats(*command, "Which of a model's answers to one id counts; all: its score is their mean [last]",
             arguments->options.repeats);
  command
      ->add_option("--pass-k", arguments->options.pass_k,
                   "With --repeats all: chance that one (pass@k) and that all (pass^k) of k answers pass")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("K,...");
  AddChoice(*command, "--format", kFormatChoices, arguments->format, "Output format [table]");
  AddLimit(*command, kMaxRatio, arguments->options.max_ratio);
  command->add_flag("--unverified", arguments->options.unverified,
                    "Take files without a manifest, too, those of other tools; the result says which");
  command->callback([arguments] {
    std::vector<std::string> warnings;
    arguments->options.warnings = &warnings;
    const std::vector<LeaderboardRow> rows = RankFiles(arguments->files, arguments->options);
    for (const std::string& warning : warnings) PrintMessage("warning: " + warning);
    Print(RenderLeaderboard(rows, arguments->format));
  });
}

}  // namespace leafscore::internal
