#include "engine/http/lane_pace.h"

#include <algorithm>
#include <cmath>

namespace leafscore::internal {
namespace {

using std::chrono::milliseconds;
using Seconds = std::chrono::duration<double>;

// The weight of a refusal that is not by load. It is not 0, because a service whose refusals are all of this
// kind has limits, too.
constexpr double kWeightWithoutLoad = 0.1;

constexpr milliseconds kFirstTrialDelay{50};
constexpr milliseconds kLongestTrialDelay{30'000};

// The caller may be late by about this much, and then catches up.
constexpr double kLateSeconds = 0.005;

}  // namespace

LanePace::Bucket::Bucket(double per_second, HttpTime now)
    : rate_(per_second), capacity_(std::max(rate_, 1.0)), level_(capacity_), filled_(now) {}

void LanePace::Bucket::Fill(HttpTime now) {
  if (now <= filled_) return;
  level_ = std::min(capacity_, level_ + rate_ * Seconds(now - filled_).count());
  filled_ = now;
}

// An amount larger than the capacity waits for a full bucket.
HttpTime LanePace::Bucket::ReadyFor(HttpTime now, double amount) {
  if (rate_ == 0) return now;
  Fill(now);
  const double lacking = std::min(amount, capacity_) - level_;
  if (lacking <= 0) return now;
  return now + std::chrono::ceil<HttpClock::duration>(Seconds(lacking / rate_));
}

void LanePace::Bucket::Spend(HttpTime now, double amount) {
  if (rate_ == 0) return;
  Fill(now);
  level_ = std::min(capacity_, level_ - amount);
}

void LanePace::Bucket::SetRate(HttpTime now, double per_second, double capacity) {
  Fill(now);
  rate_ = per_second;
  capacity_ = capacity;
}

HttpTime LanePace::NextStart(HttpTime now, double tokens) {
  return std::max(
      {now, pause_, starts_.ReadyFor(now, 1), requests_.ReadyFor(now, 1), tokens_.ReadyFor(now, tokens)});
}

void LanePace::Begin(HttpTime now, double tokens) {
  ++under_way_;
  starts_.Spend(now, 1);
  requests_.Spend(now, 1);
  tokens_.Spend(now, tokens);
}

void LanePace::EndWell(HttpTime now, HttpTime begun, double tokens) {
  --under_way_;
  tokens_.Spend(now, tokens);
  window_.TakeGood(now, begun);
  SetStartRate(now);
  trial_delay_ = milliseconds(0);
}

// A request that began before the last pause ended was sent too early to tell whether the pause helped.
void LanePace::EndRefused(HttpTime now, HttpTime begun, const Refusal& refusal) {
  --under_way_;
  window_.TakeRefusal(now, begun, refusal.by_load ? 1 : kWeightWithoutLoad);
  SetStartRate(now);
  if (!window_.refuses_all() || begun < pause_) return;
  trial_delay_ = std::clamp(2 * trial_delay_, kFirstTrialDelay, kLongestTrialDelay);
  PauseUntil(now + std::max(trial_delay_, refusal.asked_delay));
}

void LanePace::SetStartRate(HttpTime now) {
  const double rate = window_.starts_per_second();
  starts_.SetRate(now, rate, std::max(2.0, rate * kLateSeconds));
}

}  // namespace leafscore::internal
