// leafscore/evaluate.h: scores saved agent runs against the ground truth of their scenarios, as AssetOpsBench
// does.
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
  std::vector<std::string> scenario_ids = {};  // only these; empty: all
  // Which of several runs of a runner and model for one scenario count in EvaluationReport::asked. Their
  // order, that of their paths, seldom means anything.
  Repeats repeats = Repeats::kAll;
  std::string reports_dir = "reports";  // created if missing
  bool run_reports = true;              // a report for each agent run, beside the aggregate
  // Removes from the folder the reports of agent runs that earlier runs of leafscore wrote into it and this
  // one did not write again, unless they were changed since, or nothing was scored. They are listed in
  // _reports.json there.
  bool clean = false;
  // Gates that the report will be held against (FailedGates): the names in them are checked before any run is
  // scored.
  Gates gates = {};
  // Goes on where a path in the options of a scorer leads nowhere in what is expected of any scenario, which
  // else ends the evaluation before it begins; the report has it in absent_paths.
  bool allow_absent_paths = false;
  // Scores the scenarios without a scoring_method.
  std::string default_scorer = "static_json";
  // Lets the default scorer score those, too, whose scoring_method names neither a scorer of `config` nor a
  // scorer type: they are errors otherwise (kBadCriteria).
  bool accept_unknown_methods = false;
  std::optional<std::string> config = {};  // a configuration of scorers, as Plan::FromConfig takes it
  std::string config_name = "config";
  // The model that scores what asks for llm_judge: a scorer of that name beside those of `config`, or the
  // model of the one there. Without either, a scenario that asks for llm_judge is a kUsage error.
  std::string judge_model = {};
  // Lets a model judge the answers that it has written, which are errors otherwise.
  bool allow_self_judge = false;
  // Where models that judge are asked, as EngineOptions has it.
  std::shared_ptr<Judges> judges = nullptr;
  // Scores nothing and writes nothing, but puts the questions to `judges`, which is to count them.
  bool dry_run = false;
  // The member of a trajectory file that holds the answer.
  std::string answer_field = "answer";
  // YAML or JSON of US dollars per million tokens, for the estimated cost:
  // MODEL: {input: 2.50, output: 10}; without it, the prices of AssetOpsBench
  std::optional<std::string> prices = {};
  std::string prices_name = "prices";
  DetailLevel details = DetailLevel::kLeaves;
  std::size_t max_details_bytes = 16 << 20;  // of each run, as EngineOptions has it
  unsigned threads = 0;                      // 0: as many as the process may use
  std::size_t max_file_bytes = 256 << 20;    // a larger file is skipped
  // The date of the reports, in seconds since 1970; nothing: now.
  std::optional<std::int64_t> generated_at = {};
  const std::atomic<bool>* stop = nullptr;  // becomes true to end early: Error(kInterrupted)
  Progress* progress = nullptr;
};

// What the agent runs took, as far as they state it. The names are turns, tool_calls, tokens_in, tokens_out,
// duration_ms, est_cost_usd, and its parts est_input_cost_usd and est_output_cost_usd.
struct OperationalFigures {
  std::string name = {};
  std::optional<double> total = {};
  std::optional<double> p50 = {};
  std::optional<double> p95 = {};
};

// A metric of scorers over the scored runs that have it; of static_json also missing_keys, extra_keys and
// detail_entries, the lengths of its lists.
struct RunMetric {
  std::string name = {};
  double total = 0;
  std::optional<double> mean = {};
};

// The figures of some agent runs: all matched ones, those of a scenario type, or those of a runner and model.
// They are AssetOpsBench's, over the runs that there are: for verdicts see EvaluationReport::asked.
struct EvaluatedRuns {
  std::string name = {};
  std::uint64_t runs = 0;  // = scored + unreadable + unanswered + errors
  std::uint64_t scored = 0;
  std::uint64_t unreadable = 0;
  std::uint64_t unanswered = 0;
  std::uint64_t errors = 0;
  std::uint64_t passed = 0;
  std::optional<double> pass_rate = {};  // passed / runs; nothing when none of them has a verdict
  std::optional<double> mean = {};       // of the scores of the scored runs
  std::optional<double> min = {};
  std::optional<double> max = {};
  std::vector<RunMetric> metrics = {};
  std::vector<OperationalFigures> operational = {};
};

// A run whose scenario is not there.
struct UnmatchedRun {
  std::string file;
  std::string scenario_id;  // that it names, or its file's stem
  std::optional<std::string> run_id;
  std::string runner_and_model;
};

// Something that was found and not read: a file or a part of one.
struct LeftOut {
  std::string path;
  std::string why;
};

// Everything that an evaluation found out.
struct EvaluationReport {
  std::uint64_t trajectory_files = 0;  // = matched + unmatched + not selected + skipped
  std::uint64_t not_selected = 0;      // runs of scenarios that were not selected
  std::uint64_t scenarios = 0;         // selected ones
  std::vector<std::string> runners = {};
  std::vector<std::string> models = {};
  // What became of the scenarios that were asked for: every selected one, of every runner and model that any
  // file names. The groups are by scenario_type and runner_and_model; the sources are runners and models.
  RunReport asked = {};
  EvaluatedRuns matched = {};
  std::vector<EvaluatedRuns> by_scenario_type = {};
  std::vector<EvaluatedRuns> by_runner_and_model = {};
  std::vector<UnmatchedRun> unmatched_runs = {};  // this and what follows: by path, where there are paths
  std::vector<LeftOut> skipped_trajectories = {};
  // Of scenarios: those without ground truth, too, which are there all the same.
  std::vector<LeftOut> skipped_scenarios = {};
  std::vector<LeftOut> failed_reports = {};           // reports of agent runs that could not be written
  std::vector<std::string> unmatched_scenarios = {};  // selected ones without a run
  std::vector<std::string> unknown_scenario_ids = {};
  std::vector<std::string> duplicate_scenarios = {};  // ids found more than once; the last one counts
  std::uint64_t judged_scenarios = 0;                 // selected ones that a model scores
  std::vector<LeftOut> self_judged = {};  // runs that were not judged, as the judge's own model wrote them
  // Runs that were judged though the judge's model may have written them under another name.
  std::vector<LeftOut> maybe_self_judged = {};
  // Selected scenarios with evaluation_metadata that their static_json does not read, as it is of the
  // revision seed.
  std::uint64_t unread_metadata = 0;
  // Scoring methods that are the name of no scorer, and how many selected scenarios name them.
  std::map<std::string, std::uint64_t> unknown_methods = {};
  std::string prices = {};  // where they are from: the name and date of those shipped, or prices_name
  std::uint64_t earlier_reports = 0;        // reports of earlier runs that this one did not write again
  std::uint64_t removed_reports = 0;        // of them
  std::vector<std::string> leftovers = {};  // unfinished reports that lay there, as of a run that was killed
  bool counts_add_up = true;                // no file was lost or counted twice
  std::string aggregate = {};               // the path of AssetOpsBench's report; empty: nothing was scored
  std::string summary = {};                 // the path of `asked` as JSON, likewise
};

// Joins agent runs with scenarios, scores them and writes the reports. A run belongs to the scenario that its
// scenario_id (without one, its file's stem) names, else to the one that its run_id names. Where nothing was
// scored, neither aggregate nor summary is written.
// ERRORS: Error(kUsage), Error(kInput), Error(kOutput), Error(kInterrupted) when stopped, Error(kResources)
//         when memory or threads ran out; reports that were written by then stay. What is wrong with a file
//         or an agent run is in the report, and so are reports of runs that could not be written.
LEAFSCORE_EXPORT EvaluationReport Evaluate(const EvaluationOptions& options);

}  // namespace leafscore

#endif  // LEAFSCORE_EVALUATE_H_
