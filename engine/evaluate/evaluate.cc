// An evaluation of agent runs, as an ordered pipeline. Files are read, and answers scored, in parallel;
// reports are named and figures added up in the order of paths, so all bytes except `generated_at` and
// `timing` are the same for any number of threads. Only the ids, answer and metrics of a file are kept, and
// only while its batch is in progress. The scenarios, the list of files and about 200 bytes per agent run
// stay in memory.
#include "leafscore/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "engine/base/limits.h"
#include "engine/base/resource_error.h"
#include "engine/base/suggest.h"
#include "engine/base/utf8.h"
#include "engine/config/config_parser.h"
#include "engine/evaluate/asked_scenarios.h"
#include "engine/evaluate/configured_scorers.h"
#include "engine/evaluate/evaluation_json.h"
#include "engine/evaluate/evaluation_summary.h"
#include "engine/evaluate/report_folder.h"
#include "engine/evaluate/scenario_scorers.h"
#include "engine/evaluate/scenarios.h"
#include "engine/evaluate/trajectory.h"
#include "engine/io/file_tree.h"
#include "engine/json/json_writer.h"
#include "engine/judge/judge_service.h"
#include "engine/judge/price_table.h"
#include "engine/report/join_summary.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/owned_texts.h"
#include "engine/run/path_presence.h"
#include "engine/scorers/registry.h"
#include "engine/threads/ordered_pipeline.h"
#include "engine/threads/per_thread.h"
#include "engine/threads/thread_count.h"
#include "leafscore/error.h"

namespace leafscore {
namespace internal {
namespace {

// A batch of files ends with the file that reaches either limit. Small files are passed on many at a time;
// large ones alone, so that few of them are in memory.
constexpr std::size_t kBatchFiles = 64;
constexpr std::uint64_t kBatchFileBytes = 1 << 20;

// The bytes of pairs that are scored at a time. They are limited because one long ground truth may belong to
// many runs.
constexpr std::size_t kScoreBytes = 16 << 20;

// One matched agent run on its way through the pipeline.
struct AgentRun {
  const FileTree::File* file;
  std::uint32_t scenario;
  Trajectory trajectory;
  AgentScore score = {};
  std::string report_name = {};
  std::optional<WrittenReport> report = {};  // its report on disk
};

// Some files, and their results.
struct FileBatch {
  std::size_t first_file = 0;
  std::size_t file_count = 0;
  std::uint64_t bytes = 0;
  std::vector<AgentRun> runs;
  std::vector<std::string> not_selected;  // the runner and model of each agent run
  std::vector<UnmatchedRun> unmatched;
  std::vector<LeftOut> skipped;
  std::vector<LeftOut> failed_reports;
  std::vector<LeftOut> self_judged;
  std::vector<LeftOut> maybe_self_judged;
  std::vector<JsonInTexts> json_in_texts;  // by scorer
  std::string results;                     // for the aggregate, one report per line
};

EngineOptions EngineOptionsOf(const EvaluationOptions& options) {
  return {.details = options.details,
          .max_details_bytes = options.max_details_bytes,
          .stop = options.stop,
          .judges = options.judges};
}

// The data of one thread.
struct Worker {
  Worker(const FileTree& tree, const ScenarioScorers& scorers, const EvaluationOptions& options)
      : files(tree), trajectories(options.answer_field) {
    for (const ScorerSet& set : scorers.sets()) {
      batch_scorers.push_back(std::make_unique<BatchScorer>(set, EngineOptionsOf(options)));
    }
  }

  FileTreeReader files;
  TrajectoryReader trajectories;
  std::vector<std::unique_ptr<BatchScorer>> batch_scorers;
  std::string text;
  OwnedTexts expected;
  OwnedTexts actual;
  std::vector<AgentRun*> rows;  // of expected and actual
};

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

PriceTable Prices(const EvaluationOptions& options) {
  if (!options.prices) return PriceTable::OfAssetOpsBench();
  return PriceTable(ParseConfig(*options.prices, options.prices_name), options.prices_name);
}

class Evaluation {
 public:
  explicit Evaluation(const EvaluationOptions& options)
      : options_(Checked(options)),
        configured_scorers_(ConfiguredScorers(options)),
        prices_(Prices(options)),
        threads_(ResolveThreads(options.threads)),
        generated_at_(TimeText(options.generated_at.value_or(std::time(nullptr)))),
        tree_(options.trajectories),
        reports_(OpenReports(options)),
        reports_folder_(reports_ ? reports_->identity() : IdentityOf(options.reports_dir)),
        scenarios_(options.scenarios, options.max_file_bytes, reports_folder_),
        scorers_(scenarios_.scenarios(), options.default_scorer, configured_scorers_, options.config_name,
                 options.accept_unknown_methods),
        summary_(ScorerInfos()),
        workers_([this] { return Worker(tree_, scorers_, options_); }) {
    if (!tree_.is_file() && tree_.identity() == reports_folder_) {
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
  std::vector<EvaluationSummary::ScorerInfo> ScorerInfos() const;
  void LookAtScenarios();
  bool NextFiles(FileBatch& batch);
  void ReadAndJoin(FileBatch& batch);
  void NameReports(FileBatch& batch);
  void Score(FileBatch& batch);
  void ReportRuns(FileBatch& batch) const;
  bool IsScorable(AgentRun& run, FileBatch& batch) const;
  void RecordLikeJudge(const AgentRun& run, FileBatch& batch) const;
  void ScoreAlone(const ScorerSet& scorer, AgentRun& run, JsonInTexts& json_in_texts) const;
  void ScoreRows(Worker& worker, std::uint32_t scorer, JsonInTexts& json_in_texts);
  void TakeScores(const BatchScorer& batch_scorer, std::span<AgentRun* const> rows,
                  JsonInTexts& json_in_texts) const;
  void AddUp(FileBatch& batch);
  void FindAbsentPaths();
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
  FileTree tree_;
  std::optional<ReportFolder> reports_;  // not set in a dry run
  std::optional<FolderIdentity> reports_folder_;
  ScenarioSet scenarios_;
  ScenarioScorers scorers_;
  EvaluationSummary summary_;
  std::optional<AskedScenarios> asked_;
  EvaluationReport report_;
  ReportNames report_names_;
  std::vector<bool> scenario_has_run_;
  PerThread<Worker> workers_;

  std::vector<FileTree::File> files_;
  std::size_t next_file_ = 0;
  std::uint64_t bytes_done_ = 0;
};

std::vector<EvaluationSummary::ScorerInfo> Evaluation::ScorerInfos() const {
  std::vector<EvaluationSummary::ScorerInfo> infos;
  for (const ScorerSet& set : scorers_.sets()) {
    const BatchScorer scorer(set, {.details = options_.details});
    EvaluationSummary::ScorerInfo& info = infos.emplace_back();
    info.name = set.names()[0];
    const ConfigMember* const revision = set.scorers()[0].options.Find(kRevisionOption.name);
    if (revision != nullptr) info.revision = revision->value.scalar;
    for (const Metric& metric : scorer.scorer_batch(0).columns().metrics) {
      info.metrics.emplace_back(metric.name);
    }
  }
  return infos;
}

// Checks and counts what the selected scenarios need. ERRORS: Error(kUsage) for a model that was not named.
void Evaluation::LookAtScenarios() {
  std::uint64_t lack_a_judge = 0;
  const Scenario* first = nullptr;
  for (std::uint32_t s = 0; s < scenarios_.scenarios().size(); ++s) {
    const Scenario& scenario = scenarios_.scenarios()[s];
    if (!scenario.selected) continue;
    report_.unread_metadata += scorers_.LeavesMetadata(s);
    if (scorers_.HasUnknownMethod(s)) ++report_.unknown_methods[scenario.scoring_method];
    report_.judged_scenarios += scorers_.sets()[scorers_.OfScenario(s)].asks();
    if (!scorers_.LacksJudge(s)) continue;
    ++lack_a_judge;
    if (first == nullptr) first = &scenario;
  }
  if (first == nullptr) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("{} scenarios, the first of them {}, have a scoring_method that asks a model ({}), "
                          "but no model is named: give --judge-model, or a scorer of this name in --config",
                          lack_a_judge, QuoteForMessage(first->id), first->scoring_method));
}

bool Evaluation::NextFiles(FileBatch& batch) {
  if (next_file_ == files_.size() || StopRequested()) return false;
  batch = {};
  batch.first_file = next_file_;
  while (next_file_ < files_.size() && batch.file_count < kBatchFiles && batch.bytes < kBatchFileBytes) {
    batch.bytes += files_[next_file_].bytes;
    ++batch.file_count;
    ++next_file_;
  }
  return true;
}

void Evaluation::ReadAndJoin(FileBatch& batch) {
  Worker& worker = workers_.local();
  for (std::size_t f = batch.first_file; f < batch.first_file + batch.file_count; ++f) {
    const FileTree::File& file = files_[f];
    Trajectory trajectory;
    std::string why = worker.files.Read(file.path, options_.max_file_bytes, worker.text);
    if (why.empty()) {
      const std::string stem = ReplaceInvalidUtf8(Stem(SplitPath(file.path).name));
      why = worker.trajectories.Read(worker.text, stem, trajectory);
    }
    if (!why.empty()) {
      batch.skipped.push_back({tree_.DisplayPath(file.path), std::move(why)});
      continue;
    }
    std::uint32_t scenario = scenarios_.Find(trajectory.label);
    if (scenario == ScenarioSet::kNone && trajectory.run_id) scenario = scenarios_.Find(*trajectory.run_id);
    if (scenario == ScenarioSet::kNone) {
      batch.unmatched.push_back({tree_.DisplayPath(file.path), std::move(trajectory.label),
                                 std::move(trajectory.run_id), trajectory.RunnerAndModel()});
    } else if (!scenarios_.scenarios()[scenario].selected) {
      batch.not_selected.push_back(trajectory.RunnerAndModel());
    } else {
      AgentMetrics& metrics = trajectory.metrics;
      if (trajectory.model) {
        metrics.cost_usd = prices_.Cost(*trajectory.model, metrics.tokens_in, metrics.tokens_out);
        if (const auto parts = prices_.CostParts(*trajectory.model, metrics.tokens_in, metrics.tokens_out)) {
          metrics.input_cost_usd = parts->input;
          metrics.output_cost_usd = parts->output;
        }
      }
      batch.runs.push_back({&file, scenario, std::move(trajectory)});
    }
  }
}

void Evaluation::NameReports(FileBatch& batch) {
  if (!options_.run_reports) return;
  for (AgentRun& run : batch.runs) {
    const std::optional<std::string>& id = run.trajectory.run_id;
    run.report_name =
        report_names_.NameFor(id ? *id : ReplaceInvalidUtf8(Stem(SplitPath(run.file->path).name)));
  }
}

void Evaluation::Score(FileBatch& batch) {
  Worker& worker = workers_.local();
  batch.json_in_texts.resize(worker.batch_scorers.size());
  for (std::uint32_t scorer = 0; scorer < worker.batch_scorers.size(); ++scorer) {
    JsonInTexts& json_in_texts = batch.json_in_texts[scorer];
    for (AgentRun& run : batch.runs) {
      if (scorers_.OfScenario(run.scenario) != scorer) continue;
      run.score.scorer = scorer;
      if (!IsScorable(run, batch)) continue;
      if (const ScorerSet* const own = scorers_.WithMetadata(run.scenario); own != nullptr) {
        ScoreAlone(*own, run, json_in_texts);
        continue;
      }
      worker.expected.Add(scenarios_.scenarios()[run.scenario].expected_json);
      worker.actual.Add(run.trajectory.answer_json);
      worker.rows.push_back(&run);
      if (worker.expected.bytes() + worker.actual.bytes() >= kScoreBytes) {
        ScoreRows(worker, scorer, json_in_texts);
      }
    }
    ScoreRows(worker, scorer, json_in_texts);
  }
  if (!options_.dry_run) ReportRuns(batch);
}

// Returns whether a run can be scored; if not, makes it an error.
bool Evaluation::IsScorable(AgentRun& run, FileBatch& batch) const {
  AgentScore& score = run.score;
  if (const std::optional<ScenarioFlaw>& flaw = scorers_.Flaw(run.scenario)) {
    score.reason = flaw->reason;
    score.rationale = fmt::format("{}: {}", RejectReasonName(score.reason), flaw->text);
  } else if (!options_.allow_self_judge && run.trajectory.model &&
             scorers_.IsJudge(run.scenario, *run.trajectory.model)) {
    score.reason = RejectReason::kJudgeRefused;
    const std::string why =
        fmt::format("{}, which would judge the answer, wrote it", QuoteForMessage(*run.trajectory.model));
    score.rationale = fmt::format("{}: {}", RejectReasonName(score.reason), why);
    batch.self_judged.push_back({tree_.DisplayPath(run.file->path), why});
  } else {
    RecordLikeJudge(run, batch);
    return true;
  }
  score.outcome = Outcome::kError;
  score.passed = 0;
  return false;
}

void Evaluation::RecordLikeJudge(const AgentRun& run, FileBatch& batch) const {
  const std::optional<std::string>& model = run.trajectory.model;
  if (options_.allow_self_judge || !model) return;
  const std::string_view judge = scorers_.LikeJudge(run.scenario, *model);
  if (judge.empty()) return;
  batch.maybe_self_judged.push_back(
      {tree_.DisplayPath(run.file->path), fmt::format("{} wrote the answer, and {} judges it",
                                                      QuoteForMessage(*model), QuoteForMessage(judge))});
}

// Writes the reports of the runs, and stores them for the aggregate.
void Evaluation::ReportRuns(FileBatch& batch) const {
  std::string report;
  for (AgentRun& run : batch.runs) {
    report.clear();
    AppendRunReport(scenarios_.scenarios()[run.scenario], run.trajectory, tree_.DisplayPath(run.file->path),
                    run.score, summary_.scorers()[run.score.scorer], report);
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

// Scores a run with its scenario's own scorer.
void Evaluation::ScoreAlone(const ScorerSet& scorer, AgentRun& run, JsonInTexts& json_in_texts) const {
  BatchScorer batch_scorer(scorer, EngineOptionsOf(options_));
  OwnedTexts expected;
  OwnedTexts actual;
  expected.Add(scenarios_.scenarios()[run.scenario].expected_json);
  actual.Add(run.trajectory.answer_json);
  batch_scorer.ScoreTexts(expected.column(), actual.column(), {});
  AgentRun* const rows[] = {&run};
  TakeScores(batch_scorer, rows, json_in_texts);
}

// Scores the rows that the worker has collected, and drops them.
void Evaluation::ScoreRows(Worker& worker, std::uint32_t scorer, JsonInTexts& json_in_texts) {
  BatchScorer& batch_scorer = *worker.batch_scorers[scorer];
  const std::size_t rows = worker.rows.size();
  for (std::size_t first = 0; first != rows;) {
    const std::size_t count = batch_scorer.ScoreTexts(worker.expected.column().Slice(first, rows - first),
                                                      worker.actual.column().Slice(first, rows - first), {});
    TakeScores(batch_scorer, std::span(worker.rows).subspan(first, count), json_in_texts);
    first += count;
  }
  worker.rows.clear();
  worker.expected.Clear();
  worker.actual.Clear();
}

// Takes over the results of these rows.
void Evaluation::TakeScores(const BatchScorer& batch_scorer, std::span<AgentRun* const> rows,
                            JsonInTexts& json_in_texts) const {
  const ScorerBatch& batch = batch_scorer.scorer_batch(0);
  const ScoreColumns& columns = batch.columns();
  json_in_texts.parsed += batch.json_in_texts().parsed;
  json_in_texts.as_texts += batch.json_in_texts().as_texts;
  for (std::uint32_t r = 0; r < rows.size(); ++r) {
    AgentScore& score = rows[r]->score;
    const RowVerdict verdict = batch_scorer.Verdict(0, r);
    score.outcome = verdict.outcome;
    score.reason = verdict.reason;
    score.passed = columns.passed[r];
    score.causes = batch_scorer.CausesOf(0, r);
    if (score.outcome == Outcome::kScored) {
      score.score = columns.score[r];
      score.nothing_compared = std::ranges::binary_search(batch.nothing_compared(), r);
      score.read_from_text = std::ranges::binary_search(batch.read_from_text(), r);
      score.of_other_kind = std::ranges::binary_search(batch.of_other_kind(), r);
      for (const Metric& metric : columns.metrics) score.metrics.push_back(metric.values[r]);
      if (score.passed == 0) score.rationale = "the answer differs from the ground truth";
      if (options_.details != DetailLevel::kNone) {
        score.details_json.clear();
        DetailsWriter json(score.details_json, options_.max_details_bytes);
        batch.WriteDetails(r, options_.details, json);
        json.Finish();
      }
      continue;
    }
    score.passed = 0;
    score.rationale = fmt::format("{}: {}{}{}", RejectReasonName(verdict.reason), verdict.side,
                                  verdict.rejected ? ": " : "", verdict.message);
  }
  for (const auto [r, share] : batch.unexpected()) {
    AgentScore& score = rows[r]->score;
    if (score.outcome == Outcome::kScored) score.unexpected_share = share;
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

// Finds the paths in the options of scorers that lead nowhere in the expected value of any scenario.
// ERRORS: Error(kInput) if there is one, unless the options allow it.
void Evaluation::FindAbsentPaths() {
  OwnedTexts expected;
  for (std::uint32_t scorer = 0; scorer < scorers_.sets().size(); ++scorer) {
    BatchScorer batch_scorer(scorers_.sets()[scorer], {});
    if (batch_scorer.PathPresence().empty()) continue;
    std::vector<FieldPresence> presence;
    const auto look = [&] {
      const TextColumn texts = expected.column();
      for (std::size_t first = 0; first != texts.size();) {
        first += batch_scorer.ScoreUnanswered(texts.Slice(first, texts.size() - first));
        AddPresence(batch_scorer.PathPresence(), presence);
      }
      expected.Clear();
    };
    for (std::uint32_t s = 0; s < scenarios_.scenarios().size(); ++s) {
      const Scenario& scenario = scenarios_.scenarios()[s];
      if (!scenario.selected || !scenario.expected_json || scorers_.OfScenario(s) != scorer) continue;
      expected.Add(scenario.expected_json);
      if (expected.bytes() >= kScoreBytes) look();
    }
    look();
    asked_->SetAbsentPaths(scorer, AbsentPaths(batch_scorer, presence).front());
    if (!options_.allow_absent_paths) CheckPathsLead(batch_scorer, presence);
  }
}

// Reads the agent runs, scores them and writes their reports.
void Evaluation::ScoreRuns() {
  FileTree::Listing listing =
      tree_.List([](std::string_view name) { return name.ends_with(".json"); }, reports_folder_);
  files_ = std::move(listing.files);
  report_.trajectory_files = files_.size() + listing.skipped.size();
  for (SkippedFile& skipped : listing.skipped) {
    report_.skipped_trajectories.push_back({tree_.DisplayPath(skipped.path), std::move(skipped.why)});
  }
  if (options_.progress != nullptr) {
    options_.progress->total_bytes =
        std::accumulate(files_.begin(), files_.end(), std::uint64_t{0},
                        [](std::uint64_t sum, const FileTree::File& file) { return sum + file.bytes; });
  }
  RunOrderedPipeline<FileBatch>(
      threads_, [this](FileBatch& batch) { return NextFiles(batch); },
      Parallel([this](FileBatch& batch) { ReadAndJoin(batch); }),
      InOrder([this](FileBatch& batch) { NameReports(batch); }),
      Parallel([this](FileBatch& batch) { Score(batch); }),
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
    FindAbsentPaths();
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
