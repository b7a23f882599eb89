// engine/evaluate/evaluate_files.h: an evaluation of agent runs: trajectory files are joined with the ground
// truth of their scenarios and scored, as an ordered pipeline. Files are read, and answers scored, in
// parallel; reports are named and figures added up in the order of paths, so every byte but `generated_at` is
// the same for any number of threads. Of a file only ids, answer and metrics are kept, and these only while
// its batch is under way; what stays are the scenarios, the list of files, and some 100 bytes an agent run.
#ifndef LEAFSCORE_ENGINE_EVALUATE_EVALUATE_FILES_H_
#define LEAFSCORE_ENGINE_EVALUATE_EVALUATE_FILES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/limits.h"
#include "engine/config/scorer_specs.h"
#include "engine/evaluate/evaluation_summary.h"
#include "engine/evaluate/price_table.h"
#include "leafscore/options.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

struct EvaluateOptions {
  std::string trajectories;               // a folder, in which *.json is looked for, or a file
  std::vector<std::string> scenarios;     // folders and files (engine/evaluate/scenarios.h)
  std::vector<std::string> scenario_ids;  // only these; empty: all
  std::string reports_dir = "reports";
  bool run_reports = true;  // a report for each agent run, beside the aggregate
  // The scorer of scenarios without a scoring_method, or with one that is neither the name of a configured
  // scorer nor a known scorer type.
  std::string default_scorer = "static_json";
  std::vector<ScorerSpec> configured_scorers;
  std::string config_name;  // for messages about them
  PriceTable prices;
  DetailLevel details = DetailLevel::kLeaves;
  unsigned threads = 0;  // 0: as many as the process may use
  std::size_t max_file_bytes = kMaxFileBytes.default_value;
  // When the reports say that they were made, in seconds since 1970; nothing: now.
  std::optional<std::int64_t> generated_at = {};
  const std::atomic<bool>* stop = nullptr;  // becomes true to end early
  Progress* progress = nullptr;
};

// Joins, scores and writes the reports. An agent run is joined with the scenario of its label (its
// scenario_id, or the file's stem without one), else with that of its run_id. Where nothing was matched, no
// aggregate is written.
// ERRORS: Error(kUsage), Error(kInput), Error(kOutput), Error(kInterrupted) when stopped; what is wrong with
//         a file or an agent run is in the summary.
EvaluationSummary EvaluateFiles(const EvaluateOptions& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_EVALUATE_FILES_H_
