#include "cli/leaderboard_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/terminal.h"
#include "engine/base/utf8.h"
#include "engine/json/json_text.h"
#include "engine/rank/leaderboard.h"
#include "engine/rank/leaderboard_text.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

struct LeaderboardArguments {
  std::vector<std::string> files;
  LeaderboardOptions options;
  LeaderboardFormat format = LeaderboardFormat::kTable;
};

// Returns the name of a file without its folder and endings, valid UTF-8: the model of
// runs/gpt-5.scores.jsonl.gz is gpt-5.
std::string ModelOf(const std::string& path) {
  std::string name = std::filesystem::path(path).filename();
  for (const std::string_view ending : {".gz", ".zst", ".jsonl", ".scores"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  return ReplaceInvalidUtf8(name);
}

void ShowLeaderboard(const LeaderboardArguments& arguments) {
  std::map<std::string, std::string> file_of_model;
  Leaderboard leaderboard(arguments.options);
  for (const std::string& file : arguments.files) {
    const std::string model = ModelOf(file);
    const auto [same, is_new] = file_of_model.try_emplace(model, file);
    if (!is_new && arguments.options.by.empty()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{} and {} would both be the model \"{}\"; rename one, or name the field that "
                              "holds the model with --by",
                              same->second, file, model));
    }
    leaderboard.AddFile(file, model);
  }
  Print(RenderLeaderboard(leaderboard.Rows(), arguments.format));
}

}  // namespace

void AddLeaderboardCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("leaderboard", "Rank models by their score files");
  const auto arguments = std::make_shared<LeaderboardArguments>();
  command
      ->add_option("scores", arguments->files,
                   "Files that leafscore score wrote as JSON Lines, one a model; .gz and .zst too")
      ->required();
  command->add_option(
      "--by", arguments->options.by,
      "Field that names the model, when the files hold several (score with --group-by FIELD)");
  command->add_option("--cluster", arguments->options.cluster,
                      "Field whose equal values make records dependent, for clustered standard errors");
  const std::map<std::string, LeaderboardFormat> formats = {{"table", LeaderboardFormat::kTable},
                                                            {"md", LeaderboardFormat::kMarkdown},
                                                            {"csv", LeaderboardFormat::kCsv},
                                                            {"json", LeaderboardFormat::kJson}};
  command->add_option("--format", arguments->format, "How to write it [table]")
      ->transform(CLI::CheckedTransformer(formats).description(""))
      ->type_name("table|md|csv|json");
  command->callback([arguments] { ShowLeaderboard(*arguments); });
}

}  // namespace leafscore::internal
