// What the pace of questions to judges costs where a service refuses some, apart from what a machine can do:
// HttpClient's queues over a clock that jumps from event to event, so that no figure depends on the machine.
// The service of bench/delayed_service.cc takes all questions at a time, answers each after 50 ms, and
// refuses a share of them (429).
//
// usage: judge_pace: prints a table over numbers of questions at a time and lengths of runs, of 200 runs
// each.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <queue>

#include "engine/base/random.h"
#include "engine/http/http_client.h"
#include "engine/http/lane_pace.h"
#include "engine/http/retry_rules.h"

namespace leafscore::internal {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr double kDelaySeconds = 0.05;
constexpr int kRuns = 200;

struct UnderWay {
  HttpTime end;
  HttpTime begun;
  unsigned tries = 0;
  bool is_refused = false;
  bool operator<(const UnderWay& other) const { return end > other.end; }  // the first on top
};

struct Times {
  double all = 0;    // seconds until all questions were answered
  double fresh = 0;  // until each had been asked once
};

Times Ask(unsigned at_once, std::uint64_t questions, double refused, std::uint64_t seed) {
  constexpr std::uint64_t kParts = 1'000'000;
  constexpr std::uint64_t kSpread = 2'000;  // replies do not come all at once
  const LaneLimits limits;
  const HttpTime begun{std::chrono::hours(1)};
  SplitMix64 random{seed, 0};
  LanePace pace({.max_concurrency = at_once}, begun);
  std::priority_queue<UnderWay> under_way;
  std::multimap<HttpTime, unsigned> again;  // by the time of the next try: tries so far
  std::uint64_t fresh = questions;
  HttpTime now = begun;
  HttpTime last_fresh = begun;
  for (std::uint64_t answered = 0; answered < questions;) {
    HttpTime next = HttpTime::max();
    while (pace.has_room() && (fresh != 0 || !again.empty())) {
      const bool is_again = !again.empty() && (again.begin()->first <= now || fresh == 0);
      next = std::max(is_again ? again.begin()->first : now, pace.NextStart(now, 0));
      if (next > now) break;
      next = HttpTime::max();
      const unsigned tries = is_again ? again.extract(again.begin()).mapped() : 0;
      if (!is_again && --fresh == 0) last_fresh = now;
      pace.Begin(now, 0);
      const auto spread = microseconds(static_cast<std::int64_t>(random.Below(kSpread)));
      const bool is_refused = static_cast<double>(random.Below(kParts)) < refused * kParts;
      under_way.push({now + milliseconds(50) + spread, now, tries + 1, is_refused});
    }
    if (under_way.empty() || under_way.top().end > next) {
      now = next;
      continue;
    }
    const UnderWay ended = under_way.top();
    under_way.pop();
    now = ended.end;
    if (ended.is_refused) {
      pace.EndRefused(now, ended.begun, {});
      again.emplace(now + BackOff(ended.tries, limits.first_delay, limits.longest_delay, random),
                    ended.tries);
    } else {
      pace.EndWell(now, ended.begun, 0);
      ++answered;
    }
  }
  using Seconds = std::chrono::duration<double>;
  return {.all = Seconds(now - begun).count(), .fresh = Seconds(last_fresh - begun).count()};
}

void PrintTable() {
  constexpr double kRefused = 0.01;
  fmt::print("| at a time | run | 1% of 429 / clean | the slowest run | after the last first try |\n");
  fmt::print("|---:|---:|---:|---:|---:|\n");
  for (const unsigned at_once : {8u, 32u, 200u}) {
    for (const double seconds : {10.0, 20.0, 30.0}) {
      const auto questions = static_cast<std::uint64_t>(at_once * seconds / kDelaySeconds);
      double shares = 0;
      double least = 1;
      double tails = 0;
      for (std::uint64_t run = 0; run < kRuns; ++run) {
        const Times times = Ask(at_once, questions, kRefused, run);
        const double share = Ask(at_once, questions, 0, run).all / times.all;
        shares += share;
        least = std::min(least, share);
        tails += times.all - times.fresh;
      }
      fmt::print("| {} | {} s | {:.1f}% | {:.1f}% | {:.2f} s |\n", at_once, seconds, 100 * shares / kRuns,
                 100 * least, tails / kRuns);
    }
  }
}

}  // namespace
}  // namespace leafscore::internal

int main() { leafscore::internal::PrintTable(); }
