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

void AddMeanColumn(ScoreMatrix& matrix) {
  std::optional<double> best;
  std::size_t ranked = 0;
  for (MatrixRow& row : matrix.rows) {
    const std::optional<double> mean = MeanOf(row.cells);
    row.cells.push_back({.mean = mean});
    if (!row.ranked || !mean) continue;
    ++ranked;
    best = std::max(best, mean);
  }
  matrix.columns.push_back({.kind = MatrixColumn::Kind::kMean});
  for (MatrixRow& row : matrix.rows)
    row.cells.back().best = ranked > 1 && row.ranked && row.cells.back().mean == best;
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
    row.ranked &= MeanOf(row.cells).has_value();  // it may lack a scorer
    matrix.rows.push_back(std::move(row));
  }
  AddMeanColumn(matrix);
  std::ranges::stable_sort(matrix.rows, std::ranges::greater(), [](const MatrixRow& row) {
    return std::tuple(row.ranked, row.cells.back().mean);
  });
  return matrix;
}

}  // namespace leafscore::internal
