#include "engine/rank/row_builder.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/statistics/label_correction.h"
#include "engine/statistics/pass_rates.h"

namespace leafscore::internal {
namespace {

double ShareOf(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

// Returns the mean, which is the same for any order of the values.
double MeanOf(std::vector<double>& values) {
  std::ranges::sort(values);
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::optional<std::uint64_t> IdMean::ClusterCount() const {
  if (clusters_.empty()) return std::nullopt;
  return std::ranges::count_if(clusters_, [](const ExactSum& cluster) { return cluster.count() > 0; });
}

// The standard error of a mean over ids that come in clusters: sqrt(G / (G - 1) * sum over the G clusters of
// (sum of their ids' residuals)^2) / n. E. Miller, "Adding error bars to evals", arXiv:2411.00640, 2024; with
// the factor for few clusters from A. C. Cameron and D. L. Miller, J. Human Resources 50, 2015.
std::optional<double> IdMean::StandardError() const {
  if (clusters_.empty()) return figures_.StandardError(/*zeros=*/0);
  const auto count = static_cast<double>(*ClusterCount());
  if (count < 2) return std::nullopt;
  const double mean = *Mean();
  double squares = 0;
  for (const ExactSum& cluster : clusters_) {
    const double residual = cluster.Total() - static_cast<double>(cluster.count()) * mean;
    squares += residual * residual;
  }
  return std::sqrt(count / (count - 1) * squares) / static_cast<double>(ids());
}

std::optional<double> IdMean::EffectiveIds() const {
  if (ids() == 0) return std::nullopt;
  const auto all = static_cast<double>(ids());
  if (clusters_.empty()) return all;
  const std::optional<double> error = StandardError();
  if (!error) return std::nullopt;
  const double variance = *Mean() * (1 - *Mean());
  if (variance == 0) return static_cast<double>(*ClusterCount());
  return std::min(all, variance / (*error * *error));
}

IdResult RowBuilder::AddId(std::uint32_t id, LineNumbers numbers) {
  const std::uint32_t cluster = ClusterOf(id);
  const std::uint64_t samples = numbers.size();
  std::uint64_t passed = 0;
  bool nothing_compared = false;
  bool has_error = false;
  values_.clear();
  for (const std::uint32_t number : numbers) {
    const Answer& answer = lines_.answers[number];
    counts_.Add(answer.outcome);
    passed += answer.passed == 1;
    nothing_compared_ += answer.nothing_compared;
    of_other_kind_ += answer.of_other_kind;
    const double unexpected =
        number < lines_.unexpected_shares.size() ? lines_.unexpected_shares[number] : 0.0;
    if (unexpected > 0) unexpected_shares_.Add(unexpected);
    nothing_compared |= answer.nothing_compared;
    has_error |= answer.outcome == Outcome::kError;
    if (answer.outcome == Outcome::kScored) values_.push_back(answer.score);
  }
  if (samples == 1 && lines_.answers[numbers[0]].is_labelled)
    labels_.Add(passed == 1, lines_.answers[numbers[0]].people_pass);
  const std::uint64_t scored = values_.size();
  if (scored > 0) {
    scored_scores_.Add(MeanOf(values_), cluster);
    scored_passes_.Add(ShareOf(passed, scored));
  }
  values_.resize(std::max<std::uint64_t>(samples, 1));  // samples without a score count as 0
  const IdResult result = {MeanOf(values_), samples == 0 ? 0 : ShareOf(passed, samples),
                           nothing_compared || (has_error && scored == 0)};
  scores_.Add(result.score, cluster);
  passes_.Add(result.passed, cluster);
  coverage_.Add(samples == 0 ? 0 : ShareOf(scored, samples));
  AddPassK(samples, passed);
  AddCauses(numbers, result.score);
  AddMetrics(numbers);
  if (!asked_.fields.empty()) AddFields(id, numbers);
  return result;
}

void RowBuilder::AddPassK(std::uint64_t samples, std::uint64_t passed) {
  for (PassSums& sums : pass_k_) {
    const std::uint64_t n = std::max<std::uint64_t>(samples, sums.k);
    sums.pass_at.Add(PassAtK(n, passed, sums.k));
    sums.pass_hat.Add(PassHatK(n, passed, sums.k));
    sums.short_ids += samples < sums.k;
  }
}

void RowBuilder::AddCauses(LineNumbers numbers, double score) {
  AnswerCauses causes;
  for (const std::uint32_t number : numbers) {
    if (number < lines_.causes.size()) causes = causes | lines_.causes[number];
  }
  causes.ForEach([&](AnswerCause cause) { causes_[cause].Add(score); });
}

std::vector<CauseFigures> RowBuilder::Causes() const {
  std::vector<CauseFigures> causes;
  for (const auto& [cause, scores] : causes_) {
    ExactSum others = scores_.sum();
    others -= scores;
    causes.push_back({cause, scores.count(), ShareOf(scores.count(), scores_.ids()), others.Mean()});
  }
  std::ranges::stable_sort(causes, std::greater<>(),
                           [](const CauseFigures& cause) { return cause.mean_without.value_or(1); });
  return causes;
}

void RowBuilder::AddMetrics(LineNumbers numbers) {
  for (std::size_t m = 0; m < metrics_.size(); ++m) {
    values_.clear();
    for (const std::uint32_t number : numbers) {
      if (number >= lines_.metrics.size() || std::isnan(lines_.metrics[number][m])) continue;
      values_.push_back(lines_.metrics[number][m]);
    }
    if (!values_.empty()) metrics_[m].Add(MeanOf(values_));
  }
}

// The expected fields of an id without a readable answer count as missing, and records in error are left out,
// as in the report of a run. The lines of other models show which fields were expected.
void RowBuilder::AddFields(std::uint32_t id, LineNumbers numbers) {
  if (numbers.empty()) AddMissingFields(id);
  for (const std::uint32_t number : numbers) {
    const Outcome outcome = lines_.answers[number].outcome;
    if (outcome == Outcome::kUnreadable || outcome == Outcome::kUnanswered) AddMissingFields(id);
    if (outcome != Outcome::kScored || number >= lines_.fields.size()) continue;
    const FieldTally& tally = lines_.fields[number];
    fields_.true_positives += tally.true_positives;
    fields_.false_positives += tally.false_positives;
    fields_.false_negatives += tally.false_negatives;
    fields_.true_negatives += tally.true_negatives;
  }
}

void RowBuilder::AddMissingFields(std::uint32_t id) {
  const AskedIds::Fields& fields = asked_.fields[id];
  fields_.false_negatives += fields.expected;
  fields_.true_negatives += fields.all - fields.expected;
}

void RowBuilder::Fill(bool corrects, LeaderboardRow& row) {
  row.asked = scores_.ids();
  row.scored = counts_.scored;
  row.unreadable = counts_.unreadable;
  row.unanswered = counts_.unanswered;
  row.errors = counts_.errors;
  row.nothing_compared = nothing_compared_;
  row.of_other_kind = of_other_kind_;
  row.unexpected_share = unexpected_shares_.Mean(counts_.scored - unexpected_shares_.count()).value_or(0);
  row.clusters = scores_.ClusterCount();
  row.coverage = coverage_.Mean();
  row.over_all = {.mean = scores_.Mean(), .standard_error = scores_.StandardError()};
  row.over_scored = {.mean = scored_scores_.Mean(), .standard_error = scored_scores_.StandardError()};
  row.precision = metrics_[0].Mean();
  row.recall = metrics_[1].Mean();
  row.f1 = metrics_[2].Mean();
  if (!asked_.fields.empty()) row.fields = fields_;
  row.causes = Causes();
  for (const PassSums& sums : pass_k_) {
    PassAmong& among = row.pass_k.emplace_back(PassAmong{.k = sums.k, .short_ids = sums.short_ids});
    if (!asked_.has_verdicts) continue;
    among.pass_at = sums.pass_at.Mean();
    among.pass_hat = sums.pass_hat.Mean();
  }
  if (!asked_.has_verdicts) return;
  row.over_all.pass_rate = passes_.Mean();
  row.over_scored.pass_rate = scored_passes_.Mean();
  if (const std::optional<double> ids = passes_.EffectiveIds()) {
    row.pass_interval = WilsonInterval(*row.over_all.pass_rate, *ids);
    if (corrects) row.corrected = CorrectByLabels(*row.over_all.pass_rate, *ids, labels_);
  }
}

}  // namespace leafscore::internal
