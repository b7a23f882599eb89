#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/json/json_writer.h"
#include "engine/rank/board_table.h"
#include "engine/rank/leaderboard_columns.h"
#include "engine/report/human_numbers.h"
#include "engine/report/text_table.h"
#include "leafscore/leaderboard.h"

namespace leafscore {

using namespace internal;

namespace {

bool IsShown(const Column& column, std::span<const LeaderboardRow> rows) {
  if (column.kind == Column::kData) return false;
  return std::ranges::any_of(rows, [&](const LeaderboardRow& row) {
    const std::optional<double> value = column.value(row);
    return value && (*value != 0 || column.kind != Column::kRareCount);
  });
}

bool HasGroups(std::span<const LeaderboardRow> rows) {
  return std::ranges::any_of(rows, [](const LeaderboardRow& row) { return row.group.has_value(); });
}

std::string Joined(const std::vector<std::string>& names, std::string (*shown)(std::string_view)) {
  std::string text;
  for (const std::string& name : names) (text += text.empty() ? "" : "; ") += shown(name);
  return text;
}

// Adds a column of texts, of which empty ones are shown as a dash; none if all are.
void AddTexts(std::string_view title, std::span<const LeaderboardRow> rows,
              const std::function<std::string(const LeaderboardRow& row)>& text_of, BoardTable& table) {
  std::vector<std::string> texts;
  for (const LeaderboardRow& row : rows) texts.push_back(text_of(row));
  if (std::ranges::all_of(texts, &std::string::empty)) return;
  table.rows[0].emplace_back(title);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    table.rows[r + 1].push_back(texts[r].empty() ? "-" : std::move(texts[r]));
  }
}

std::string ThanNextText(const LeaderboardRow& row) {
  std::string text(row.than_next ? ThanNextName(*row.than_next) : "");
  std::ranges::replace(text, '_', ' ');
  return text;
}

// Many models that cannot be told apart are counted, so that the table stays narrow.
std::string TiesText(const LeaderboardRow& row) {
  constexpr std::size_t kMostNamed = 3;
  if (row.tied_with.size() > kMostNamed) return fmt::format("{} others", row.tied_with.size());
  return Joined(row.tied_with, DisplayName);
}

// The rows of one scorer, with their titles on top. The ties come last, as their names may be long.
BoardTable TableOf(std::span<const LeaderboardRow> rows) {
  BoardTable table{.rows = {{"model"}}};
  for (const LeaderboardRow& row : rows) table.rows.push_back({DisplayName(row.model)});
  for (const Column& column : ColumnsOf(rows)) {
    if (!IsShown(column, rows)) continue;
    const bool ranks = column.group == "over_all" && column.name == "mean";
    const bool passes = column.group == "over_all" && column.name == "pass_rate";
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (ranks && rows[r].best) table.bold.insert({r + 1, table.rows[0].size()});
      const std::optional<double> value = column.value(rows[r]);
      std::string& cell = table.rows[r + 1].emplace_back(
          column.kind != Column::kFigure && value ? WithThousands(static_cast<std::uint64_t>(*value))
                                                  : FourDecimals(value));
      if (passes && rows[r].passes_less) cell.insert(cell.begin(), '*');
    }
    table.rows[0].emplace_back(column.title);
  }
  AddTexts("than next", rows, ThanNextText, table);
  AddTexts(
      "group", rows, [](const LeaderboardRow& row) { return row.group.value_or(""); }, table);
  AddTexts("tied with", rows, TiesText, table);
  return table;
}

std::string TitleOf(const LeaderboardRow& row) {
  std::string title = DisplayName(row.scorer);
  if (row.common_ids) title += fmt::format(", over the {} ids that all have", WithThousands(*row.common_ids));
  return title;
}

void AppendNotes(std::span<const LeaderboardRow> rows, LeaderboardFormat format, std::string& text) {
  if (std::ranges::any_of(rows, &LeaderboardRow::passes_less)) {
    AppendNote("* Its mean is higher than that of the next model, but fewer of its records pass.", format,
               text);
  }
  std::vector<std::string> unranked;
  for (const LeaderboardRow& row : rows) {
    if (row.rank) continue;
    const IdShare& share = row.share;
    unranked.push_back(fmt::format(
        "{}, {}", DisplayName(row.model),
        share.ids == share.of && share.of > 0
            ? "the only one left"
            : fmt::format("lines for {} of {} ids", WithThousands(share.ids), WithThousands(share.of))));
  }
  if (unranked.empty()) return;
  AppendNote(fmt::format("Not ranked, for want of common ids: {}", fmt::join(unranked, "; ")), format, text);
}

std::string RenderTables(std::span<const LeaderboardRow> rows, LeaderboardFormat format) {
  const std::span<const LeaderboardRow> all = rows;
  std::string text(TableHead(format));
  while (!rows.empty()) {
    const auto end = std::ranges::find_if(
        rows, [&](const LeaderboardRow& row) { return row.scorer != rows.front().scorer; });
    const auto of_scorer = rows.first(static_cast<std::size_t>(end - rows.begin()));
    rows = rows.subspan(of_scorer.size());
    AppendTable(TitleOf(of_scorer.front()), TableOf(of_scorer), format, text);
    AppendNotes(of_scorer, format, text);
    if (!rows.empty()) text += '\n';
  }
  AppendModelNotes(all, format, text);
  return text;
}

std::string RenderCsv(std::span<const LeaderboardRow> rows) {
  const std::vector<Column> columns = ColumnsOf(rows);
  const bool has_groups = HasGroups(rows);
  std::string text = "scorer,model,tied_with";
  if (has_groups) text += ",group";
  for (const Column& column : columns) {
    text += ',';
    if (!column.group.empty()) (text += column.group) += '_';
    text += column.name;
  }
  text += ",than_next,passes_less,verified\n";
  for (const LeaderboardRow& row : rows) {
    AppendCsvField(text, row.scorer);
    text += ',';
    AppendCsvField(text, row.model);
    text += ',';
    AppendCsvField(text, Joined(row.tied_with, [](std::string_view name) { return std::string(name); }));
    if (has_groups) AppendCsvField(text += ',', row.group.value_or(""));
    for (const Column& column : columns) {
      text += ',';
      if (const std::optional<double> value = column.value(row)) JsonWriter(text).Number(*value);
    }
    text += ',';
    if (row.than_next) text += ThanNextName(*row.than_next);
    text += row.passes_less ? ",true" : ",false";
    text += row.verified ? ",true\n" : ",false\n";
  }
  return text;
}

void WriteText(std::string_view key, std::optional<std::string_view> text, JsonWriter& json) {
  json.Key(key);
  if (text) {
    json.String(*text);
  } else {
    json.Null();
  }
}

void WriteRow(const LeaderboardRow& row, std::span<const Column> columns, bool has_groups, JsonWriter& json) {
  json.StartObject();
  json.Key("scorer").String(row.scorer);
  json.Key("model").String(row.model);
  json.Key("tied_with").StartArray();
  for (const std::string& model : row.tied_with) json.String(model);
  json.EndArray();
  if (has_groups) WriteText("group", row.group, json);
  std::string_view group;
  for (const Column& column : columns) {
    if (column.group != group) {
      if (!group.empty()) json.EndObject();
      if (!column.group.empty()) json.Key(column.group).StartObject();
      group = column.group;
    }
    json.Key(column.name).Number(column.value(row));
  }
  if (!group.empty()) json.EndObject();
  WriteText("than_next", row.than_next ? std::optional(ThanNextName(*row.than_next)) : std::nullopt, json);
  json.Key("passes_less").Bool(row.passes_less);
  json.Key("verified").Bool(row.verified);
  json.EndObject();
}

// A row a line.
std::string RenderJson(std::span<const LeaderboardRow> rows) {
  const std::vector<Column> columns = ColumnsOf(rows);
  std::string text;
  std::string line;
  JsonWriter lines(text, JsonLayout::kIndented);
  lines.StartArray();
  for (const LeaderboardRow& row : rows) {
    line.clear();
    JsonWriter json(line);
    WriteRow(row, columns, HasGroups(rows), json);
    lines.Raw(line);
  }
  lines.EndArray();
  return text + '\n';
}

}  // namespace

std::string RenderLeaderboard(std::span<const LeaderboardRow> rows, LeaderboardFormat format) {
  switch (format) {
    case LeaderboardFormat::kCsv:
      return RenderCsv(rows);
    case LeaderboardFormat::kJson:
      return RenderJson(rows);
    default:
      return RenderTables(rows, format);
  }
}

}  // namespace leafscore
