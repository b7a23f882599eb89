#include "engine/rank/sensitivity.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "engine/base/exact_sum.h"
#include "engine/statistics/kendall_tau.h"

namespace leafscore::internal {
namespace {

// Returns the rank of each mean: 1 plus the number of larger ones.
std::vector<std::uint32_t> RanksOf(const std::vector<double>& means) {
  std::vector<double> best_first = means;
  std::ranges::sort(best_first, std::greater());
  std::vector<std::uint32_t> ranks;
  for (const double mean : means) {
    const auto first = std::ranges::lower_bound(best_first, mean, std::greater());
    ranks.push_back(static_cast<std::uint32_t>(first - best_first.begin()) + 1);
  }
  return ranks;
}

std::vector<double> MeansOf(std::span<const ExactSum> sums) {
  std::vector<double> means;
  for (const ExactSum& sum : sums) means.push_back(*sum.Mean());
  return means;
}

}  // namespace

std::vector<ScorerAgreement> CompareScorers(std::span<const LeaderboardRow> rows) {
  std::vector<std::string> scorers;
  std::vector<std::map<std::string, double>> means;  // by scorer and model
  for (const LeaderboardRow& row : rows) {
    if (scorers.empty() || scorers.back() != row.scorer) {
      scorers.push_back(row.scorer);
      means.emplace_back();
    }
    if (row.rank && row.over_all.mean) means.back().emplace(row.model, *row.over_all.mean);
  }
  std::vector<ScorerAgreement> pairs;
  for (std::size_t i = 0; i < scorers.size(); ++i) {
    for (std::size_t j = i + 1; j < scorers.size(); ++j) {
      std::vector<double> one;
      std::vector<double> other;
      for (const auto& [model, mean] : means[i]) {
        const auto by_other = means[j].find(model);
        if (by_other == means[j].end()) continue;
        one.push_back(mean);
        other.push_back(by_other->second);
      }
      pairs.push_back({scorers[i], scorers[j], one.size(), KendallTauB(one, other)});
    }
  }
  return pairs;
}

RankingSensitivity LeaveTasksOut(const SharedScores& scores, const TaskScores& tasks,
                                 std::span<const std::size_t> models, std::span<const LeaderboardRow> rows) {
  RankingSensitivity result;
  std::vector<std::size_t> asked;  // tasks that have ids
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    if (!tasks.ids(task).index.empty()) asked.push_back(task);
  }
  if (asked.size() < 2 || models.size() < 2) return result;

  std::vector<ExactSum> all(models.size());
  std::vector<std::vector<ExactSum>> of_task;  // by task and model
  for (const std::size_t task : asked) {
    std::vector<ExactSum>& sums = of_task.emplace_back();
    for (std::size_t m = 0; m < models.size(); ++m) {
      sums.push_back(tasks.SumOf(scores, task, models[m]));
      all[m] += sums.back();
    }
  }
  const std::vector<double> means = MeansOf(all);
  const std::vector<std::uint32_t> ranks = RanksOf(means);
  for (std::size_t m = 0; m < models.size(); ++m) {
    result.models.push_back({rows[m].scorer, rows[m].model, ranks[m], ranks[m], ranks[m]});
  }
  for (std::size_t t = 0; t < asked.size(); ++t) {
    std::vector<ExactSum> left = all;
    for (std::size_t m = 0; m < models.size(); ++m) left[m] -= of_task[t][m];
    const std::vector<double> left_means = MeansOf(left);
    const std::vector<std::uint32_t> left_ranks = RanksOf(left_means);
    TaskInfluence& task = result.tasks.emplace_back();
    task.scorer = rows[0].scorer;
    task.task = tasks.name(asked[t]);
    task.ids = tasks.ids(asked[t]).index.size();
    task.tau = KendallTauB(means, left_means);
    for (std::size_t m = 0; m < models.size(); ++m) {
      RankRange& range = result.models[m];
      range.low = std::min(range.low, left_ranks[m]);
      range.high = std::max(range.high, left_ranks[m]);
      task.moved += std::max(ranks[m], left_ranks[m]) - std::min(ranks[m], left_ranks[m]);
    }
  }
  const std::uint64_t most = std::ranges::max(result.tasks, {}, &TaskInfluence::moved).moved;
  for (TaskInfluence& task : result.tasks) task.most = most > 0 && task.moved == most;
  return result;
}

}  // namespace leafscore::internal
