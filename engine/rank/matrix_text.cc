#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/json/json_writer.h"
#include "engine/rank/board_notes.h"
#include "engine/render/cells.h"
#include "engine/render/figures.h"
#include "leafscore/leaderboard.h"

namespace leafscore {

using namespace internal;

namespace {

std::string TitleOf(const MatrixColumn& column) {
  if (column.kind == MatrixColumn::Kind::kValue) return DisplayName(column.value);
  return column.kind == MatrixColumn::Kind::kMean ? "mean" : "over all";
}

std::string TitleOf(const ScoreMatrix& matrix) {
  std::string title = matrix.scorer ? DisplayName(*matrix.scorer) + ", mean" : "mean";
  title += " by " + DisplayName(matrix.field);
  if (!matrix.common_only) return title;
  const std::optional<std::uint64_t> ids = matrix.columns.back().ids;  // scorers have ids of their own
  return title + (ids ? fmt::format(", over the {} ids that all have", WithThousands(*ids))
                      : ", over the ids that all have");
}

Table MatrixTable(const ScoreMatrix& matrix) {
  Table table{.rows = {{"model"}}, .foot_rows = 1, .plain_mark = "*"};
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

Document DocumentOf(std::span<const ScoreMatrix> matrices) {
  Document document;
  std::vector<LeaderboardRow> models;
  for (const ScoreMatrix& matrix : matrices) {
    Section section{.title = TitleOf(matrix), .table = MatrixTable(matrix)};
    std::vector<std::string> unranked;
    for (const MatrixRow& row : matrix.rows) {
      models.push_back({.model = row.model, .verified = row.verified});
      if (!row.ranked) unranked.push_back(DisplayName(row.model));
    }
    AddNamesNote("Not ranked, as they were asked other ids or lack a scorer", unranked, section);
    document.sections.push_back(std::move(section));
  }
  document.sections.push_back(ModelNotes(models));
  return document;
}

// A cell and its position.
struct PlacedCell {
  const ScoreMatrix* matrix;
  const MatrixRow* row;
  const MatrixColumn* column;
  const MatrixCell* cell;
};

std::vector<PlacedCell> CellsOf(std::span<const ScoreMatrix> matrices) {
  std::vector<PlacedCell> cells;
  for (const ScoreMatrix& matrix : matrices) {
    for (const MatrixRow& row : matrix.rows) {
      for (std::size_t c = 0; c < row.cells.size(); ++c) {
        cells.push_back({&matrix, &row, &matrix.columns[c], &row.cells[c]});
      }
    }
  }
  return cells;
}

FigureList<PlacedCell> CellFigures() {
  using Cell = PlacedCell;
  using Kind = MatrixColumn::Kind;
  return {
      {"", "scorer", "", [](const Cell& c) { return c.matrix->scorer; }},
      {"", "model", "", [](const Cell& c) { return c.row->model; }},
      {"", "field", "", [](const Cell& c) { return c.matrix->field; }},
      {"", "column", "",
       [](const Cell& c) {
         const Kind kind = c.column->kind;
         return std::string_view(kind == Kind::kValue ? "value" : kind == Kind::kMean ? "mean" : "over_all");
       }},
      {"", "value", "",
       [](const Cell& c) {
         return c.column->kind == Kind::kValue ? std::optional(c.column->value) : std::nullopt;
       }},
      {"", "ids", "",
       [](const Cell& c) {
         return c.column->kind == Kind::kMean ? std::nullopt : std::optional(c.cell->ids);
       }},
      {"", "mean", "", [](const Cell& c) { return c.cell->mean; }},
      {"", "best", "", [](const Cell& c) { return c.cell->best; }},
      {"", "verified", "", [](const Cell& c) { return c.row->verified; }}};
}

}  // namespace

std::string RenderMatrices(std::span<const ScoreMatrix> matrices, LeaderboardFormat format) {
  if (format == LeaderboardFormat::kCsv) return CsvOf(CellFigures(), CellsOf(matrices));
  if (format != LeaderboardFormat::kJson) return RenderBoard(DocumentOf(matrices), format);
  std::string text;
  JsonWriter json(text, JsonLayout::kIndented);
  WriteLines(CellFigures(), CellsOf(matrices), json);
  return text + '\n';
}

}  // namespace leafscore
