#include "engine/rank/scorer_matrix.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "engine/base/exact_sum.h"

namespace leafscore::internal {
namespace {

std::optional<double> MeanOf(const std::vector<MatrixCell>& cells) {
  ExactSum sum;
  for (const MatrixCell& cell : cells) {
    if (!cell.mean) return std::nullopt;
    sum.Add(*cell.mean);
  }
  return sum.Mean();
}

}  // namespace

ScoreMatrix MatrixOf(std::span<const LeaderboardRow> rows, std::string field) {
  ScoreMatrix matrix{.scorer = rows[0].scorer, .field = std::move(field)};
  for (const LeaderboardRow& row : rows) {
    matrix.rows.push_back({.model = row.model, .ranked = row.rank.has_value()});
  }
  return matrix;
}

void MarkBest(ScoreMatrix& matrix) {
  std::optional<double> best;
  std::size_t ranked = 0;
  for (const MatrixRow& row : matrix.rows) {
    if (!row.ranked || !row.cells.back().mean) continue;
    ++ranked;
    best = std::max(best, row.cells.back().mean);
  }
  for (MatrixRow& row : matrix.rows)
    row.cells.back().best = ranked > 1 && row.ranked && row.cells.back().mean == best;
}

void AddMeanColumn(ScoreMatrix& matrix) {
  for (MatrixRow& row : matrix.rows) row.cells.push_back({.mean = MeanOf(row.cells)});
  matrix.columns.push_back({.kind = MatrixColumn::Kind::kMean});
  MarkBest(matrix);
}

void AddOverAllColumn(std::span<const LeaderboardRow> rows, ScoreMatrix& matrix) {
  MatrixColumn& over_all = matrix.columns.emplace_back(MatrixColumn{.kind = MatrixColumn::Kind::kOverAll});
  for (std::size_t r = 0; r < rows.size(); ++r) {
    matrix.rows[r].cells.push_back(
        {.mean = rows[r].over_all.mean, .ids = rows[r].asked, .best = rows[r].best});
    if (rows[r].rank) over_all.ids = rows[r].asked;
  }
}

ScoreMatrix ScorerMatrix(std::span<const LeaderboardRow> rows) {
  ScoreMatrix matrix{.field = "scorer"};
  std::map<std::string, MatrixRow> by_model;
  for (const LeaderboardRow& row : rows) {
    if (matrix.columns.empty() || matrix.columns.back().value != row.scorer) {
      matrix.columns.push_back({.value = row.scorer});
    }
    if (row.rank) matrix.columns.back().ids = row.asked;
    MatrixRow& of_model = by_model[row.model];
    of_model.model = row.model;
    of_model.ranked &= row.rank.has_value();
    of_model.cells.resize(matrix.columns.size() - 1);
    of_model.cells.push_back({.mean = row.over_all.mean, .ids = row.asked, .best = row.best});
  }
  for (auto& [model, row] : by_model) {
    row.cells.resize(matrix.columns.size());
    row.ranked &= MeanOf(row.cells).has_value();  // the model may lack a scorer
    matrix.rows.push_back(std::move(row));
  }
  AddMeanColumn(matrix);
  std::ranges::stable_sort(matrix.rows, std::ranges::greater(), [](const MatrixRow& row) {
    return std::tuple(row.ranked, row.cells.back().mean);
  });
  return matrix;
}

}  // namespace leafscore::internal
