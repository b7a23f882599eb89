#include "engine/http/concurrency_window.h"

#include <algorithm>
#include <cmath>

namespace leafscore::internal {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr double kMostTolerated = 0.15;
constexpr double kToleratedOverSeen = 3;
constexpr double kEnoughBelow = 2;         // refusals
constexpr double kMostExcess = 2.5;        // refusals: the third in short succession is one too many
constexpr double kMostExcessShare = 0.05;  // of a large window
constexpr double kAfterCut = 0.7;          // share of the good size: beta of RFC 9438
constexpr double kRecoveryRounds = 16;
constexpr double kLeastRound = 10;      // replies
constexpr double kClearlyBelow = 0.95;  // share of the good size
constexpr double kLeastSize = 0.1;
constexpr double kRoundsUp = 0.8;  // a window of 2.2 is a window of 3: see most_at_once
constexpr double kMemorySeconds = 0.5;

}  // namespace

double ConcurrencyWindow::most_at_once() const { return std::max(1.0, std::floor(size_ + kRoundsUp)); }

double ConcurrencyWindow::starts_per_second() const {
  return size_ == most_ || reply_seconds_ == 0 ? 0 : size_ / reply_seconds_;
}

// A service that has more refusals by chance also has more of them in a row.
double ConcurrencyWindow::most_excess() const {
  const double least = tolerated_ > kLeastTolerated ? 2 * kMostExcess : kMostExcess;
  return std::max(least, kMostExcessShare * size_);
}

void ConcurrencyWindow::TakeGood(HttpTime now, HttpTime begun) {
  MeasureGood(now, begun);
  CountWhileBelow(begun, false);
  refusals_in_a_row_ = 0;
  refuses_all_ = false;
  excess_ = std::max(0.0, excess_ - tolerated_);
  if (size_ < most_) Grow();
}

// The number of requests in progress is their rate times their duration (Little's law).
void ConcurrencyWindow::MeasureGood(HttpTime now, HttpTime begun) {
  const double took = Seconds(now - begun).count();
  reply_seconds_ += (took - reply_seconds_) * (reply_seconds_ == 0 ? 1 : 1.0 / 16);
  const double memory = std::max(kMemorySeconds, 2 * reply_seconds_);
  const double kept = std::exp(-Seconds(now - measured_).count() / memory);
  good_at_once_ = good_at_once_ * kept + took / memory;
  measured_ = now;
}

// Requests that began before the last cut say nothing about the window since then.
void ConcurrencyWindow::CountWhileBelow(HttpTime begun, bool is_refusal) {
  if (growth_ != Growth::kRecovers || begun <= last_cut_ || size_ > kClearlyBelow * good_size_) return;
  if (replies_below_ == 0) excess_ = 0;
  ++replies_below_;
  if (is_refusal) ++refusals_below_;
  const double share = refusals_below_ / replies_below_;
  if (may_undo_ && refusals_below_ >= kEnoughBelow && share > kLeastTolerated && share < kMostTolerated)
    UndoCut();
}

void ConcurrencyWindow::UndoCut() {
  size_ = good_size_ = size_before_cut_;
  may_undo_ = false;
  EndRecovery();
}

void ConcurrencyWindow::EndRecovery() {
  growth_ = Growth::kProbes;
  tolerated_ = std::clamp(kToleratedOverSeen * refusals_below_ / std::max(replies_below_, 1.0),
                          kLeastTolerated, kMostTolerated);
}

void ConcurrencyWindow::Grow() {
  if (growth_ == Growth::kSlowStart) {
    size_ = std::min(most_, size_ + 1);
    return;
  }
  rounds_ += 1 / std::max(size_, kLeastRound);
  const double from_good = rounds_ / kRecoveryRounds - 1;
  if (growth_ == Growth::kRecovers && from_good >= 0) EndRecovery();
  size_ = std::min(most_, good_size_ * (1 + (1 - kAfterCut) * from_good * from_good * from_good));
  if (size_ == most_) may_undo_ = true;
}

void ConcurrencyWindow::TakeRefusal(HttpTime now, HttpTime begun, double weight) {
  CountWhileBelow(begun, true);
  if (refusals_in_a_row_++ == 0) {
    row_began_ = now;
    size_before_row_ = size_;
  }
  const double patience = reply_seconds_ == 0 ? 1 : std::max(0.1, 2 * reply_seconds_);
  if (refusals_in_a_row_ > kMostExcess && Seconds(now - row_began_).count() > patience) refuses_all_ = true;
  excess_ = std::min(excess_ + weight - tolerated_, most_excess() + 1);
  if (excess_ >= most_excess() && !refuses_all_) Cut(now, begun);
}

// A row of refusals without a good reply may mean that a limit for a period of time is used up, so it halves
// the window at most. Before the first good reply nothing else is known, so each refusal counts.
void ConcurrencyWindow::Cut(HttpTime now, HttpTime begun) {
  const bool knows_nothing = reply_seconds_ == 0;
  const double least = knows_nothing ? 1 : std::max({kLeastSize, size_before_row_ / 2, good_at_once_});
  const bool is_first = begun > last_cut_;
  const double refused_size = is_first ? size_ : good_size_;
  if (is_first) size_before_cut_ = size_;
  good_size_ = std::min(std::max(good_size_, size_), std::max(refused_size - 1, least));
  size_ = kAfterCut * good_size_;
  growth_ = knows_nothing ? Growth::kSlowStart : Growth::kRecovers;
  if (!knows_nothing && is_first) {
    tolerated_ = kMostTolerated;  // until it is known what is tolerable
    excess_ = most_excess() + 1;
  }
  rounds_ = replies_below_ = refusals_below_ = 0;
  last_cut_ = now;
}

}  // namespace leafscore::internal
