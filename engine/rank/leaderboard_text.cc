#include <fmt/format.h>
#include <fmt/ranges.h>

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
#include "engine/rank/leaderboard_columns.h"
#include "engine/report/human_numbers.h"
#include "engine/report/text_table.h"
#include "leafscore/leaderboard.h"

namespace leafscore {

using namespace internal;

namespace {

bool IsShown(const Column& column, std::span<const LeaderboardRow> rows) {
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

// The rows of one scorer, with their titles on top. The ties come last, as their names may be long.
BoardTable TableOf(std::span<const LeaderboardRow> rows) {
  BoardTable table{.rows = {{"model"}}};
  for (const LeaderboardRow& row : rows) table.rows.push_back({DisplayName(row.model)});
  for (const Column& column : ColumnsOf(rows)) {
    if (!IsShown(column, rows)) continue;
    const bool ranks = column.group == "over_all" && column.name == "mean";
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (ranks && rows[r].best) table.bold.insert({r + 1, table.rows[0].size()});
      const std::optional<double> value = column.value(rows[r]);
      table.rows[r + 1].push_back(column.kind != Column::kFigure && value
                                      ? WithThousands(static_cast<std::uint64_t>(*value))
                                      : FourDecimals(value));
    }
    table.rows[0].emplace_back(column.title);
  }
  if (HasGroups(rows)) {
    table.rows[0].emplace_back("group");
    for (std::size_t r = 0; r < rows.size(); ++r) table.rows[r + 1].push_back(rows[r].group.value_or("-"));
  }
  if (std::ranges::any_of(rows, [](const LeaderboardRow& row) { return !row.tied_with.empty(); })) {
    table.rows[0].emplace_back("tied with");
    for (std::size_t r = 0; r < rows.size(); ++r) {
      table.rows[r + 1].push_back(rows[r].tied_with.empty() ? "-" : Joined(rows[r].tied_with, DisplayName));
    }
  }
  return table;
}

void AppendUnrankedNote(std::span<const LeaderboardRow> rows, LeaderboardFormat format, std::string& text) {
  std::vector<std::string> names;
  for (const LeaderboardRow& row : rows) {
    if (!row.rank) names.push_back(DisplayName(row.model));
  }
  AppendNamesNote("Not ranked, as no id is common to another model, so that it was asked its own", names,
                  format, text);
}

std::string RenderTables(std::span<const LeaderboardRow> rows, LeaderboardFormat format) {
  const std::span<const LeaderboardRow> all = rows;
  std::string text(TableHead(format));
  while (!rows.empty()) {
    const auto end = std::ranges::find_if(
        rows, [&](const LeaderboardRow& row) { return row.scorer != rows.front().scorer; });
    const auto of_scorer = rows.first(static_cast<std::size_t>(end - rows.begin()));
    rows = rows.subspan(of_scorer.size());
    AppendTable(DisplayName(of_scorer.front().scorer), TableOf(of_scorer), format, text);
    AppendUnrankedNote(of_scorer, format, text);
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
  text += ",verified\n";
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
    text += row.verified ? ",true\n" : ",false\n";
  }
  return text;
}

void WriteRow(const LeaderboardRow& row, std::span<const Column> columns, bool has_groups, JsonWriter& json) {
  json.StartObject();
  json.Key("scorer").String(row.scorer);
  json.Key("model").String(row.model);
  json.Key("tied_with").StartArray();
  for (const std::string& model : row.tied_with) json.String(model);
  json.EndArray();
  if (has_groups) {
    json.Key("group");
    if (row.group) {
      json.String(*row.group);
    } else {
      json.Null();
    }
  }
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
