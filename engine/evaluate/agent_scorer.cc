#include "engine/evaluate/agent_scorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/suggest.h"
#include "engine/json/json_writer.h"
#include "engine/run/path_presence.h"
#include "engine/scorers/registry.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {
namespace {

// The bytes of pairs that are scored at a time. They are limited because one long ground truth may belong to
// many runs.
constexpr std::size_t kScoreBytes = 16 << 20;

EngineOptions EngineOptionsOf(const EvaluationOptions& options) {
  return {.details = options.details,
          .max_details_bytes = options.max_details_bytes,
          .stop = options.stop,
          .judges = options.judges};
}

}  // namespace

std::vector<EvaluationSummary::ScorerInfo> ScorerInfos(const ScenarioScorers& scorers, DetailLevel details) {
  std::vector<EvaluationSummary::ScorerInfo> infos;
  for (const ScorerSet& set : scorers.sets()) {
    const BatchScorer scorer(set, {.details = details});
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

AgentScorer::AgentScorer(const EvaluationOptions& options, const ScenarioSet& scenarios,
                         const ScenarioScorers& scorers)
    : options_(options),
      scenarios_(scenarios),
      scorers_(scorers),
      workers_([this] { return MakeWorker(); }) {}

AgentScorer::Worker AgentScorer::MakeWorker() const {
  Worker worker;
  for (const ScorerSet& set : scorers_.sets()) {
    worker.batch_scorers.push_back(std::make_unique<BatchScorer>(set, EngineOptionsOf(options_)));
  }
  return worker;
}

void AgentScorer::Score(FileBatch& batch) {
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
}

// Returns whether a run can be scored; if not, makes it an error.
bool AgentScorer::IsScorable(AgentRun& run, FileBatch& batch) const {
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
    batch.self_judged.push_back({run.path, why});
  } else {
    RecordLikeJudge(run, batch);
    return true;
  }
  score.outcome = Outcome::kError;
  score.passed = 0;
  return false;
}

void AgentScorer::RecordLikeJudge(const AgentRun& run, FileBatch& batch) const {
  const std::optional<std::string>& model = run.trajectory.model;
  if (options_.allow_self_judge || !model) return;
  const std::string_view judge = scorers_.LikeJudge(run.scenario, *model);
  if (judge.empty()) return;
  batch.maybe_self_judged.push_back({run.path, fmt::format("{} wrote the answer, and {} judges it",
                                                           QuoteForMessage(*model), QuoteForMessage(judge))});
}

// Scores a run with its scenario's own scorer.
void AgentScorer::ScoreAlone(const ScorerSet& scorer, AgentRun& run, JsonInTexts& json_in_texts) const {
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
void AgentScorer::ScoreRows(Worker& worker, std::uint32_t scorer, JsonInTexts& json_in_texts) const {
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
void AgentScorer::TakeScores(const BatchScorer& batch_scorer, std::span<AgentRun* const> rows,
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

void AgentScorer::FindAbsentPaths(AskedScenarios& asked) const {
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
    asked.SetAbsentPaths(scorer, AbsentPaths(batch_scorer, presence).front());
    if (!options_.allow_absent_paths) CheckPathsLead(batch_scorer, presence);
  }
}

}  // namespace leafscore::internal
