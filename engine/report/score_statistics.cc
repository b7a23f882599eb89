#include "engine/report/score_statistics.h"

namespace leafscore::internal {

void ScoreStatistics::AddScored(double score, std::optional<bool> passed) {
  scored_.Add(score);
  if (over_all_) over_all_->Add(score);
  counts_.Add(Outcome::kScored);
  coverage_.Add(1);
  if (!passed) return;
  has_verdicts_ = true;
  passed_ += *passed;
  passed_over_all_.Add(*passed);
  passed_over_scored_.Add(*passed);
}

void ScoreStatistics::AddUnscored(Outcome outcome) {
  counts_.Add(outcome);
  ++unscored_;
}

void ScoreStatistics::AddRepeated(std::span<const RecordScore> answers) {
  double sum = 0;
  double scored = 0;
  double passed = 0;
  for (const RecordScore& answer : answers) {
    counts_.Add(answer.outcome);
    if (answer.outcome != Outcome::kScored) continue;
    ++scored;
    sum += answer.score;
    has_verdicts_ |= answer.passed >= 0;
    passed += answer.passed == 1;
  }
  if (scored == 0) {
    ++unscored_;
    return;
  }
  const double all = static_cast<double>(answers.size());
  if (scored < all && !over_all_) over_all_ = scored_;
  scored_.Add(sum / scored);
  if (over_all_) over_all_->Add(sum / all);
  coverage_.Add(scored / all);
  passed_ += static_cast<std::uint64_t>(passed);
  passed_over_all_.Add(passed / all);
  passed_over_scored_.Add(passed / scored);
}

ScoreStatistics& ScoreStatistics::operator+=(const ScoreStatistics& other) {
  if (other.over_all_ && !over_all_) over_all_ = scored_;
  if (over_all_) *over_all_ += other.over_all_ ? *other.over_all_ : other.scored_;
  counts_ += other.counts_;
  unscored_ += other.unscored_;
  scored_ += other.scored_;
  coverage_ += other.coverage_;
  has_verdicts_ |= other.has_verdicts_;
  passed_ += other.passed_;
  passed_over_all_ += other.passed_over_all_;
  passed_over_scored_ += other.passed_over_scored_;
  return *this;
}

std::optional<double> ScoreStatistics::Coverage() const { return coverage_.Mean(unscored_); }

std::optional<std::uint64_t> ScoreStatistics::Passed() const {
  return has_verdicts_ ? std::optional(passed_) : std::nullopt;
}

std::optional<double> ScoreStatistics::PassRate(Over over) const {
  if (!has_verdicts_) return std::nullopt;
  const ExactSum& passed = over == Over::kAll ? passed_over_all_ : passed_over_scored_;
  return passed.Mean(scored_.count() + Zeros(over) - passed.count());
}

}  // namespace leafscore::internal
