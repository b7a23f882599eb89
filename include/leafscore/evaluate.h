// leafscore/evaluate.h: scores saved agent runs against the ground truth of their scenarios, as AssetOpsBench
// does.
//
//   leafscore::EvaluationOptions options;
//   options.trajectories = "runs";
//   options.scenarios = {"scenarios"};
//   options.reports_dir = "reports";
//   const leafscore::EvaluationReport report = leafscore::Evaluate(options);
//   assert(report.matched.runs == 1 && report.matched.passed == 1);
//   assert(report.aggregate == "reports/_aggregate.json");
#ifndef LEAFSCORE_EVALUATE_H_
#define LEAFSCORE_EVALUATE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "leafscore/export.h"
#include "leafscore/files.h"
#include "leafscore/options.h"
#include "leafscore/outcome.h"
#include "leafscore/report.h"

namespace leafscore {

// The options of `leafscore evaluate`, with the same defaults.
struct EvaluationOptions {
  std::string trajectories = {};               // a folder, searched for *.json at any depth, or a file
  std::vector<std::string> scenarios = {};     // folders and files
  std::vector<std::string> scenario_ids = {};  // score only these; empty: all
  // Which runs count in EvaluationReport::asked if a pair of runner and model has several runs of one
  // scenario. Runs are ordered by path, so being the first or the last run says little.
  Repeats repeats = Repeats::kAll;
  std::string reports_dir = "reports";  // created if missing
  bool run_reports = true;              // write a report for each agent run, beside the aggregate
  // Removes the reports of earlier evaluations from the folder, unless this evaluation writes them again. The
  // file _reports.json in the folder lists these reports. A report that was changed since then is kept, and
  // all reports are kept if nothing is scored.
  bool clean = false;
  // Gates on EvaluationReport::asked, which gets their results (RunReport::gates). The names in the gates are
  // checked before any agent run is scored.
  Gates gates = {};
  // Accepts a path in a scorer's options even if the ground truth of no selected scenario has that path.
  // Otherwise such a path is an error before any agent run is scored. The report lists such paths as
  // absent_paths.
  bool allow_absent_paths = false;
  // The scorer of scenarios without a scoring_method.
  std::string default_scorer = "static_json";
  // Also uses the default scorer for a scoring_method that is neither the name of a scorer in `config` nor a
  // type of scorer. Otherwise such scenarios are errors (kBadCriteria).
  bool accept_unknown_methods = false;
  std::optional<std::string> config = {};  // a configuration of scorers, as for Plan::FromConfig
  std::string config_name = "config";
  // The model of the scorer llm_judge, which is added if `config` has no scorer of that name. If neither this
  // model nor such a scorer is given, a scenario that asks for llm_judge is an Error(kUsage).
  std::string judge_model = {};
  // Allows a model to judge its own answers. Otherwise such runs are errors.
  bool allow_self_judge = false;
  // Asks the models, as EngineOptions::judges.
  std::shared_ptr<Judges> judges = nullptr;
  // Writes nothing. `judges` must only count the questions (JudgeRules::dry_run); otherwise models are asked.
  bool dry_run = false;
  // The member of a trajectory file that holds the answer.
  std::string answer_field = "answer";
  // Prices for the estimated cost, as YAML or JSON of US dollars per million tokens:
  // MODEL: {input: 2.50, output: 10}. nullopt: the built-in prices.
  std::optional<std::string> prices = {};
  std::string prices_name = "prices";
  DetailLevel details = DetailLevel::kLeaves;
  std::size_t max_details_bytes = 16 << 20;  // as EngineOptions::max_details_bytes, for each agent run
  unsigned threads = 0;                      // 0: as many as the process may use
  std::size_t max_file_bytes = 256 << 20;    // larger files are skipped
  // The date of the reports, in seconds since 1970; nullopt: now.
  std::optional<std::int64_t> generated_at = {};
  const std::atomic<bool>* stop = nullptr;  // set to true to end early: Error(kInterrupted)
  Progress* progress = nullptr;
};

// How much of a resource the agent runs used, over the runs that state it. The names are turns, tool_calls,
// tokens_in, tokens_out, duration_ms, est_cost_usd, and the two parts of the cost: est_input_cost_usd and
// est_output_cost_usd.
struct OperationalFigures {
  std::string name = {};
  std::optional<double> total = {};
  std::optional<double> p50 = {};
  std::optional<double> p95 = {};
};

// A metric of scorers, over the scored runs that have it. static_json also has missing_keys, extra_keys and
// detail_entries, which are the lengths of its lists.
struct RunMetric {
  std::string name = {};
  double total = 0;
  std::optional<double> mean = {};
};

// The figures of a set of agent runs: all matched runs, the runs of a scenario type, or the runs of a runner
// and model. AssetOpsBench defines these figures; they count only runs that exist. For decisions, use
// EvaluationReport::asked.
struct EvaluatedRuns {
  std::string name = {};
  std::uint64_t runs = 0;  // = scored + unreadable + unanswered + errors
  std::uint64_t scored = 0;
  std::uint64_t unreadable = 0;
  std::uint64_t unanswered = 0;
  std::uint64_t errors = 0;
  std::uint64_t passed = 0;
  std::optional<double> pass_rate = {};  // passed / runs; nullopt if all runs are scored without a verdict
  std::optional<double> mean = {};       // the mean score of the scored runs
  std::optional<double> min = {};
  std::optional<double> max = {};
  std::vector<RunMetric> metrics = {};
  std::vector<OperationalFigures> operational = {};
};

// A run that belongs to no scenario.
struct UnmatchedRun {
  std::string file;
  std::string scenario_id;  // the id that the run names, or the stem of its file
  std::optional<std::string> run_id;
  std::string runner_and_model;
};

// A file, or a part of a file, that was found but not used.
struct LeftOut {
  std::string path;
  std::string why;
};

// The results of an evaluation.
struct EvaluationReport {
  std::uint64_t trajectory_files = 0;  // = matched + unmatched + not selected + skipped
  std::uint64_t not_selected = 0;      // runs of scenarios that were not selected
  std::uint64_t scenarios = 0;         // selected scenarios
  std::vector<std::string> runners = {};
  std::vector<std::string> models = {};
  // The report on everything that was asked: each pair of runner and model in the files was asked every
  // selected scenario. Unknown scenario ids are asked, too, and are errors. The groups are scenario_type and
  // runner_and_model; the sources are the pairs.
  RunReport asked = {};
  EvaluatedRuns matched = {};
  std::vector<EvaluatedRuns> by_scenario_type = {};
  std::vector<EvaluatedRuns> by_runner_and_model = {};
  // All lists of files are ordered by path.
  std::vector<UnmatchedRun> unmatched_runs = {};
  std::vector<LeftOut> skipped_trajectories = {};
  // Files of scenarios that were skipped, and scenarios without ground truth, which are asked nevertheless.
  std::vector<LeftOut> skipped_scenarios = {};
  std::vector<LeftOut> failed_reports = {};           // reports of agent runs that could not be written
  std::vector<std::string> unmatched_scenarios = {};  // selected scenarios without a run
  std::vector<std::string> unknown_scenario_ids = {};
  // Ids that several scenarios have. The last of these scenarios counts.
  std::vector<std::string> duplicate_scenarios = {};
  std::uint64_t judged_scenarios = 0;     // selected scenarios that a model judges
  std::vector<LeftOut> self_judged = {};  // runs that were not judged, because the judge's model wrote them
  // Runs that were judged although the judge's model may have written them under another name.
  std::vector<LeftOut> maybe_self_judged = {};
  // Selected scenarios whose evaluation_metadata is not used, because their scorer is static_json in the
  // revision seed.
  std::uint64_t unread_metadata = 0;
  // Scoring methods that name neither a scorer of the configuration nor a type of scorer, each with the
  // number of selected scenarios that have it.
  std::map<std::string, std::uint64_t> unknown_methods = {};
  std::string prices = {};                  // the source and date of the built-in prices, or prices_name
  std::uint64_t earlier_reports = 0;        // reports of earlier evaluations that were not written again
  std::uint64_t removed_reports = 0;        // how many of these reports were removed
  std::vector<std::string> leftovers = {};  // unfinished reports in the folder, for example from a killed run
  bool counts_add_up = true;                // no file was lost or counted twice
  std::string aggregate = {};               // the path of AssetOpsBench's report; empty: not written
  std::string summary = {};                 // the path of `asked` as JSON; empty: not written
};

// Joins agent runs with scenarios, scores the runs and writes the reports. A run belongs to the scenario
// named by its scenario_id or, without one, by the stem of its file. If there is no such scenario, the run
// belongs to the scenario named by its run_id. If nothing is scored, neither aggregate nor summary is
// written.
// ERRORS: Error(kUsage), Error(kInput), Error(kOutput); Error(kInterrupted) when stopped; Error(kResources)
//         when memory or threads run out. Reports that were written before an error stay. Problems with a
//         file, with an agent run or with the report of a run are in the result.
LEAFSCORE_EXPORT EvaluationReport Evaluate(const EvaluationOptions& options);

}  // namespace leafscore

#endif  // LEAFSCORE_EVALUATE_H_
