#include "engine/http/lane_pace.h"

#include <algorithm>
#include <cmath>

namespace leafscore::internal {
namespace {

using Seconds = std::chrono::duration<double>;

}  // namespace

LanePace::Bucket::Bucket(double per_minute, HttpTime now)
    : rate_(per_minute / 60), capacity_(std::max(rate_, 1.0)), level_(capacity_), filled_(now) {}

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

HttpTime LanePace::NextStart(HttpTime now, double tokens) {
  return std::max({now, pause_, requests_.ReadyFor(now, 1), tokens_.ReadyFor(now, tokens)});
}

void LanePace::Begin(HttpTime now, double tokens) {
  ++under_way_;
  requests_.Spend(now, 1);
  tokens_.Spend(now, tokens);
}

void LanePace::EndWell(HttpTime now, double tokens) {
  --under_way_;
  tokens_.Spend(now, tokens);
  window_ = std::min(max_window_, window_ + 1 / window_);
}

// Requests that began before the last cut say nothing about the window since then.
void LanePace::EndOverloaded(HttpTime now, HttpTime begun) {
  --under_way_;
  if (begun <= last_cut_) return;
  window_ = std::max(1.0, window_ / 2);
  last_cut_ = now;
}

}  // namespace leafscore::internal
