#include <string>
#include <string_view>
#include <vector>

#include "engine/json/json_writer.h"
#include "engine/rank/board_notes.h"
#include "engine/render/cells.h"
#include "engine/render/figures.h"
#include "leafscore/leaderboard.h"

namespace leafscore {

using namespace internal;

namespace {

// Returns the figure that names the kind of a row.
template <class Row>
Figure<Row> KindFigure(std::string kind) {
  return {"", "kind", "", [kind](const Row&) { return kind; }};
}

FigureList<ScorerAgreement> AgreementFigures() {
  using Row = ScorerAgreement;
  return {KindFigure<Row>("scorers"),
          {"", "scorer", "scorer", At<&Row::scorer>},
          {"", "other", "other", At<&Row::other>},
          {"", "models", "models", At<&Row::models>},
          {"", "tau_b", "tau-b", At<&Row::tau>},
          {"", "verified", "", At<&Row::verified>}};
}

FigureList<TaskInfluence> InfluenceFigures() {
  using Row = TaskInfluence;
  return {KindFigure<Row>("task"),
          {"", "scorer", "", At<&Row::scorer>},
          {"", "task", "without", At<&Row::task>},
          {"", "ids", "ids", At<&Row::ids>},
          {"", "tau_b", "tau-b", At<&Row::tau>},
          {"", "moved", "ranks moved", At<&Row::moved>},
          {"", "most", "", At<&Row::most>},
          {"", "verified", "", At<&Row::verified>}};
}

FigureList<RankRange> RangeFigures() {
  using Row = RankRange;
  return {KindFigure<Row>("model"),
          {"", "scorer", "", At<&Row::scorer>},
          {"", "model", "model", At<&Row::model>},
          {"", "rank", "rank", At<&Row::rank>},
          {"", "rank_low", "from", At<&Row::low>},
          {"", "rank_high", "to", At<&Row::high>},
          {"", "verified", "", At<&Row::verified>}};
}

Table TasksTable(std::span<const TaskInfluence> tasks) {
  Table table = TableOf(InfluenceFigures(), tasks);
  table.plain_mark = "*";
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (tasks[t].most) table.bold.insert({t + 1, table.rows[0].size() - 1});
  }
  return table;
}

Document DocumentOf(const RankingSensitivity& sensitivity) {
  Document document;
  std::vector<Section>& sections = document.sections;
  if (!sensitivity.scorers.empty()) {
    sections.push_back(
        {.title = "agreement of scorers", .table = TableOf(AgreementFigures(), sensitivity.scorers, 2)});
  }
  std::span<const TaskInfluence> tasks = sensitivity.tasks;
  std::span<const RankRange> models = sensitivity.models;
  while (!tasks.empty()) {
    const std::string scorer = DisplayName(tasks.front().scorer);
    sections.push_back(
        {.title = scorer + ", ranking without one task", .table = TasksTable(TakeScorer(tasks))});
    sections.push_back({.title = scorer + ", ranks with and without each task",
                        .table = TableOf(RangeFigures(), TakeScorer(models))});
  }
  if (sections.empty()) {
    sections.push_back(
        {.notes = {
             "There is one scorer and no task that could be left out, so there is nothing to compare."}});
  }
  std::vector<LeaderboardRow> unverified;
  for (const std::string& model : sensitivity.unverified) {
    unverified.push_back({.model = model, .verified = false});
  }
  sections.push_back(ModelNotes(unverified));
  return document;
}

std::string SensitivityCsv(const RankingSensitivity& sensitivity) {
  CsvTable table({"kind", "scorer", "other", "task", "model", "models", "ids", "tau_b", "moved", "most",
                  "rank", "rank_low", "rank_high", "verified"});
  for (const ScorerAgreement& pair : sensitivity.scorers) table.Add(AgreementFigures(), pair);
  for (const TaskInfluence& task : sensitivity.tasks) table.Add(InfluenceFigures(), task);
  for (const RankRange& model : sensitivity.models) table.Add(RangeFigures(), model);
  return table.text();
}

// Returns a line for each row, with the members that rows of its kind have.
std::string SensitivityJson(const RankingSensitivity& sensitivity) {
  std::string text;
  JsonWriter json(text, JsonLayout::kIndented);
  json.StartArray();
  for (const ScorerAgreement& pair : sensitivity.scorers) WriteLine(AgreementFigures(), pair, json);
  for (const TaskInfluence& task : sensitivity.tasks) WriteLine(InfluenceFigures(), task, json);
  for (const RankRange& model : sensitivity.models) WriteLine(RangeFigures(), model, json);
  json.EndArray();
  return text + '\n';
}

}  // namespace

std::string RenderSensitivity(const RankingSensitivity& sensitivity, LeaderboardFormat format) {
  if (format == LeaderboardFormat::kCsv) return SensitivityCsv(sensitivity);
  if (format == LeaderboardFormat::kJson) return SensitivityJson(sensitivity);
  return RenderBoard(DocumentOf(sensitivity), format);
}

}  // namespace leafscore
