// engine/run/column_scorer.h: scores columns of texts in parallel, and keeps what it works with from call to
// call. THREADS: any number may score at once.
#ifndef LEAFSCORE_ENGINE_RUN_COLUMN_SCORER_H_
#define LEAFSCORE_ENGINE_RUN_COLUMN_SCORER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/distance/pair_offload.h"
#include "engine/run/field_presence.h"
#include "engine/run/result_rows.h"
#include "engine/run/text_source.h"
#include "engine/run/worker_pool.h"
#include "engine/scorers/scorer.h"
#include "leafscore/options.h"
#include "leafscore/plan.h"
#include "leafscore/report.h"
#include "leafscore/runner.h"

namespace leafscore::internal {

// What one scorer made of the rows of two columns.
struct ColumnResults {
  ScoreColumns scores;
  // With texts asked for: of each scored row those of each text metric, [metric][row], and with
  // DetailLevel::kLeaves how its leaves were judged, [row].
  std::vector<TextMetric> text_metrics;
  std::vector<std::vector<std::vector<std::string>>> texts;
  std::vector<LeafList> leaves;
};

struct ColumnRun {
  std::vector<ColumnResults> results;  // by scorer; rows and errors in order
  ResultRows rows;                     // the same for a summary, with texts asked for
  RunTotals totals;                    // of the rows
  std::vector<FieldPresence> paths;    // BatchScorer::PathPresence, with texts asked for
};

class ColumnScorer {
 public:
  // ERRORS: Error(kUsage) for an option out of its range or an unknown device.
  ColumnScorer(Plan plan, EngineOptions options);

  const Plan& plan() const { return plan_; }
  const EngineOptions& options() const { return options_; }
  PairOffload* device() const { return device_.get(); }

  // Scores row by row. `without_gold` is as BatchScorer::ScoreTexts takes it.
  // ERRORS: Error(kInterrupted) when stopped.
  ColumnRun Score(const TextSource& expected, const TextSource& actual, TextFormats formats,
                  bool with_texts = false, std::span<const char* const> without_gold = {});

  // Lends a worker.
  WorkerPool::Loan TakeWorker() { return workers_.Take(); }

  // Returns the names, metrics and texts of the plan's scorers, with room for so many rows.
  std::vector<ColumnResults> EmptyResults(std::size_t rows, bool with_texts);

 private:
  Plan plan_;
  EngineOptions options_;
  unsigned threads_;
  std::unique_ptr<PairOffload> device_;
  WorkerPool workers_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_COLUMN_SCORER_H_
