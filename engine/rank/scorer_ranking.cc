#include "engine/rank/scorer_ranking.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/rank/asked_ids.h"
#include "engine/rank/model_figures.h"
#include "engine/rank/model_groups.h"
#include "engine/rank/rank_bootstrap.h"
#include "engine/rank/sensitivity.h"
#include "engine/rank/shared_scores.h"
#include "engine/rank/task_scores.h"

namespace leafscore::internal {
namespace {

// Fills rank_interval, tied_with, p_next, best and group. `models` are those of the rows.
void Compare(const SharedScores& scores, const IdPart& all, const LeaderboardOptions& options,
             std::span<const std::size_t> models, std::span<LeaderboardRow> rows) {
  for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
    rows[r].p_next = scores.PairedTest(all, models[r], models[r + 1]);
    if (*rows[r].p_next <= kTiedAbove) continue;
    rows[r].tied_with.push_back(rows[r + 1].model);
    rows[r + 1].tied_with.push_back(rows[r].model);
  }
  if (options.mark_best) {
    const std::vector<bool> as_good = scores.AsGoodAsFirst(all, models.first(rows.size()));
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r].best |= as_good[r];
  }
  if (options.groups) {
    if (auto letters = GroupLetters(scores, all, models.first(rows.size()))) {
      for (std::size_t r = 0; r < rows.size(); ++r) rows[r].group = std::move((*letters)[r]);
    }
  }
  const std::vector<Interval> intervals = RankIntervals(scores.UnitSums(all), scores.models());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Interval& interval = rows[r].rank_interval.emplace(intervals[models[r]]);
    // Of few records resamples may show one order only, though chance could have given the other.
    const auto may_be = [&](const LeaderboardRow& neighbour) {
      interval.low = std::min<double>(interval.low, *neighbour.rank);
      interval.high = std::max<double>(interval.high, *neighbour.rank);
    };
    if (r > 0 && *rows[r - 1].p_next > kTiedAbove) may_be(rows[r - 1]);
    if (r + 1 < rows.size() && *rows[r].p_next > kTiedAbove) may_be(rows[r + 1]);
  }
}

}  // namespace

ScorerRanking RankModels(const ScoreSheet& sheet, std::uint32_t scorer, const IdOrder& order,
                         const LeaderboardOptions& options) {
  const std::span<const ModelLines> lines = sheet.by_scorer[scorer];
  const AskedIds asked = FindAsked(sheet, lines, order.place);
  std::vector<std::uint32_t> indexes(asked.shared.size());
  std::iota(indexes.begin(), indexes.end(), 0u);
  const IdPart all = PartOf(order, asked, std::move(indexes));
  SharedScores scores(asked.shared.size(), lines.size());
  TaskScores tasks(sheet, order, asked, lines.size());
  bool comparable = all.units > 1;
  std::vector<LeaderboardRow> of_model(lines.size());
  for (std::size_t m = 0; m < lines.size(); ++m) {
    of_model[m].model = sheet.models[lines[m].model];
    of_model[m].scorer = sheet.scorers[scorer];
    const auto add_score = [&](std::uint32_t id, double score) {
      if (asked.index[id] != AskedIds::kNotShared) {
        scores.Set(asked.index[id], m, score);
      } else if (tasks.size() > 0 && asked.apart[lines[m].model]) {
        tasks.AddOwn(m, id, score);
      }
    };
    const bool id_by_id = FillRow(sheet, asked, lines[m], order, options, add_score, of_model[m]);
    comparable &= id_by_id || asked.apart[lines[m].model];
    if (lines.size() == 1) of_model[m].own.reset();
  }

  std::vector<std::size_t> best_first(lines.size());
  std::iota(best_first.begin(), best_first.end(), std::size_t{0});
  const auto is_ranked = [&](std::size_t m) { return !asked.apart[lines[m].model]; };
  // Means over other questions tell no order; those without one come last, as no score is below 0.
  const auto mean_of = [&](std::size_t m) {
    return is_ranked(m) ? of_model[m].over_all.mean.value_or(-1) : -1;
  };
  std::ranges::sort(best_first, [&](std::size_t a, std::size_t b) {
    const double mean_a = mean_of(a);
    const double mean_b = mean_of(b);
    return mean_a != mean_b ? mean_a > mean_b : of_model[a].model < of_model[b].model;
  });
  ScorerRanking ranking;
  std::vector<LeaderboardRow>& rows = ranking.rows;
  for (const std::size_t m : best_first) {
    LeaderboardRow& row = rows.emplace_back(std::move(of_model[m]));
    if (!is_ranked(m)) continue;
    const std::size_t r = rows.size() - 1;
    const bool equal = r > 0 && rows[r - 1].over_all.mean == row.over_all.mean;
    row.rank = equal ? rows[r - 1].rank : static_cast<std::uint32_t>(rows.size());
  }
  const auto ranked = static_cast<std::size_t>(std::ranges::count_if(best_first, is_ranked));
  if (ranked > 1) {
    for (LeaderboardRow& row : std::span(rows).first(ranked)) row.best = row.rank == 1;
    if (comparable) Compare(scores, all, options, best_first, std::span(rows).first(ranked));
  }
  if (tasks.size() == 0) return ranking;
  ranking.by_task = tasks.Matrix(scores, best_first, rows, comparable, options);
  if (comparable) {
    ranking.sensitivity = LeaveTasksOut(scores, tasks, std::span(best_first).first(ranked), rows);
  }
  return ranking;
}

}  // namespace leafscore::internal
