#include "engine/rank/scorer_ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "engine/rank/asked_ids.h"
#include "engine/rank/field_scores.h"
#include "engine/rank/model_figures.h"
#include "engine/rank/model_pairs.h"
#include "engine/rank/sensitivity.h"
#include "engine/rank/shared_scores.h"
#include "engine/rank/task_scores.h"
#include "engine/statistics/families.h"
#include "engine/statistics/rank_intervals.h"
#include "engine/statistics/worst_case.h"
#include "engine/threads/parallel.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// The results of a scorer's models for the ids by which they are compared.
struct ComparedScores {
  SharedScores scores;
  std::optional<SharedScores> passes;           // if verdicts differ from scores
  std::vector<std::vector<bool>> says_nothing;  // by model and index: IdResult::says_nothing
};

// Returns whether all models have verdicts and some of the verdicts differ from the scores.
bool JudgesApart(std::span<const ModelLines> models) {
  const auto is_judged = [](const Answer& answer) { return answer.passed >= 0; };
  const auto is_apart = [](const Answer& answer) { return answer.score != (answer.passed == 1 ? 1 : 0); };
  bool any_apart = false;
  for (const ModelLines& lines : models) {
    if (std::ranges::none_of(lines.answers, is_judged)) return false;
    any_apart |= std::ranges::any_of(lines.answers, is_apart);
  }
  return any_apart;
}

double ShareThatSaysNothing(const ComparedScores& compared, std::size_t model, std::size_t other) {
  const std::vector<bool>& of_model = compared.says_nothing[model];
  const std::vector<bool>& of_other = compared.says_nothing[other];
  std::size_t ids = 0;
  for (std::size_t i = 0; i < of_model.size(); ++i) ids += of_model[i] || of_other[i];
  return static_cast<double>(ids) / static_cast<double>(of_model.size());
}

// The tests of all pairs, for scores and for verdicts.
struct AllPairs {
  ModelPairs scores;
  std::optional<ModelPairs> passes;
};

// Returns the tests of a row's model and the next one: for their scores and, unless verdicts give the same
// differences, for their verdicts.
std::vector<TestedDifference> TestNeighbours(const ComparedScores& compared,
                                             const std::optional<AllPairs>& pairs, const IdPart& all,
                                             std::span<const std::size_t> models, std::size_t r) {
  const auto differences = [&](const SharedScores& scores) {
    return scores.Differences(all, models[r], models[r + 1]);
  };
  const auto test = [&](const std::vector<Unit>& units, const ModelPairs* of_pairs) {
    return TestedDifference{of_pairs != nullptr ? of_pairs->TestOfNext(r) : SignFlipTest(units),
                            WorstCaseBound(units).EquivalenceP(kMarginThanNext)};
  };
  const std::vector<Unit> scores = differences(compared.scores);
  std::vector<TestedDifference> tested = {test(scores, pairs ? &pairs->scores : nullptr)};
  if (!compared.passes) return tested;
  const std::vector<Unit> passes = differences(*compared.passes);
  const auto sum_of = [](const Unit& unit) { return SumOf(unit); };
  if (!std::ranges::equal(scores, passes, {}, sum_of, sum_of)) {
    tested.push_back(test(passes, pairs ? &*pairs->passes : nullptr));
  }
  return tested;
}

// Fills p_next and than_next. `models` are the models of the rows.
void CompareNeighbours(const ComparedScores& compared, const std::optional<AllPairs>& pairs,
                       const IdPart& all, std::span<const std::size_t> models,
                       std::span<LeaderboardRow> rows) {
  ParallelFor(rows.size() - 1, [&](std::size_t r) {
    const std::vector<TestedDifference> tested = TestNeighbours(compared, pairs, all, models, r);
    rows[r].p_next = tested[0].test.p;
    rows[r].than_next = CompareWithNext(tested, ShareThatSaysNothing(compared, models[r], models[r + 1]));
  });
}

// Fills the results of the tests of all pairs: rank_interval, tied_with, passes_less, best and group.
void ComparePairs(const AllPairs& pairs, const LeaderboardOptions& options, std::span<LeaderboardRow> rows) {
  std::vector<double> means;
  for (const LeaderboardRow& row : rows) means.push_back(*row.over_all.mean);
  const std::vector<Interval> ranks = SimultaneousRankIntervals(means, pairs.scores.corrected(), kRankAlpha);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    rows[r].rank_interval = ranks[r];
    for (std::size_t other = 0; other < rows.size(); ++other) {
      if (other == r || pairs.scores.AreToldApart(r, other)) continue;
      rows[r].tied_with.push_back(rows[other].model);
      rows[r].best |= options.mark_best && rows[other].rank == 1;
    }
  }
  if (options.groups) {
    if (auto letters = pairs.scores.Letters()) {
      for (std::size_t r = 0; r < rows.size(); ++r) rows[r].group = std::move((*letters)[r]);
    }
  }
  if (!pairs.passes) return;
  for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
    rows[r].passes_less =
        pairs.passes->AreToldApart(r, r + 1) && rows[r].over_all.pass_rate < rows[r + 1].over_all.pass_rate;
  }
}

// Fills the test results of ranked models that were asked the same questions. `models` are the models of the
// rows.
void Compare(const ComparedScores& compared, const IdPart& all, const LeaderboardOptions& options,
             std::span<const std::size_t> models, std::span<LeaderboardRow> rows) {
  std::optional<AllPairs> pairs;
  if (rows.size() <= kMaxGrouped.max) {
    pairs.emplace(AllPairs{ModelPairs(compared.scores, all, models), {}});
    if (compared.passes) pairs->passes.emplace(*compared.passes, all, models);
    ComparePairs(*pairs, options, rows);
  }
  CompareNeighbours(compared, pairs, all, models, rows);
}

void CheckGroups(std::size_t models) {
  if (models <= kMaxGrouped.max) return;
  throw Error(ErrorCode::kInput, fmt::format("{} tests all pairs of at most {} models, but there are {}",
                                             kMaxGrouped.option, kMaxGrouped.max, models));
}

// Fills the row of each model, `compared`, `tasks` and `fields`. RETURNS: whether the ranked models can be
// compared id by id.
bool FillRows(const ScoreSheet& sheet, const AskedIds& asked, const IdFields& id_fields,
              const LeaderboardOptions& options, std::span<const ModelLines> lines, ComparedScores& compared,
              TaskScores& tasks, FieldScores& fields, std::vector<LeaderboardRow>& of_model) {
  bool comparable = true;
  for (std::size_t m = 0; m < lines.size(); ++m) {
    LeaderboardRow& row = of_model[m];
    row.model = sheet.models[lines[m].model];
    const bool is_apart = asked.apart[lines[m].model];
    const auto add = [&](std::uint32_t id, const IdResult& result, LineNumbers numbers) {
      if (options.fields) fields.Add(m, id, lines[m], numbers);
      const std::uint32_t index = asked.index[id];
      if (is_apart) {
        if (tasks.size() > 0) tasks.AddOwn(m, id, result.score);
      } else if (index != AskedIds::kNotShared) {
        compared.scores.Set(index, m, result.score);
        if (compared.passes) compared.passes->Set(index, m, result.passed);
        compared.says_nothing[m][index] = result.says_nothing;
      }
    };
    const bool id_by_id = FillRow(sheet, asked, lines[m], id_fields, options, add, row);
    comparable &= id_by_id || is_apart;
    if (options.common_only) row.common_ids = asked.shared.size();
    if (lines.size() == 1) row.own.reset();
  }
  return comparable;
}

// Returns the ranked models sorted by mean, best first, then the unranked models by name. The means of
// unranked models are over different questions, so the models cannot be sorted by them.
std::vector<std::size_t> BestFirst(std::span<const LeaderboardRow> of_model,
                                   const std::function<bool(std::size_t model)>& is_ranked) {
  std::vector<std::size_t> best_first(of_model.size());
  std::iota(best_first.begin(), best_first.end(), std::size_t{0});
  // Scores are never below 0.
  const auto mean_of = [&](std::size_t m) {
    return is_ranked(m) ? of_model[m].over_all.mean.value_or(-1) : -1;
  };
  std::ranges::sort(best_first, [&](std::size_t a, std::size_t b) {
    const double mean_a = mean_of(a);
    const double mean_b = mean_of(b);
    return mean_a != mean_b ? mean_a > mean_b : of_model[a].model < of_model[b].model;
  });
  return best_first;
}

// Fills rank and, if there are several rows, best. REQUIRES: ranked rows, best first.
void SetRanks(std::span<LeaderboardRow> rows) {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const bool equal = r > 0 && rows[r - 1].over_all.mean == rows[r].over_all.mean;
    rows[r].rank = equal ? rows[r - 1].rank : static_cast<std::uint32_t>(r + 1);
    rows[r].best = rows.size() > 1 && rows[r].rank == 1;
  }
}

}  // namespace

ThanNext CompareWithNext(std::span<const TestedDifference> rows, double say_nothing) {
  const double alpha = ComparisonOptions().alpha;
  const bool is_known = say_nothing <= kMarginThanNext;
  std::vector<double> p_equivalence;
  std::vector<double> p;  // only rows that changed can give a false alarm
  std::vector<double> least_p;
  for (const TestedDifference& row : rows) {
    p_equivalence.push_back(row.p_equivalence);
    if (row.test.differing() == 0) continue;
    p.push_back(row.test.p);
    least_p.push_back(row.test.least_p);
  }
  p_equivalence = HolmCorrected(p_equivalence);
  p = HolmAttainableCorrected(p, least_p);

  bool all_equivalent = true;
  bool any_better = false;
  auto corrected = p.begin();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SignFlipResult& test = rows[i].test;
    const bool is_sure = test.differing() > 0 && *corrected++ < alpha;
    if (is_known && p_equivalence[i] < alpha) continue;
    all_equivalent = false;
    if (is_sure && test.difference < 0) return ThanNext::kWorse;
    any_better |= is_sure;
  }
  if (any_better) return ThanNext::kBetter;
  return all_equivalent ? ThanNext::kNoWorse : ThanNext::kCannotTell;
}

ScorerRanking RankModels(const ScoreSheet& sheet, std::uint32_t scorer, const IdFields& id_fields,
                         const LeaderboardOptions& options) {
  const std::span<const ModelLines> lines = sheet.by_scorer[scorer];
  const AskedIds asked = FindAsked(sheet, scorer, options);
  const std::size_t ids = asked.shared.size();
  std::vector<std::uint32_t> indexes(ids);
  std::iota(indexes.begin(), indexes.end(), 0u);
  const IdPart all = PartOf(id_fields, asked, std::move(indexes));
  ComparedScores compared{.scores = SharedScores(ids, lines.size()),
                          .passes = {},
                          .says_nothing = {lines.size(), std::vector<bool>(ids)}};
  if (JudgesApart(lines)) compared.passes.emplace(ids, lines.size());
  TaskScores tasks(sheet, id_fields, asked, lines.size());
  std::vector<LeaderboardRow> of_model(lines.size(),
                                       LeaderboardRow{.scorer = std::string(sheet.scorers[scorer])});
  FieldScores fields(sheet, asked);
  const bool id_by_id = FillRows(sheet, asked, id_fields, options, lines, compared, tasks, fields, of_model);
  const bool comparable = id_by_id && all.units > 1;

  const auto is_ranked = [&](std::size_t m) { return !asked.apart[lines[m].model]; };
  const std::vector<std::size_t> best_first = BestFirst(of_model, is_ranked);
  ScorerRanking ranking;
  for (const std::size_t m : best_first) ranking.rows.push_back(std::move(of_model[m]));
  const auto models =
      std::span(best_first).first(static_cast<std::size_t>(std::ranges::count_if(best_first, is_ranked)));
  const auto rows = std::span(ranking.rows).first(models.size());
  SetRanks(rows);
  if (options.groups) CheckGroups(rows.size());
  if (comparable && rows.size() > 1) Compare(compared, all, options, models, rows);
  if (!fields.empty()) ranking.by_field = fields.Matrix(best_first, ranking.rows);
  if (tasks.size() == 0) return ranking;
  ranking.by_task = tasks.Matrix(compared.scores, best_first, ranking.rows, comparable, options);
  if (comparable) ranking.sensitivity = LeaveTasksOut(compared.scores, tasks, models, ranking.rows);
  return ranking;
}

}  // namespace leafscore::internal
