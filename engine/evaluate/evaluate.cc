// An evaluation of agent runs, as an ordered pipeline. Files are read, and answers scored, in parallel;
// reports are named and figures added up in the order of paths, so all bytes except `generated_at` and
// `timing` are the same for any number of threads. The scenarios, the list of files and about 200 bytes per
// agent run stay in memory.
#include "leafscore/evaluate.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "engine/base/resource_error.h"
#include "engine/evaluate/agent_run.h"
#include "engine/evaluate/agent_scorer.h"
#include "engine/evaluate/asked_scenarios.h"
#include "engine/evaluate/configured_scorers.h"
#include "engine/evaluate/evaluation_json.h"
#include "engine/evaluate/evaluation_summary.h"
#include "engine/evaluate/report_folder.h"
#include "engine/evaluate/scenario_scorers.h"
#include "engine/evaluate/scenarios.h"
#include "engine/evaluate/trajectory_source.h"
#include "engine/io/file_tree.h"
#include "engine/judge/judge_service.h"
#include "engine/report/join_summary.h"
#include "engine/threads/ordered_pipeline.h"
#include "engine/threads/thread_count.h"
#include "leafscore/error.h"

namespace leafscore {
namespace internal {
namespace {

// Returns a time in seconds since 1970 as text. ERRORS: Error(kUsage) if it is not a valid date.
std::string TimeText(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm utc{};
  char text[40];
  if (gmtime_r(&time, &utc) == nullptr ||
      std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S+00:00", &utc) == 0) {
    throw Error(ErrorCode::kUsage, "SOURCE_DATE_EPOCH is not a valid date");
  }
  return text;
}

// Returns the options after checking that there is something to evaluate.
const EvaluationOptions& Checked(const EvaluationOptions& options) {
  if (options.trajectories.empty()) {
    throw Error(ErrorCode::kUsage, "no --trajectories were named; name a folder or a file of agent runs");
  }
  CheckLimit(kMaxDetailsBytes, options.max_details_bytes);
  if (options.scenarios.empty()) {
    throw Error(ErrorCode::kUsage, "no --scenarios were named; name folders or files of scenarios");
  }
  CheckHoldsNoScenario(options.reports_dir, options.scenarios);
  return options;
}

std::optional<ReportFolder> OpenReports(const EvaluationOptions& options) {
  if (options.dry_run) return std::nullopt;
  return std::optional<ReportFolder>(std::in_place, options.reports_dir);
}

// Returns the identity of a folder; nullopt if it does not exist.
std::optional<FolderIdentity> IdentityOf(const std::string& folder) {
  try {
    return FileTree(folder).identity();
  } catch (const Error&) {
    return std::nullopt;
  }
}

class Evaluation {
 public:
  explicit Evaluation(const EvaluationOptions& options)
      : options_(Checked(options)),
        configured_scorers_(ConfiguredScorers(options)),
        prices_(Prices(options)),
        threads_(ResolveThreads(options.threads)),
        generated_at_(TimeText(options.generated_at.value_or(std::time(nullptr)))),
        source_(options, prices_),
        reports_(OpenReports(options)),
        reports_folder_(reports_ ? reports_->identity() : IdentityOf(options.reports_dir)),
        scenarios_(options.scenarios, options.max_file_bytes, reports_folder_),
        scorers_(scenarios_.scenarios(), options.default_scorer, configured_scorers_, options.config_name,
                 options.accept_unknown_methods),
        agent_scorer_(options, scenarios_, scorers_),
        summary_(ScorerInfos(scorers_, options.details)) {
    if (const auto folder = source_.folder(); folder && folder == reports_folder_) {
      throw Error(ErrorCode::kUsage, "the reports would mix with the trajectories in " + options.reports_dir +
                                         ": name another --reports-dir");
    }
    if (!options.scenario_ids.empty()) {
      report_.unknown_scenario_ids = scenarios_.Select(options.scenario_ids);
    }
    LookAtScenarios();
    asked_.emplace(scenarios_, scorers_, report_.unknown_scenario_ids.size(), options.repeats);
    CheckGates(options.gates, asked_->ScorerNames(),
               std::vector<std::string>{kScenarioTypeField, kRunnerAndModelField});
    report_.prices = prices_.source();
    report_.duplicate_scenarios = scenarios_.duplicates();
    for (const SkippedFile& file : scenarios_.skipped()) {
      report_.skipped_scenarios.push_back({file.path, file.why});
    }
    scenario_has_run_.resize(scenarios_.scenarios().size());
  }

  EvaluationReport Evaluate();

 private:
  void LookAtScenarios();
  void NameReports(FileBatch& batch);
  void ReportRuns(FileBatch& batch) const;
  void AddUp(FileBatch& batch);
  void ScoreRuns();
  void WriteReports();
  void ReportAsked();
  bool StopRequested() const { return options_.stop != nullptr && options_.stop->load(); }

  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const EvaluationOptions& options_;
  std::vector<ScorerSpec> configured_scorers_;
  PriceTable prices_;
  unsigned threads_;
  std::string generated_at_;
  TrajectorySource source_;
  std::optional<ReportFolder> reports_;  // not set in a dry run
  std::optional<FolderIdentity> reports_folder_;
  ScenarioSet scenarios_;
  ScenarioScorers scorers_;
  AgentScorer agent_scorer_;
  EvaluationSummary summary_;
  std::optional<AskedScenarios> asked_;
  EvaluationReport report_;
  ReportNames report_names_;
  std::vector<bool> scenario_has_run_;
  std::uint64_t bytes_done_ = 0;
};

// Checks and counts what the selected scenarios need. ERRORS: as ScenarioScorers::CheckJudges.
void Evaluation::LookAtScenarios() {
  scorers_.CheckJudges(scenarios_.scenarios());
  for (std::uint32_t s = 0; s < scenarios_.scenarios().size(); ++s) {
    const Scenario& scenario = scenarios_.scenarios()[s];
    if (!scenario.selected) continue;
    report_.unread_metadata += scorers_.LeavesMetadata(s);
    if (scorers_.HasUnknownMethod(s)) ++report_.unknown_methods[scenario.scoring_method];
    report_.judged_scenarios += scorers_.sets()[scorers_.OfScenario(s)].asks();
  }
}

void Evaluation::NameReports(FileBatch& batch) {
  if (!options_.run_reports) return;
  for (AgentRun& run : batch.runs) {
    run.report_name = report_names_.NameFor(run.trajectory.run_id.value_or(run.stem));
  }
}

// Writes the reports of the runs, and stores them for the aggregate.
void Evaluation::ReportRuns(FileBatch& batch) const {
  if (options_.dry_run) return;
  std::string report;
  for (AgentRun& run : batch.runs) {
    report.clear();
    AppendRunReport(scenarios_.scenarios()[run.scenario], run.trajectory, run.path, run.score,
                    summary_.scorers()[run.score.scorer], report);
    report += '\n';
    batch.results += report;
    if (!options_.run_reports) continue;
    try {
      run.report = reports_->Write(run.report_name, report);
    } catch (const Error& error) {
      batch.failed_reports.push_back({options_.reports_dir + "/" + run.report_name, error.what()});
    }
  }
}

void Evaluation::AddUp(FileBatch& batch) {
  for (const AgentRun& run : batch.runs) {
    summary_.Add(scenarios_.scenarios()[run.scenario].type, run.trajectory, run.score);
    asked_->Add(run.trajectory.RunnerAndModel(), run.scenario, run.score);
    scenario_has_run_[run.scenario] = true;
    if (run.report) reports_->Record(run.report_name, *run.report);
  }
  for (std::uint32_t scorer = 0; scorer < batch.json_in_texts.size(); ++scorer) {
    asked_->AddJsonInTexts(scorer, batch.json_in_texts[scorer]);
  }
  for (const UnmatchedRun& run : batch.unmatched) {
    asked_->AddUnmatched(run.runner_and_model, run.scenario_id);
  }
  for (const std::string& runner_and_model : batch.not_selected) asked_->AddSource(runner_and_model);
  if (reports_) reports_->KeepForAggregate(batch.results);
  report_.not_selected += batch.not_selected.size();
  std::ranges::move(batch.unmatched, std::back_inserter(report_.unmatched_runs));
  std::ranges::move(batch.skipped, std::back_inserter(report_.skipped_trajectories));
  std::ranges::move(batch.failed_reports, std::back_inserter(report_.failed_reports));
  std::ranges::move(batch.self_judged, std::back_inserter(report_.self_judged));
  std::ranges::move(batch.maybe_self_judged, std::back_inserter(report_.maybe_self_judged));
  bytes_done_ += batch.bytes;
  if (options_.progress != nullptr) {
    options_.progress->bytes = bytes_done_;
    options_.progress->records += batch.file_count;
  }
}

void Evaluation::ReportAsked() {
  RunReport& asked = report_.asked;
  asked = asked_->Report();
  const auto& sets = scorers_.sets();
  if (options_.judges != nullptr && std::ranges::any_of(sets, &ScorerSet::asks)) {
    asked.judges = options_.judges->Report();
  }
  const std::uint64_t skipped = report_.skipped_trajectories.size();
  asked.totals.records_read = report_.trajectory_files;
  asked.totals.rejected = skipped + report_.unmatched_runs.size();
  asked.totals.bytes = bytes_done_;
  asked.totals.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  if (skipped != 0) asked.sources.push_back({.source = "(unknown)", .records = skipped, .rejected = skipped});
  GoldCounts& gold = asked.gold.emplace();
  gold.records = scenarios_.scenarios().size() + report_.duplicate_scenarios.size();
  gold.rejected =
      report_.skipped_scenarios.size() - scenarios_.without_ground_truth();  // without those that are asked
  gold.ids = report_.scenarios;
  for (const std::string& id : report_.duplicate_scenarios) AddId(id, gold.duplicates);
  if (options_.gates.any()) asked.gates = HoldGates(asked, options_.gates);
}

// Reads the agent runs, scores them and writes their reports.
void Evaluation::ScoreRuns() {
  const std::uint64_t bytes = source_.List(reports_folder_, report_);
  if (options_.progress != nullptr) options_.progress->total_bytes = bytes;
  RunOrderedPipeline<FileBatch>(
      threads_, [this](FileBatch& batch) { return !StopRequested() && source_.Next(batch); },
      Parallel([this](FileBatch& batch) { source_.Read(scenarios_, batch); }),
      InOrder([this](FileBatch& batch) { NameReports(batch); }), Parallel([this](FileBatch& batch) {
        agent_scorer_.Score(batch);
        ReportRuns(batch);
      }),
      InOrder([this](FileBatch& batch) { AddUp(batch); }));
  if (StopRequested()) throw Error(ErrorCode::kInterrupted, "the run was interrupted; there is no aggregate");
}

// Completes the figures, and writes the files that cover all agent runs.
void Evaluation::WriteReports() {
  for (std::size_t s = 0; s < scenario_has_run_.size(); ++s) {
    const Scenario& scenario = scenarios_.scenarios()[s];
    report_.scenarios += scenario.selected;
    if (scenario.selected && !scenario_has_run_[s]) report_.unmatched_scenarios.push_back(scenario.id);
  }
  std::ranges::sort(report_.skipped_trajectories, {}, &LeftOut::path);
  ReportAsked();
  summary_.FillIn(report_);
  if (!reports_) return;
  report_.leftovers = reports_->leftovers();
  if (report_.matched.scored == 0) return;
  const std::string summary(kSummaryName);
  reports_->Write(summary, report_.asked.ToJson());
  report_.summary = options_.reports_dir + "/" + summary;
  reports_->WriteAggregate([&](JsonWriter& json) { WriteAggregate(report_, generated_at_, json); });
  report_.aggregate = options_.reports_dir + "/" + std::string(kAggregateName);
}

EvaluationReport Evaluation::Evaluate() {
  try {
    agent_scorer_.FindAbsentPaths(*asked_);
    ScoreRuns();
    WriteReports();
  } catch (...) {
    try {
      if (reports_) reports_->EndList(/*clean=*/false);
    } catch (const Error&) {  // the first error is reported
    }
    throw;
  }
  if (reports_) {
    const EarlierReports earlier = reports_->EndList(options_.clean && !report_.aggregate.empty());
    report_.earlier_reports = earlier.there;
    report_.removed_reports = earlier.removed;
  }
  return std::move(report_);
}

}  // namespace
}  // namespace internal

EvaluationReport Evaluate(const EvaluationOptions& options) {
  return internal::WithResourceErrors(
      "give a lower --threads, --max-file-bytes or --max-details-bytes; reports that were written stay, and "
      "there is no aggregate",
      [&] { return internal::Evaluation(options).Evaluate(); });
}

}  // namespace leafscore
