#include "cli/label_options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/file_name.h"
#include "cli/option_groups.h"
#include "cli/terminal.h"
#include "engine/base/model_name.h"
#include "engine/rank/leaderboard.h"
#include "engine/render/document.h"
#include "engine/report/label_section.h"
#include "engine/threads/parallel.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {
namespace {

// Returns the field of the output that names the model of an answer; empty if there is only one model.
std::string FieldOfModels(const FileOptions& run) {
  if (!run.source_field.empty()) return run.source_field;
  return !run.gold.empty() && run.inputs.size() > 1 ? "source" : "";
}

}  // namespace

void AddLabels(CLI::App& command, std::string& labels) {
  command
      .add_option("--labels", labels,
                  "Human verdicts on some of the answers, {\"id\": ..., \"label\": true} on each line: also "
                  "show the pass rate that they correct, with its interval")
      ->type_name("FILE")
      ->group(kOutputGroup)
      ->check(CheckFileName)
      ->check([](const std::string& name) {
        return name == "-" ? "labels are read from a file, not from standard input" : std::string();
      });
}

void PrintCorrected(const FileOptions& run, const std::string& labels, bool quiet) {
  const LeaderboardOptions options{.by = FieldOfModels(run),
                                   .repeats = Repeats::kAll,
                                   .labels = labels,
                                   .max_ratio = run.max_ratio,
                                   .threads = run.threads};
  std::vector<CorrectedRow> rows;
  std::vector<std::string> notes;
  WithThreads(run.threads, [&] {
    Leaderboard board(options, /*several_models=*/!options.by.empty());
    board.AddFile(run.output, ModelOfFile(run.output), /*accept_unverified=*/false);
    for (LeaderboardRow& row : board.Rank().rows) {
      if (row.corrected)
        rows.push_back({row.scorer, row.model, row.over_all.pass_rate, *std::move(row.corrected)});
    }
    notes = board.LabelNotes();
  });
  if (rows.empty()) notes.emplace_back("no scorer passes or fails answers, so --labels corrects nothing");
  for (const std::string& note : notes) PrintMessage("warning: " + note);
  Document document;
  document.sections.push_back(LabelSection(rows, "model"));
  if (!quiet) PrintNotice("\n" + RenderText(document, /*colour=*/false, TableColumns(STDERR_FILENO)));
}

}  // namespace leafscore::internal
