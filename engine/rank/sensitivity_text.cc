#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/json_writer.h"
#include "engine/rank/board_table.h"
#include "engine/report/human_numbers.h"
#include "engine/report/text_table.h"
#include "leafscore/leaderboard.h"

namespace leafscore {

using namespace internal;

namespace {

BoardTable ScorersTable(std::span<const ScorerAgreement> scorers) {
  BoardTable table{.rows = {{"scorer", "other", "models", "tau-b"}}, .left_columns = 2};
  for (const ScorerAgreement& pair : scorers) {
    table.rows.push_back({DisplayName(pair.scorer), DisplayName(pair.other), WithThousands(pair.models),
                          FourDecimals(pair.tau)});
  }
  return table;
}

BoardTable TasksTable(std::span<const TaskInfluence> tasks) {
  BoardTable table{.rows = {{"without", "ids", "tau-b", "ranks moved"}}, .plain_mark = "*"};
  for (const TaskInfluence& task : tasks) {
    if (task.most) table.bold.insert({table.rows.size(), 3});
    table.rows.push_back(
        {DisplayName(task.task), WithThousands(task.ids), FourDecimals(task.tau), WithThousands(task.moved)});
  }
  return table;
}

BoardTable ModelsTable(std::span<const RankRange> models) {
  BoardTable table{.rows = {{"model", "rank", "from", "to"}}};
  for (const RankRange& model : models) {
    table.rows.push_back({DisplayName(model.model), WithThousands(model.rank), WithThousands(model.low),
                          WithThousands(model.high)});
  }
  return table;
}

// Returns the first of the items, as far as they are of one scorer, and takes them away.
template <class Item>
std::span<const Item> TakeScorer(std::span<const Item>& items) {
  const auto end =
      std::ranges::find_if(items, [&](const Item& item) { return item.scorer != items.front().scorer; });
  const auto of_scorer = items.first(static_cast<std::size_t>(end - items.begin()));
  items = items.subspan(of_scorer.size());
  return of_scorer;
}

std::string RenderTables(const RankingSensitivity& sensitivity, LeaderboardFormat format) {
  std::string text(TableHead(format));
  const auto append = [&](std::string_view title, const BoardTable& table) {
    if (text.size() > TableHead(format).size()) text += '\n';
    AppendTable(title, table, format, text);
  };
  if (!sensitivity.scorers.empty()) append("agreement of scorers", ScorersTable(sensitivity.scorers));
  std::span<const TaskInfluence> tasks = sensitivity.tasks;
  std::span<const RankRange> models = sensitivity.models;
  while (!tasks.empty()) {
    const std::string scorer = DisplayName(tasks.front().scorer);
    append(scorer + ", ranking without one task", TasksTable(TakeScorer(tasks)));
    append(scorer + ", ranks with and without each task", ModelsTable(TakeScorer(models)));
  }
  if (text.size() == TableHead(format).size()) {
    if (format == LeaderboardFormat::kLatex) text += "% ";
    text += "There is one scorer and no task that could be left out, so nothing to compare.\n";
  }
  std::vector<LeaderboardRow> unverified;
  for (const std::string& model : sensitivity.unverified) {
    unverified.push_back({.model = model, .verified = false});
  }
  AppendModelNotes(unverified, format, text);
  return text;
}

constexpr std::string_view kCsvHeader =
    "kind,scorer,other,task,model,models,ids,tau_b,moved,most,rank,rank_low,rank_high,verified\n";

// The members of each kind, in the order of JSON and CSV. A member that is no number is a text or a Boolean.
struct Line {
  std::string_view kind;
  std::string_view scorer;
  bool verified;
  std::optional<std::string_view> other = {};
  std::optional<std::string_view> task = {};
  std::optional<std::string_view> model = {};
  std::optional<std::uint64_t> models = {};
  std::optional<std::uint64_t> ids = {};
  std::optional<double> tau = {};
  std::optional<std::uint64_t> moved = {};
  std::optional<bool> most = {};
  std::optional<std::uint64_t> rank = {};
  std::optional<std::uint64_t> low = {};
  std::optional<std::uint64_t> high = {};
};

std::vector<Line> LinesOf(const RankingSensitivity& sensitivity) {
  std::vector<Line> lines;
  for (const ScorerAgreement& pair : sensitivity.scorers) {
    lines.push_back({.kind = "scorers",
                     .scorer = pair.scorer,
                     .verified = pair.verified,
                     .other = pair.other,
                     .models = pair.models,
                     .tau = pair.tau});
  }
  for (const TaskInfluence& task : sensitivity.tasks) {
    lines.push_back({.kind = "task",
                     .scorer = task.scorer,
                     .verified = task.verified,
                     .task = task.task,
                     .ids = task.ids,
                     .tau = task.tau,
                     .moved = task.moved,
                     .most = task.most});
  }
  for (const RankRange& model : sensitivity.models) {
    lines.push_back({.kind = "model",
                     .scorer = model.scorer,
                     .verified = model.verified,
                     .model = model.model,
                     .rank = model.rank,
                     .low = model.low,
                     .high = model.high});
  }
  return lines;
}

std::string RenderCsv(const RankingSensitivity& sensitivity) {
  std::string text(kCsvHeader);
  for (const Line& line : LinesOf(sensitivity)) {
    text += line.kind;
    for (const auto& name : {std::optional(line.scorer), line.other, line.task, line.model}) {
      AppendCsvField(text += ',', name.value_or(""));
    }
    const auto append_count = [&](std::optional<std::uint64_t> count) {
      text += ',';
      if (count) JsonWriter(text).Integer(*count);
    };
    append_count(line.models);
    append_count(line.ids);
    text += ',';
    if (line.tau) JsonWriter(text).Number(*line.tau);
    append_count(line.moved);
    text += ',';
    if (line.most) text += *line.most ? "true" : "false";
    for (const auto rank : {line.rank, line.low, line.high}) append_count(rank);
    text += line.verified ? ",true\n" : ",false\n";
  }
  return text;
}

// A line each, with the members that its kind has.
std::string RenderJson(const RankingSensitivity& sensitivity) {
  std::string text;
  std::string one_line;
  JsonWriter lines(text, JsonLayout::kIndented);
  lines.StartArray();
  for (const Line& line : LinesOf(sensitivity)) {
    one_line.clear();
    JsonWriter json(one_line);
    json.StartObject();
    json.Key("kind").String(line.kind);
    json.Key("scorer").String(line.scorer);
    if (line.other) json.Key("other").String(*line.other);
    if (line.task) json.Key("task").String(*line.task);
    if (line.model) json.Key("model").String(*line.model);
    if (line.models) json.Key("models").Integer(*line.models);
    if (line.ids) json.Key("ids").Integer(*line.ids);
    if (!line.model) json.Key("tau_b").Number(line.tau);
    if (line.moved) json.Key("moved").Integer(*line.moved);
    if (line.most) json.Key("most").Bool(*line.most);
    if (line.rank) json.Key("rank").Integer(*line.rank);
    if (line.low) json.Key("rank_low").Integer(*line.low);
    if (line.high) json.Key("rank_high").Integer(*line.high);
    json.Key("verified").Bool(line.verified);
    json.EndObject();
    lines.Raw(one_line);
  }
  lines.EndArray();
  return text + '\n';
}

}  // namespace

std::string RenderSensitivity(const RankingSensitivity& sensitivity, LeaderboardFormat format) {
  switch (format) {
    case LeaderboardFormat::kCsv:
      return RenderCsv(sensitivity);
    case LeaderboardFormat::kJson:
      return RenderJson(sensitivity);
    default:
      return RenderTables(sensitivity, format);
  }
}

}  // namespace leafscore
