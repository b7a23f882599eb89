#include "engine/lint/batch_judge.h"

#include <utility>

#include "engine/run/path_presence.h"
#include "engine/scorers/accepted_values.h"

namespace leafscore::internal {
namespace {

// Rows scored at a time: enough for all threads, and small compared with the gold.
constexpr std::size_t kBatchRows = 16384;
constexpr std::size_t kBatchTextBytes = std::size_t{16} << 20;

EngineOptions WithoutDetails(EngineOptions options) {
  options.details = DetailLevel::kNone;
  return options;
}

}  // namespace

BatchJudge::BatchJudge(const Plan& plan, EngineOptions options, double pass_score, std::string calls_field)
    : scorer_(plan, WithoutDetails(std::move(options))),
      pass_score_(pass_score),
      calls_field_(std::move(calls_field)) {
  for (const NamedScorer& scorer : plan.scorers().scorers()) {
    const ConfigMember* const key = scorer.options.Find(kAnyOfKeyOption.name);
    if (any_of_key_.empty() && key != nullptr) any_of_key_ = key->value.scalar;
  }
}

void BatchJudge::Add(std::uint32_t row, std::optional<std::string_view> expected,
                     std::optional<std::string_view> actual, std::optional<std::string_view> calls) {
  expected_.Add(expected);
  actual_.Add(actual);
  if (!calls_field_.empty()) calls_.Add(calls);
  rows_.push_back(row);
  const std::size_t bytes = expected_.bytes() + actual_.bytes() + calls_.bytes();
  if (rows_.size() == kBatchRows || bytes >= kBatchTextBytes) Flush();
}

void BatchJudge::Flush() {
  if (rows_.empty()) return;
  const ContiguousSource call_texts(calls_.column());
  std::vector<FieldSource> fields;
  if (!calls_field_.empty()) fields.push_back({calls_field_, &call_texts, /*are_calls=*/true});
  const ColumnRun run =
      scorer_.Score(ContiguousSource(expected_.column()), ContiguousSource(actual_.column()), TextFormats(),
                    /*with_texts=*/false, /*without_gold=*/{}, fields);
  AddPresence(run.paths, paths_);
  for (std::uint32_t s = 0; s < run.results.size(); ++s) {
    const ScoreColumns& scores = run.results[s].scores;
    auto error = scores.errors.begin();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const bool scored = scores.outcome[i] == Outcome::kScored;
      Judgement judgement{
          .row = rows_[i],
          .scorer = s,
          .scored = scored,
          .is_error = scores.outcome[i] == Outcome::kError,
          .is_unanswered = scores.outcome[i] == Outcome::kUnanswered,
          .passes = scores.passed[i] < 0 ? scored && scores.score[i] >= pass_score_ : scores.passed[i] == 1,
          .nothing_compared = run.results[s].nothing_compared[i] != 0,
          .score = scored ? scores.score[i] : 0,
          .by_pass_score = scores.passed[i] < 0};
      if (!scored) judgement.message = error++->message;
      take_(judgement);
    }
  }
  expected_.Clear();
  actual_.Clear();
  calls_.Clear();
  rows_.clear();
}

void BatchJudge::SetTake(Take take) {
  Flush();
  take_ = std::move(take);
}

std::vector<std::vector<std::string>> BatchJudge::AbsentPaths() {
  Flush();
  WorkerPool::Lease worker = scorer_.TakeWorker();
  return internal::AbsentPaths(worker->scorer, paths_);
}

}  // namespace leafscore::internal
