// engine/evaluate/agent_scorer.h: scores the agent runs of an evaluation, each with the scorer of its
// scenario.
#ifndef LEAFSCORE_ENGINE_EVALUATE_AGENT_SCORER_H_
#define LEAFSCORE_ENGINE_EVALUATE_AGENT_SCORER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/evaluate/agent_run.h"
#include "engine/evaluate/asked_scenarios.h"
#include "engine/evaluate/evaluation_summary.h"
#include "engine/evaluate/scenario_scorers.h"
#include "engine/evaluate/scenarios.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/owned_texts.h"
#include "engine/threads/per_thread.h"
#include "leafscore/evaluate.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// Returns the names, revisions and metrics of the scorers of an evaluation.
std::vector<EvaluationSummary::ScorerInfo> ScorerInfos(const ScenarioScorers& scorers, DetailLevel details);

class AgentScorer {
 public:
  // REQUIRES: all arguments outlive this.
  AgentScorer(const EvaluationOptions& options, const ScenarioSet& scenarios, const ScenarioScorers& scorers);
  AgentScorer(const AgentScorer&) = delete;  // workers_ refers to this
  AgentScorer& operator=(const AgentScorer&) = delete;

  // Fills in the scores of the runs of a batch. Runs that cannot be scored become errors. THREADS: any, with
  // different batches.
  void Score(FileBatch& batch);

  // Finds the paths in the options of each scorer that lead nowhere in any expected value that it scores, and
  // adds them to `asked`. ERRORS: Error(kInput) if there is such a path, unless the options allow it.
  void FindAbsentPaths(AskedScenarios& asked) const;

 private:
  // The data of one thread.
  struct Worker {
    std::vector<std::unique_ptr<BatchScorer>> batch_scorers;
    OwnedTexts expected;
    OwnedTexts actual;
    std::vector<AgentRun*> rows;  // of expected and actual
  };

  Worker MakeWorker() const;
  bool IsScorable(AgentRun& run, FileBatch& batch) const;
  void RecordLikeJudge(const AgentRun& run, FileBatch& batch) const;
  void ScoreAlone(const ScorerSet& scorer, AgentRun& run, JsonInTexts& json_in_texts) const;
  void ScoreRows(Worker& worker, std::uint32_t scorer, JsonInTexts& json_in_texts) const;
  void TakeScores(const BatchScorer& batch_scorer, std::span<AgentRun* const> rows,
                  JsonInTexts& json_in_texts) const;

  const EvaluationOptions& options_;
  const ScenarioSet& scenarios_;
  const ScenarioScorers& scorers_;
  PerThread<Worker> workers_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_AGENT_SCORER_H_
