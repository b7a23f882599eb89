// leafscore/evaluate.h: saved agent runs scored against the ground truth of their scenarios, as AssetOpsBench
// does.
#ifndef LEAFSCORE_EVALUATE_H_
#define LEAFSCORE_EVALUATE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "leafscore/export.h"
#include "leafscore/options.h"
#include "leafscore/outcome.h"

namespace leafscore {

// The values are those of `leafscore evaluate`.
struct EvaluationOptions {
  std::string trajectories = {};               // a folder, in which *.json is looked for, or a file
  std::vector<std::string> scenarios = {};     // folders and files
  std::vector<std::string> scenario_ids = {};  // only these; empty: all
  std::string reports_dir = "reports";         // made when it is not there
  bool run_reports = true;                     // a report for each run, beside the aggregate
  // The scorer of scenarios without a scoring_method, or with one that is neither the name of a scorer of
  // `config` nor a type of ours.
  std::string default_scorer = "static_json";
  std::string config = {};  // a configuration of scorers, as Plan::FromConfig takes it; empty: none
  std::string config_name = "config";
  // Prices in US dollars per million tokens, for the estimated cost, YAML or JSON: MODEL: {input: 2.50,
  // output: 10}.
  std::string prices = {};
  std::string prices_name = "prices";
  DetailLevel details = DetailLevel::kLeaves;
  unsigned threads = 0;                    // 0: as many as the process may use
  std::size_t max_file_bytes = 256 << 20;  // a larger file is skipped
  std::optional<std::int64_t> generated_at =
      {};                                   // as the reports say it, in seconds since 1970; nothing: now
  const std::atomic<bool>* stop = nullptr;  // becomes true to end early
  Progress* progress = nullptr;
};

// A figure with a name.
struct NamedFigure {
  std::string name;
  std::optional<double> value;
};

// The runs of one kind: all, those of a type of scenarios, or those of a runner and model.
struct EvaluatedRuns {
  std::string name = {};
  std::uint64_t runs = 0;
  std::uint64_t passed = 0;
  std::optional<double> pass_rate = {};  // passed / runs; none when no scorer passes or fails any of them
  // Of a runner and model:
  std::optional<double> mean = {};  // of the scores of its scored runs
  std::optional<double> min = {};
  std::optional<double> max = {};
  std::vector<NamedFigure> metrics = {};  // means of the scorers' metrics
};

// What runs took, as far as they say it: turns, tool_calls, tokens_in, tokens_out, duration_ms, est_cost_usd.
struct OperationalFigures {
  std::string name = {};
  std::optional<double> total = {};
  std::optional<double> p50 = {};
  std::optional<double> p95 = {};
};

// Something that was found and not scored.
struct LeftOut {
  std::string what;  // a path or an id
  std::string why;
};

// Everything that an evaluation found out.
struct EvaluationReport {
  std::uint64_t trajectory_files = 0;  // = matched.runs + unmatched + not selected + skipped
  std::uint64_t scored = 0;            // of the matched runs
  std::uint64_t unreadable = 0;
  std::uint64_t errors = 0;
  std::uint64_t not_selected = 0;  // runs of scenarios that were not selected
  EvaluatedRuns matched = {};
  std::vector<EvaluatedRuns> by_scenario_type = {};
  std::vector<EvaluatedRuns> by_runner_and_model = {};
  std::vector<OperationalFigures> operational = {};
  std::vector<LeftOut> unmatched_runs = {};  // files, and the scenario that they name
  std::vector<LeftOut> skipped_files = {};   // trajectories, then scenarios, and what is wrong with them
  std::vector<std::string> unmatched_scenarios = {};  // selected ones without a run
  std::vector<std::string> unknown_scenario_ids = {};
  std::vector<std::string> duplicate_scenarios = {};  // ids, of which the last scenario counts
  std::vector<std::string> unknown_methods = {};      // scoring methods for which the default scorer stood in
  bool counts_add_up = true;                          // no file was lost or counted twice
  std::string aggregate = {};  // the path of the aggregate report; empty: nothing matched
};

// Joins runs with scenarios, scores them and writes the reports. A run is joined with the scenario of its
// label (its scenario_id, or the file's stem without one), else with that of its run_id. ERRORS:
// Error(kUsage), Error(kInput), Error(kOutput), Error(kInterrupted) when stopped; what is wrong with a file
// or
//         a run is in the report.
LEAFSCORE_EXPORT EvaluationReport Evaluate(const EvaluationOptions& options);

}  // namespace leafscore

#endif  // LEAFSCORE_EVALUATE_H_
