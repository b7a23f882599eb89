// engine/http/lane_pace.h: decides when the next request to a service may begin.
//
// Three things hold a request back. The first is the window of requests in progress, which learns from
// refusals (concurrency_window.h). The second is budgets of requests and tokens a minute, which fill evenly
// and hold a second's worth, at least 1, so that no service sees a burst. The third is a pause: because the
// service asked for it, or because it refuses everything. After the second kind of pause, a single request is
// tried. The caller passes the time, so that tests need not wait. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_HTTP_LANE_PACE_H_
#define LEAFSCORE_ENGINE_HTTP_LANE_PACE_H_

#include <chrono>
#include <cstdint>

#include "engine/http/concurrency_window.h"

namespace leafscore::internal {

struct PaceLimits {
  unsigned max_concurrency = 32;
  double requests_per_minute = 0;  // 0: no limit
  double tokens_per_minute = 0;
};

// A reply which says that the service is overloaded.
struct Refusal {
  bool by_load = true;  // false: the service says that its limits have room, or which of them is used up
  std::chrono::milliseconds asked_delay{0};
};

class LanePace {
 public:
  LanePace(const PaceLimits& limits, HttpTime now)
      : window_(limits.max_concurrency),
        starts_(0, now),
        requests_(limits.requests_per_minute / 60, now),
        tokens_(limits.tokens_per_minute / 60, now) {}

  // Returns whether one more request may be in progress; NextStart says when it may begin.
  bool has_room() const { return under_way_ < (window_.refuses_all() ? 1 : window_.most_at_once()); }

  // Returns when a request of `tokens` tokens may begin, if there is room: `now` or later.
  HttpTime NextStart(HttpTime now, double tokens);

  void Begin(HttpTime now, double tokens);

  // Record the end of a request that began at `begun`, and used `tokens` more tokens than its estimate (fewer
  // if `tokens` is negative).
  void EndWell(HttpTime now, HttpTime begun, double tokens);
  void EndRefused(HttpTime now, HttpTime begun, const Refusal& refusal);
  void EndOtherwise() { --under_way_; }

  void PauseUntil(HttpTime until) {
    if (until > pause_) pause_ = until;
  }

  std::uint32_t under_way() const { return under_way_; }
  const ConcurrencyWindow& window() const { return window_; }

 private:
  // A budget: fills by `rate` a second, up to its capacity.
  class Bucket {
   public:
    // Holds a second's worth or 1, whichever is larger.
    Bucket(double per_second, HttpTime now);
    HttpTime ReadyFor(HttpTime now, double amount);
    void Spend(HttpTime now, double amount);
    void SetRate(HttpTime now, double per_second, double capacity);

   private:
    void Fill(HttpTime now);

    double rate_;  // 0: no limit
    double capacity_;
    double level_;  // negative after an amount larger than the capacity
    HttpTime filled_;
  };

  void SetStartRate(HttpTime now);

  ConcurrencyWindow window_;
  std::uint32_t under_way_ = 0;
  HttpTime pause_ = HttpTime::min();
  std::chrono::milliseconds trial_delay_{0};  // before the last trial of a service that refuses everything
  Bucket starts_;
  Bucket requests_;
  Bucket tokens_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_HTTP_LANE_PACE_H_
