#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/json/json_writer.h"
#include "engine/report/human_numbers.h"
#include "engine/report/text_table.h"
#include "leafscore/leaderboard.h"

namespace leafscore {

using namespace internal;

namespace {

struct Column {
  std::string_view name;  // in CSV and JSON
  std::string_view title;
  bool is_count;
  std::optional<double> (*value)(const LeaderboardRow& row);
};

template <auto kMember>
std::optional<double> Value(const LeaderboardRow& row) {
  return row.*kMember;
}

template <auto kMember>
std::optional<double> Count(const LeaderboardRow& row) {
  return static_cast<double>(row.*kMember);
}

template <auto kMember>
std::optional<double> PassBound(const LeaderboardRow& row) {
  return row.pass_interval ? std::optional(*row.pass_interval.*kMember) : std::nullopt;
}

std::optional<double> Records(const LeaderboardRow& row) {
  return static_cast<double>(row.scored + row.unreadable + row.errors);
}

constexpr Column kColumns[] = {
    {"rank", "rank", true, Value<&LeaderboardRow::rank>},
    {"records", "n", true, Records},
    {"scored", "scored", true, Count<&LeaderboardRow::scored>},
    {"unreadable", "unread.", true, Count<&LeaderboardRow::unreadable>},
    {"errors", "errors", true, Count<&LeaderboardRow::errors>},
    {"mean", "mean", false, Value<&LeaderboardRow::mean>},
    {"standard_error", "±se", false, Value<&LeaderboardRow::standard_error>},
    {"clusters", "clusters", true, Value<&LeaderboardRow::clusters>},
    {"mean_of_all", "mean of all", false, Value<&LeaderboardRow::mean_of_all>},
    {"pass_rate", "pass", false, Value<&LeaderboardRow::pass_rate>},
    {"pass_rate_low", "95% from", false, PassBound<&Interval::low>},
    {"pass_rate_high", "to", false, PassBound<&Interval::high>},
    {"precision", "precision", false, Value<&LeaderboardRow::precision>},
    {"recall", "recall", false, Value<&LeaderboardRow::recall>},
    {"f1", "f1", false, Value<&LeaderboardRow::f1>},
};

// The rows of one scorer, with their titles on top.
std::vector<TextRow> TableOf(std::span<const LeaderboardRow> rows) {
  std::vector<TextRow> table = {{"model"}};
  for (const LeaderboardRow& row : rows) table.push_back({DisplayName(row.model)});
  for (const Column& column : kColumns) {
    if (std::ranges::none_of(rows,
                             [&](const LeaderboardRow& row) { return column.value(row).has_value(); })) {
      continue;
    }
    table[0].emplace_back(column.title);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::optional<double> value = column.value(rows[r]);
      table[r + 1].push_back(column.is_count && value ? WithThousands(static_cast<std::uint64_t>(*value))
                                                      : FourDecimals(value));
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

// Returns a line on the models whose scores may come from files without a manifest; empty when there are
// none.
std::string UnverifiedNote(std::span<const LeaderboardRow> rows, LeaderboardFormat format) {
  std::vector<std::string> names;
  for (const LeaderboardRow& row : rows) {
    const std::string name = DisplayName(row.model);
    if (!row.verified && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  if (names.empty()) return "";
  const std::string line = fmt::format("Not verified, for want of a manifest: {}", fmt::join(names, ", "));
  std::string note = "\n";
  if (format == LeaderboardFormat::kMarkdown) {
    AppendMarkdownCell(note, line);
  } else {
    note += line;
  }
  return note + '\n';
}

std::string RenderTables(std::span<const LeaderboardRow> rows, LeaderboardFormat format) {
  const std::string note = UnverifiedNote(rows, format);
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
    if (!rows.empty()) text += '\n';
  }
  return text + note;
}

std::string RenderCsv(std::span<const LeaderboardRow> rows) {
  std::string text = "scorer,model";
  for (const Column& column : kColumns) (text += ',') += column.name;
  text += ",verified\n";
  for (const LeaderboardRow& row : rows) {
    AppendCsvField(text, row.scorer);
    text += ',';
    AppendCsvField(text, row.model);
    for (const Column& column : kColumns) {
      text += ',';
      if (const std::optional<double> value = column.value(row)) JsonWriter(text).Number(*value);
    }
    text += row.verified ? ",true\n" : ",false\n";
  }
  return text;
}

// A row a line.
std::string RenderJson(std::span<const LeaderboardRow> rows) {
  std::string text;
  std::string line;
  JsonWriter lines(text, JsonLayout::kIndented);
  lines.StartArray();
  for (const LeaderboardRow& row : rows) {
    line.clear();
    JsonWriter json(line);
    json.StartObject();
    json.Key("scorer").String(row.scorer);
    json.Key("model").String(row.model);
    for (const Column& column : kColumns) json.Key(column.name).Number(column.value(row));
    json.Key("verified").Bool(row.verified);
    json.EndObject();
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
