#include "engine/rank/task_scores.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/rank/scorer_matrix.h"

namespace leafscore::internal {
namespace {

constexpr char kNoTask[] = "(none)";

}  // namespace

TaskScores::TaskScores(const ScoreSheet& sheet, const IdFields& id_fields, const AskedIds& asked,
                       std::size_t models)
    : id_fields_(id_fields) {
  if (id_fields.tasks == 0) return;
  for (const std::uint32_t number : sheet.tasks.values.Sorted()) {
    names_.emplace_back(sheet.tasks.values[number]);
  }
  names_.emplace_back(kNoTask);
  std::vector<std::vector<std::uint32_t>> indexes(names_.size());
  for (std::uint32_t i = 0; i < asked.shared.size(); ++i) {
    indexes[id_fields.task[asked.shared[i]]].push_back(i);
  }
  for (std::vector<std::uint32_t>& of_task : indexes) {
    ids_.push_back(PartOf(id_fields, asked, std::move(of_task)));
  }
  own_.assign(models, std::vector<ExactSum>(names_.size()));
}

ExactSum TaskScores::SumOf(const SharedScores& scores, std::size_t task, std::size_t model) const {
  ExactSum sum;
  for (const std::uint32_t index : ids_[task].index) sum.Add(scores.Of(index, model));
  return sum;
}

void TaskScores::AddColumn(const SharedScores& scores, std::span<const std::size_t> models, std::size_t task,
                           bool test, ScoreMatrix& matrix) const {
  std::vector<std::size_t> ranked;  // ranked rows
  for (std::size_t r = 0; r < models.size(); ++r) {
    const bool is_ranked = matrix.rows[r].ranked;
    const ExactSum sum = is_ranked ? SumOf(scores, task, models[r]) : own_[models[r]][task];
    matrix.rows[r].cells.push_back({.mean = sum.Mean(), .ids = sum.count()});
    if (is_ranked) ranked.push_back(r);
  }
  MatrixColumn& column = matrix.columns.emplace_back(MatrixColumn{.value = names_[task]});
  if (!ranked.empty()) column.ids = ids_[task].index.size();
  if (ranked.size() < 2 || ids_[task].index.empty()) return;

  const auto mean_of = [&](std::size_t r) { return *matrix.rows[r].cells.back().mean; };
  std::ranges::stable_sort(ranked, std::ranges::greater(), mean_of);
  std::vector<bool> as_good(ranked.size());
  if (test) {
    std::vector<std::size_t> best_first;
    for (const std::size_t r : ranked) best_first.push_back(models[r]);
    as_good = scores.AsGoodAsFirst(ids_[task], best_first);
  }
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    matrix.rows[ranked[i]].cells.back().best = as_good[i] || mean_of(ranked[i]) == mean_of(ranked[0]);
  }
}

ScoreMatrix TaskScores::Matrix(const SharedScores& scores, std::span<const std::size_t> models,
                               std::span<const LeaderboardRow> rows, bool comparable,
                               const LeaderboardOptions& options) const {
  ScoreMatrix matrix = MatrixOf(rows, options.task);
  for (std::size_t task = 0; task < size(); ++task) {
    const auto has_own = [&](const std::vector<ExactSum>& own) { return own[task].count() > 0; };
    if (ids_[task].index.empty() && std::ranges::none_of(own_, has_own)) continue;
    AddColumn(scores, models, task, comparable && options.mark_best, matrix);
  }
  AddMeanColumn(matrix);
  AddOverAllColumn(rows, matrix);
  return matrix;
}

}  // namespace leafscore::internal
