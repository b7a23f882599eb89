// engine/http/concurrency_window.h: learns from refusals how many requests at a time a service takes, and how
// fast.
//
// A refusal is a reply which says that the service is overloaded. A few refusals among many good replies are
// no reason to ask less. Only if their share exceeds a tolerated one is the window cut. Each cut sets its
// good size to one less than the size that was refused, but not below the number of requests that were in
// progress and answered well. The window itself falls to seven tenths of its good size, returns to the good
// size within some rounds of replies, stays near it for about as long, and then grows beyond it: the curve of
// CUBIC (RFC 9438, section 4.2), over rounds instead of seconds, because replies of models take from
// milliseconds to minutes. Refusals while the window is below its good size are not caused by its size, so
// three times their share is tolerated afterwards. If there are at least two of these refusals, and their
// share is above the least and below the most that may be tolerated, the cut was a mistake and is undone at
// once, but not twice before the window has grown to its most.
//
// Below its most, the window also limits how many requests begin in a second: to its size, divided by the
// time that a good reply takes. In this way it adapts to a service that limits requests a second, even if
// that limit allows less than one request at a time.
//
// The caller passes the time, so that tests need not wait. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_HTTP_CONCURRENCY_WINDOW_H_
#define LEAFSCORE_ENGINE_HTTP_CONCURRENCY_WINDOW_H_

#include <chrono>
#include <cstdint>

namespace leafscore::internal {

using HttpClock = std::chrono::steady_clock;
using HttpTime = HttpClock::time_point;

class ConcurrencyWindow {
 public:
  // The window begins with `most` requests and never exceeds them.
  explicit ConcurrencyWindow(double most) : most_(most), size_(most), good_size_(most) {}

  double size() const { return size_; }

  // Returns how many requests may be in progress: at least one.
  double most_at_once() const;

  // Returns how many requests may begin in a second; 0 if there is no limit.
  double starts_per_second() const;

  // Returns whether the service has refused everything for longer than good replies take. The window then
  // waits for the next good reply, and remains as it is.
  bool refuses_all() const { return refuses_all_; }

  // Record the reply to a request that began at `begun`. A refusal counts as `weight` refusals.
  void TakeGood(HttpTime now, HttpTime begun);
  void TakeRefusal(HttpTime now, HttpTime begun, double weight);

 private:
  static constexpr double kLeastTolerated = 0.03;

  enum class Growth : std::uint8_t { kSlowStart, kRecovers, kProbes };

  double most_excess() const;
  void MeasureGood(HttpTime now, HttpTime begun);
  void CountWhileBelow(HttpTime begun, bool is_refusal);
  void UndoCut();
  void EndRecovery();
  void Grow();
  void Cut(HttpTime now, HttpTime begun);

  double most_;
  double size_;
  double good_size_;
  Growth growth_ = Growth::kProbes;
  double rounds_ = 0;  // of good replies since the last cut
  HttpTime last_cut_ = HttpTime::min();

  double tolerated_ = kLeastTolerated;  // share of refusals
  double excess_ = 0;                   // refusals beyond the tolerated ones: a CUSUM (Page 1954)
  double replies_below_ = 0;            // since the last cut, while the window was below its good size
  double refusals_below_ = 0;
  double size_before_cut_ = 0;
  bool may_undo_ = true;  // the latest cut

  std::uint32_t refusals_in_a_row_ = 0;
  HttpTime row_began_;
  double size_before_row_ = 0;
  bool refuses_all_ = false;

  double reply_seconds_ = 0;  // mean of good replies; 0 before the first
  double good_at_once_ = 0;   // requests in progress that were answered well, recently
  HttpTime measured_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_HTTP_CONCURRENCY_WINDOW_H_
