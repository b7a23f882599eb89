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
#include "engine/rank/leaderboard_columns.h"
#include "engine/report/human_numbers.h"
#include "engine/report/look_alikes.h"
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

std::string Joined(const std::vector<std::string>& names, std::string (*shown)(std::string_view)) {
  std::string text;
  for (const std::string& name : names) (text += text.empty() ? "" : "; ") += shown(name);
  return text;
}

// The rows of one scorer, with their titles on top. The ties come last, as their names may be long.
std::vector<TextRow> TableOf(std::span<const LeaderboardRow> rows) {
  std::vector<TextRow> table = {{"model"}};
  for (const LeaderboardRow& row : rows) table.push_back({DisplayName(row.model)});
  for (const Column& column : ColumnsOf(rows)) {
    if (!IsShown(column, rows)) continue;
    table[0].emplace_back(column.title);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::optional<double> value = column.value(rows[r]);
      table[r + 1].push_back(column.kind != Column::kFigure && value
                                 ? WithThousands(static_cast<std::uint64_t>(*value))
                                 : FourDecimals(value));
    }
  }
  if (std::ranges::any_of(rows, [](const LeaderboardRow& row) { return !row.tied_with.empty(); })) {
    table[0].emplace_back("tied with");
    for (std::size_t r = 0; r < rows.size(); ++r) {
      table[r + 1].push_back(rows[r].tied_with.empty() ? "-" : Joined(rows[r].tied_with, DisplayName));
    }
  }
  return table;
}

void AppendMarkdown(const std::vector<TextRow>& table, std::string& text) {
  for (std::size_t r = 0; r < table.size(); ++r) {
    for (const std::string& cell : table[r]) {
      text += "| ";
      AppendMarkdownCell(text, cell);
      text += ' ';
    }
    text += "|\n";
    if (r > 0) continue;
    text += "|---";
    for (std::size_t c = 1; c < table[r].size(); ++c) text += "|---:";
    text += "|\n";
  }
}

// Returns lines on models that look alike.
std::string LookAlikeNote(std::span<const LeaderboardRow> rows, LeaderboardFormat format) {
  std::vector<std::string> models;
  for (const LeaderboardRow& row : rows) models.push_back(row.model);
  const std::string notes = LookAlikeNotes(models);
  if (notes.empty()) return "";
  std::string text = "\n";
  if (format != LeaderboardFormat::kMarkdown) return text + notes;
  AppendMarkdownCell(text, std::string_view(notes).substr(0, notes.size() - 1));
  return text + '\n';
}

// Returns a paragraph about names, or nothing where there are none.
std::string NamesNote(std::string_view about, const std::vector<std::string>& names,
                      LeaderboardFormat format) {
  if (names.empty()) return "";
  const std::string line = fmt::format("{}: {}", about, fmt::join(names, ", "));
  std::string note = "\n";
  if (format == LeaderboardFormat::kMarkdown) {
    AppendMarkdownCell(note, line);
  } else {
    note += line;
  }
  return note + '\n';
}

std::string UnrankedNote(std::span<const LeaderboardRow> rows, LeaderboardFormat format) {
  std::vector<std::string> names;
  for (const LeaderboardRow& row : rows) {
    if (!row.rank) names.push_back(DisplayName(row.model));
  }
  return NamesNote("Not ranked, as no id is common to another model, so that it was asked its own", names,
                   format);
}

// Returns a line on the models whose scores may come from files without a manifest; empty when there are
// none.
std::string UnverifiedNote(std::span<const LeaderboardRow> rows, LeaderboardFormat format) {
  std::vector<std::string> names;
  for (const LeaderboardRow& row : rows) {
    const std::string name = DisplayName(row.model);
    if (!row.verified && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return NamesNote("Not verified, for want of a manifest", names, format);
}

std::string RenderTables(std::span<const LeaderboardRow> rows, LeaderboardFormat format) {
  const std::string note = LookAlikeNote(rows, format) + UnverifiedNote(rows, format);
  std::string text;
  while (!rows.empty()) {
    const auto end = std::ranges::find_if(
        rows, [&](const LeaderboardRow& row) { return row.scorer != rows.front().scorer; });
    const auto of_scorer = rows.first(static_cast<std::size_t>(end - rows.begin()));
    rows = rows.subspan(of_scorer.size());
    const std::string name = DisplayName(of_scorer.front().scorer);
    if (format == LeaderboardFormat::kMarkdown) {
      text += "### ";
      AppendMarkdownCell(text, name);
      text += "\n\n";
      AppendMarkdown(TableOf(of_scorer), text);
    } else {
      text += name + '\n';
      AppendAligned(TableOf(of_scorer), /*left_columns=*/1, text);
    }
    text += UnrankedNote(of_scorer, format);
    if (!rows.empty()) text += '\n';
  }
  return text + note;
}

std::string RenderCsv(std::span<const LeaderboardRow> rows) {
  const std::vector<Column> columns = ColumnsOf(rows);
  std::string text = "scorer,model,tied_with";
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
    for (const Column& column : columns) {
      text += ',';
      if (const std::optional<double> value = column.value(row)) JsonWriter(text).Number(*value);
    }
    text += row.verified ? ",true\n" : ",false\n";
  }
  return text;
}

void WriteRow(const LeaderboardRow& row, std::span<const Column> columns, JsonWriter& json) {
  json.StartObject();
  json.Key("scorer").String(row.scorer);
  json.Key("model").String(row.model);
  json.Key("tied_with").StartArray();
  for (const std::string& model : row.tied_with) json.String(model);
  json.EndArray();
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
    WriteRow(row, columns, json);
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
