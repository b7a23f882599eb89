// engine/rank/task_scores.h: the scores of one scorer, by the task to which each id belongs. THREADS: one.
#ifndef LEAFSCORE_ENGINE_RANK_TASK_SCORES_H_
#define LEAFSCORE_ENGINE_RANK_TASK_SCORES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/exact_sum.h"
#include "engine/rank/asked_ids.h"
#include "engine/rank/score_sheet.h"
#include "engine/rank/shared_scores.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

class TaskScores {
 public:
  // REQUIRES: the arguments outlive this.
  TaskScores(const ScoreSheet& sheet, const IdFields& id_fields, const AskedIds& asked, std::size_t models);

  // Adds the score of an id for a model that is not ranked.
  void AddOwn(std::size_t model, std::uint32_t id, double score) {
    own_[model][id_fields_.task[id]].Add(score);
  }

  // Returns the number of tasks; 0 if there is no field for them. Tasks are sorted by name, and the last one
  // has the ids without a task. If only other scorers have a task, it has no ids here.
  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t task) const { return names_[task]; }
  // Returns the ids of a task that all ranked models were asked.
  const IdPart& ids(std::size_t task) const { return ids_[task]; }

  // Returns the sum of a ranked model's scores in a task.
  ExactSum SumOf(const SharedScores& scores, std::size_t task, std::size_t model) const;

  // Returns the means by model and task. `models` are the models of the rows. If the models are not
  // comparable, only the highest mean of a column is marked.
  ScoreMatrix Matrix(const SharedScores& scores, std::span<const std::size_t> models,
                     std::span<const LeaderboardRow> rows, bool comparable,
                     const LeaderboardOptions& options) const;

 private:
  void AddColumn(const SharedScores& scores, std::span<const std::size_t> models, std::size_t task, bool test,
                 ScoreMatrix& matrix) const;

  const IdFields& id_fields_;
  std::vector<std::string> names_;
  std::vector<IdPart> ids_;
  std::vector<std::vector<ExactSum>> own_;  // by model and task
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_TASK_SCORES_H_
