#include "engine/rank/scorer_ranking.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/rank/asked_ids.h"
#include "engine/rank/model_figures.h"
#include "engine/rank/rank_bootstrap.h"
#include "engine/statistics/sign_flip.h"

namespace leafscore::internal {
namespace {

constexpr double kTiedAbove = 0.05;  // two-sided

// The scores of all models for each unit, which is what can be drawn or exchanged without regard to others:
// an id, or a cluster with the sum of its ids' scores.
struct UnitScores {
  std::size_t models;
  std::vector<std::uint32_t> unit_of;  // by index of AskedIds::shared
  std::vector<double> scores;          // of a unit and model: [unit * models + model]

  std::size_t units() const { return scores.size() / models; }
};

UnitScores NoScores(const IdOrder& order, const AskedIds& asked, std::size_t models) {
  UnitScores result{models, std::vector<std::uint32_t>(asked.shared.size()), {}};
  std::uint32_t units = 0;
  if (order.clusters == 0) {
    std::iota(result.unit_of.begin(), result.unit_of.end(), 0u);
    units = static_cast<std::uint32_t>(asked.shared.size());
  } else {  // those that this scorer has ids of
    std::vector<std::uint32_t> unit_of_cluster(order.clusters, ScoreSheet::kNoCluster);
    for (std::size_t i = 0; i < asked.shared.size(); ++i) {
      std::uint32_t& unit = unit_of_cluster[order.cluster[asked.shared[i]]];
      if (unit == ScoreSheet::kNoCluster) unit = units++;
      result.unit_of[i] = unit;
    }
  }
  result.scores.resize(units * models);
  return result;
}

double PairedTest(const UnitScores& scores, std::size_t model, std::size_t other) {
  std::vector<double> differences(scores.units());
  for (std::size_t unit = 0; unit < differences.size(); ++unit) {
    differences[unit] =
        scores.scores[unit * scores.models + model] - scores.scores[unit * scores.models + other];
  }
  return SignFlipTest(differences);
}

// Fills rank_interval, tied_with and p_next. `models` are those of the rows.
void Compare(UnitScores scores, std::span<const std::size_t> models, std::span<LeaderboardRow> rows) {
  for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
    rows[r].p_next = PairedTest(scores, models[r], models[r + 1]);
    if (*rows[r].p_next <= kTiedAbove) continue;
    rows[r].tied_with.push_back(rows[r + 1].model);
    rows[r + 1].tied_with.push_back(rows[r].model);
  }
  const std::vector<Interval> intervals = RankIntervals(std::move(scores.scores), scores.models);
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

std::vector<LeaderboardRow> RankModels(const ScoreSheet& sheet, std::uint32_t scorer, const IdOrder& order,
                                       const LeaderboardOptions& options) {
  const std::span<const ModelLines> lines = sheet.by_scorer[scorer];
  const AskedIds asked = FindAsked(sheet, lines, order.place);
  UnitScores scores = NoScores(order, asked, lines.size());
  bool comparable = scores.units() > 1;
  std::vector<LeaderboardRow> of_model(lines.size());
  for (std::size_t m = 0; m < lines.size(); ++m) {
    of_model[m].model = sheet.models[lines[m].model];
    of_model[m].scorer = sheet.scorers[scorer];
    const auto add_score = [&](std::uint32_t index, double score) {
      scores.scores[scores.unit_of[index] * scores.models + m] += score;
    };
    const bool id_by_id = FillRow(sheet, asked, lines[m], order, options, add_score, of_model[m]);
    comparable &= id_by_id || asked.apart[lines[m].model];
    if (lines.size() == 1) of_model[m].own.reset();
  }

  std::vector<std::size_t> best_first(lines.size());
  std::iota(best_first.begin(), best_first.end(), std::size_t{0});
  const auto is_ranked = [&](std::size_t m) { return !asked.apart[lines[m].model]; };
  std::ranges::sort(best_first, [&](std::size_t a, std::size_t b) {
    // Means over other questions tell no order.
    const std::optional<double> mean_a = is_ranked(a) ? of_model[a].over_all.mean : std::nullopt;
    const std::optional<double> mean_b = is_ranked(b) ? of_model[b].over_all.mean : std::nullopt;
    return mean_a != mean_b ? mean_a > mean_b : of_model[a].model < of_model[b].model;
  });
  std::vector<LeaderboardRow> rows;
  for (const std::size_t m : best_first) {
    LeaderboardRow& row = rows.emplace_back(std::move(of_model[m]));
    if (!is_ranked(m)) continue;
    const std::size_t r = rows.size() - 1;
    const bool equal = r > 0 && rows[r - 1].over_all.mean == row.over_all.mean;
    row.rank = equal ? rows[r - 1].rank : static_cast<std::uint32_t>(rows.size());
  }
  const auto ranked = static_cast<std::size_t>(std::ranges::count_if(best_first, is_ranked));
  if (comparable && ranked > 1) Compare(std::move(scores), best_first, std::span(rows).first(ranked));
  return rows;
}

}  // namespace leafscore::internal
