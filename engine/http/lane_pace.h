// engine/http/lane_pace.h: decides when the next request to a service may begin.
//
// Three things hold a request back. The first is the window of requests in progress, which halves when the
// service says that it is overloaded and grows by one for each window of good replies. The second is budgets
// of requests and tokens a minute, which fill evenly and hold a second's worth, so that no service sees a
// burst. The third is a pause that the service asked for. The caller passes the time, so that tests need not
// wait.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_HTTP_LANE_PACE_H_
#define LEAFSCORE_ENGINE_HTTP_LANE_PACE_H_

#include <chrono>
#include <cstdint>

namespace leafscore::internal {

using HttpClock = std::chrono::steady_clock;
using HttpTime = HttpClock::time_point;

struct PaceLimits {
  unsigned max_concurrency = 32;
  double requests_per_minute = 0;  // 0: no limit
  double tokens_per_minute = 0;
};

class LanePace {
 public:
  LanePace(const PaceLimits& limits, HttpTime now)
      : max_window_(limits.max_concurrency),
        window_(limits.max_concurrency),
        requests_(limits.requests_per_minute, now),
        tokens_(limits.tokens_per_minute, now) {}

  // Tells whether one more request may be in progress, whenever it begins.
  bool has_room() const { return static_cast<double>(under_way_) < window_; }

  // Returns when a request of `tokens` tokens may begin, if there is room: `now` or later.
  HttpTime NextStart(HttpTime now, double tokens);

  void Begin(HttpTime now, double tokens);

  // Record the end of a request that began at `begun` and used `tokens` more tokens than its estimate (or
  // fewer).
  void EndWell(HttpTime now, double tokens);
  void EndOverloaded(HttpTime now, HttpTime begun);
  void EndOtherwise() { --under_way_; }

  void PauseUntil(HttpTime until) {
    if (until > pause_) pause_ = until;
  }

  std::uint32_t under_way() const { return under_way_; }
  double window() const { return window_; }

 private:
  // A budget: fills by `rate` a second, up to a second's worth or 1, whichever is larger.
  class Bucket {
   public:
    Bucket(double per_minute, HttpTime now);
    HttpTime ReadyFor(HttpTime now, double amount);
    void Spend(HttpTime now, double amount);

   private:
    void Fill(HttpTime now);

    double rate_;  // 0: no limit
    double capacity_;
    double level_;  // negative after an amount larger than the capacity
    HttpTime filled_;
  };

  double max_window_;
  double window_;
  std::uint32_t under_way_ = 0;
  HttpTime last_cut_ = HttpTime::min();  // when the window was last cut
  HttpTime pause_ = HttpTime::min();
  Bucket requests_;
  Bucket tokens_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_HTTP_LANE_PACE_H_
