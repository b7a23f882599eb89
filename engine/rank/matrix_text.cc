#include <fmt/format.h>

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

std::string_view NameOf(MatrixColumn::Kind kind) {
  if (kind == MatrixColumn::Kind::kValue) return "value";
  return kind == MatrixColumn::Kind::kMean ? "mean" : "over_all";
}

std::string TitleOf(const MatrixColumn& column) {
  if (column.kind == MatrixColumn::Kind::kValue) return DisplayName(column.value);
  return column.kind == MatrixColumn::Kind::kMean ? "mean" : "over all";
}

std::string TitleOf(const ScoreMatrix& matrix) {
  std::string title = matrix.scorer ? DisplayName(*matrix.scorer) + ", mean" : "mean";
  title += " by " + DisplayName(matrix.field);
  if (!matrix.common_only) return title;
  const std::optional<std::uint64_t> ids = matrix.columns.back().ids;  // of each scorer its own
  return title + (ids ? fmt::format(", over the {} ids that all have", WithThousands(*ids))
                      : ", over the ids that all have");
}

BoardTable TableOf(const ScoreMatrix& matrix) {
  BoardTable table{.rows = {{"model"}}, .foot_rows = 1, .plain_mark = "*"};
  for (const MatrixColumn& column : matrix.columns) table.rows[0].push_back(TitleOf(column));
  for (const MatrixRow& row : matrix.rows) {
    TextRow& texts = table.rows.emplace_back(TextRow{DisplayName(row.model)});
    for (const MatrixCell& cell : row.cells) {
      if (cell.best) table.bold.insert({table.rows.size() - 1, texts.size()});
      texts.push_back(FourDecimals(cell.mean));
    }
  }
  TextRow& foot = table.rows.emplace_back(TextRow{"ids"});
  for (const MatrixColumn& column : matrix.columns) {
    foot.push_back(column.ids ? WithThousands(*column.ids) : "-");
  }
  return table;
}

std::string RenderTables(std::span<const ScoreMatrix> matrices, LeaderboardFormat format) {
  std::string text(TableHead(format));
  std::vector<LeaderboardRow> models;
  for (const ScoreMatrix& matrix : matrices) {
    if (!models.empty()) text += '\n';
    AppendTable(TitleOf(matrix), TableOf(matrix), format, text);
    std::vector<std::string> unranked;
    for (const MatrixRow& row : matrix.rows) {
      models.push_back({.model = row.model, .verified = row.verified});
      if (!row.ranked) unranked.push_back(DisplayName(row.model));
    }
    AppendNamesNote("Not ranked, as they were asked other ids or lack a scorer", unranked, format, text);
  }
  AppendModelNotes(models, format, text);
  return text;
}

// Calls write(matrix, row, column, cell) for each cell.
template <class Write>
void ForEachCell(std::span<const ScoreMatrix> matrices, Write write) {
  for (const ScoreMatrix& matrix : matrices) {
    for (const MatrixRow& row : matrix.rows) {
      for (std::size_t c = 0; c < row.cells.size(); ++c) {
        write(matrix, row, matrix.columns[c], row.cells[c]);
      }
    }
  }
}

std::string RenderCsv(std::span<const ScoreMatrix> matrices) {
  std::string text = "scorer,model,field,column,value,ids,mean,best,verified\n";
  ForEachCell(matrices, [&](const ScoreMatrix& matrix, const MatrixRow& row, const MatrixColumn& column,
                            const MatrixCell& cell) {
    AppendCsvField(text, matrix.scorer.value_or(""));
    text += ',';
    AppendCsvField(text, row.model);
    text += ',';
    AppendCsvField(text, matrix.field);
    (text += ',') += NameOf(column.kind);
    text += ',';
    AppendCsvField(text, column.value);
    text += ',';
    if (column.kind != MatrixColumn::Kind::kMean) JsonWriter(text).Integer(cell.ids);
    text += ',';
    if (cell.mean) JsonWriter(text).Number(*cell.mean);
    text += cell.best ? ",true" : ",false";
    text += row.verified ? ",true\n" : ",false\n";
  });
  return text;
}

// A cell a line.
std::string RenderJson(std::span<const ScoreMatrix> matrices) {
  std::string text;
  std::string line;
  JsonWriter lines(text, JsonLayout::kIndented);
  lines.StartArray();
  ForEachCell(matrices, [&](const ScoreMatrix& matrix, const MatrixRow& row, const MatrixColumn& column,
                            const MatrixCell& cell) {
    const auto text_or_null = [](JsonWriter& json, bool is_text, std::string_view value) {
      if (is_text) {
        json.String(value);
      } else {
        json.Null();
      }
    };
    line.clear();
    JsonWriter json(line);
    json.StartObject();
    text_or_null(json.Key("scorer"), matrix.scorer.has_value(), matrix.scorer.value_or(""));
    json.Key("model").String(row.model);
    json.Key("field").String(matrix.field);
    json.Key("column").String(NameOf(column.kind));
    text_or_null(json.Key("value"), column.kind == MatrixColumn::Kind::kValue, column.value);
    if (column.kind == MatrixColumn::Kind::kMean) {
      json.Key("ids").Null();
    } else {
      json.Key("ids").Integer(cell.ids);
    }
    json.Key("mean").Number(cell.mean);
    json.Key("best").Bool(cell.best);
    json.Key("verified").Bool(row.verified);
    json.EndObject();
    lines.Raw(line);
  });
  lines.EndArray();
  return text + '\n';
}

}  // namespace

std::string RenderMatrices(std::span<const ScoreMatrix> matrices, LeaderboardFormat format) {
  switch (format) {
    case LeaderboardFormat::kCsv:
      return RenderCsv(matrices);
    case LeaderboardFormat::kJson:
      return RenderJson(matrices);
    default:
      return RenderTables(matrices, format);
  }
}

}  // namespace leafscore
