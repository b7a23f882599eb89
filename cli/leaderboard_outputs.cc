#include "cli/leaderboard_outputs.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "engine/io/output_file.h"
#include "engine/io/replaced_files.h"
#include "engine/scores/manifest.h"

namespace leafscore::internal {
namespace {

constexpr char kStandardOutput[] = "-";
constexpr std::array<std::string_view, 5> kSuffixes = {".txt", ".md", ".csv", ".json", ".tex"};
constexpr std::array<LeaderboardFormat, 5> kFormats = {LeaderboardFormat::kTable,
                                                       LeaderboardFormat::kMarkdown, LeaderboardFormat::kCsv,
                                                       LeaderboardFormat::kJson, LeaderboardFormat::kLatex};

}  // namespace

std::vector<LeaderboardOutput> LeaderboardOutputs(const std::vector<std::string>& paths,
                                                  LeaderboardFormat format,
                                                  std::span<const std::string> inputs) {
  if (paths.empty()) return {{kStandardOutput, format}};
  std::vector<std::string> kept(inputs.begin(), inputs.end());
  for (const std::string& input : inputs) {
    if (std::string manifest = ManifestPath(input); !manifest.empty()) kept.push_back(std::move(manifest));
  }
  CheckReplacesNone(paths, kept);
  std::vector<LeaderboardOutput> outputs;
  for (const std::string& path : paths) {
    const std::string suffix = CheckOutputSuffix(path, kSuffixes);
    const auto known = std::ranges::find(kSuffixes, suffix);
    outputs.push_back({path, known == kSuffixes.end() ? format : kFormats[known - kSuffixes.begin()]});
  }
  return outputs;
}

void WriteLeaderboard(std::span<const LeaderboardOutput> outputs,
                      const std::function<std::string(LeaderboardFormat format)>& render) {
  std::vector<std::unique_ptr<OutputFile>> files;
  for (const LeaderboardOutput& output : outputs) {
    const std::string text = render(output.format);
    if (output.path == kStandardOutput) {
      Print(text);
      continue;
    }
    files.push_back(OutputFile::Open(output.path, &CatchInterrupts()));
    PrintLeftovers(files.back()->leftovers());
    files.back()->Write(text);
    files.back()->Complete();
  }
  for (const std::unique_ptr<OutputFile>& file : files) file->Commit();
}

}  // namespace leafscore::internal
