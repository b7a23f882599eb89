// When requests may begin: windows, budgets a minute and pauses, by a clock of the test's own; and a client
// in virtual time, against services that fail by chance or have a limit.
#include "engine/http/lane_pace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "engine/base/random.h"
#include "engine/http/retry_rules.h"

namespace leafscore::internal {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr HttpTime kStart{seconds(1'000'000)};

TEST(LanePaceTest, HasRoomForAsManyAsItsWindow) {
  LanePace pace({.max_concurrency = 2}, kStart);
  pace.Begin(kStart, 0);
  EXPECT_TRUE(pace.has_room());
  pace.Begin(kStart, 0);
  EXPECT_FALSE(pace.has_room());
  pace.EndOtherwise();
  EXPECT_TRUE(pace.has_room());
}

TEST(LanePaceTest, LetsASecondsWorthOfRequestsGoAndThenOneAtATime) {
  LanePace pace({.max_concurrency = 100, .requests_per_minute = 120}, kStart);  // 2 a second
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(pace.NextStart(kStart, 0), kStart);
    pace.Begin(kStart, 0);
  }
  EXPECT_EQ(pace.NextStart(kStart, 0), kStart + milliseconds(500));
  pace.Begin(kStart + milliseconds(500), 0);
  EXPECT_EQ(pace.NextStart(kStart + milliseconds(600), 0), kStart + milliseconds(1000));
  // What was not used in a minute is not saved up.
  EXPECT_EQ(pace.NextStart(kStart + seconds(60), 0), kStart + seconds(60));
  pace.Begin(kStart + seconds(60), 0);
  pace.Begin(kStart + seconds(60), 0);
  EXPECT_EQ(pace.NextStart(kStart + seconds(60), 0), kStart + milliseconds(60'500));
}

TEST(LanePaceTest, WaitsForTokensAndCorrectsWhatARequestSaid) {
  LanePace pace({.max_concurrency = 100, .tokens_per_minute = 6000}, kStart);  // 100 a second
  pace.Begin(kStart, 100);
  EXPECT_EQ(pace.NextStart(kStart, 50), kStart + milliseconds(500));
  pace.EndWell(kStart, kStart, 100);  // it took 200
  EXPECT_EQ(pace.NextStart(kStart, 50), kStart + milliseconds(1500));
  // One that is larger than a second's worth waits for a full bucket, not for ever.
  EXPECT_EQ(pace.NextStart(kStart, 1e9), kStart + milliseconds(2000));
}

TEST(LanePaceTest, PausesAsLongAsTheServiceAsks) {
  LanePace pace({}, kStart);
  pace.PauseUntil(kStart + seconds(5));
  pace.PauseUntil(kStart + seconds(3));
  EXPECT_EQ(pace.NextStart(kStart, 0), kStart + seconds(5));
  EXPECT_EQ(pace.NextStart(kStart + seconds(6), 0), kStart + seconds(6));
}

TEST(LanePaceTest, PausesLongerEachTimeThatEverythingIsRefused) {
  LanePace pace({.max_concurrency = 4}, kStart);
  HttpTime now = kStart;
  const auto refuse = [&](milliseconds asked_delay) {
    now = pace.NextStart(now, 0);
    const HttpTime begun = now;
    pace.Begin(begun, 0);
    now += milliseconds(10);
    pace.EndRefused(now, begun, {.asked_delay = asked_delay});
    return pace.NextStart(now, 0) - now;
  };
  pace.Begin(now, 0);
  pace.EndWell(now + milliseconds(10), now, 0);
  while (!pace.window().refuses_all()) refuse(milliseconds(0));
  EXPECT_EQ(refuse(milliseconds(0)), milliseconds(100));
  EXPECT_EQ(refuse(milliseconds(0)), milliseconds(200));
  EXPECT_EQ(refuse(milliseconds(3000)), milliseconds(3000));
  EXPECT_EQ(refuse(milliseconds(0)), milliseconds(800));
  pace.Begin(now + seconds(1), 0);
  EXPECT_FALSE(pace.has_room());  // one tries
  pace.EndWell(now + seconds(2), now + seconds(1), 0);
  EXPECT_TRUE(pace.has_room());
  for (int i = 0; i < 3; ++i) refuse(milliseconds(0));
  EXPECT_FALSE(pace.window().refuses_all());
}

enum class Ending { kGood, kRefused, kFault };
struct Outcome {
  Ending ending = Ending::kGood;
  milliseconds takes{50};
};

// Decides what becomes of a request that arrives while `under_way` others are answered well.
using Service = std::function<Outcome(HttpTime now, unsigned under_way)>;

struct Share {
  double good_per_second = 0;
  double refused = 0;  // of good and refused replies
};

// A client with more to ask than it can, as http_client.cc is one; for `length`, of which the first third
// does not count.
class Simulation {
 public:
  Simulation(unsigned max_concurrency, Service service)
      : pace_({.max_concurrency = max_concurrency}, kStart), service_(std::move(service)) {}

  Share Run(seconds length) {
    const HttpTime measured_from = now_ + length / 3;
    const HttpTime end = now_ + length;
    double good = 0;
    double refused = 0;
    while (now_ < end) {
      const HttpTime next_start = BeginWhatMay();
      if (ends_.empty() || next_start < ends_.begin()->first) {
        now_ = next_start;
        continue;
      }
      const Ending ending = EndOne();
      if (now_ < measured_from) continue;
      good += ending == Ending::kGood;
      refused += ending == Ending::kRefused;
    }
    return {good / std::chrono::duration<double>(length - length / 3).count(), refused / (good + refused)};
  }

 private:
  struct Request {
    HttpTime begun;
    Ending ending;
    unsigned tries;
  };

  // RETURNS: when to look again, in whole milliseconds, as epoll waits.
  HttpTime BeginWhatMay() {
    while (pace_.has_room()) {
      const HttpTime start = pace_.NextStart(now_, 0);
      if (start > now_) return now_ + std::chrono::ceil<milliseconds>(start - now_);
      unsigned tries = 1;
      if (!again_.empty() && again_.begin()->first <= now_) {
        tries += again_.begin()->second;
        again_.erase(again_.begin());
      }
      pace_.Begin(now_, 0);
      const Outcome outcome = service_(now_, answered_well_);
      answered_well_ += outcome.ending == Ending::kGood;
      ends_.emplace(now_ + outcome.takes, Request{now_, outcome.ending, tries});
    }
    return HttpTime::max();
  }

  Ending EndOne() {
    now_ = ends_.begin()->first;
    const Request request = ends_.begin()->second;
    ends_.erase(ends_.begin());
    if (request.ending == Ending::kGood) {
      --answered_well_;
      pace_.EndWell(now_, request.begun, 0);
      return request.ending;
    }
    request.ending == Ending::kRefused ? pace_.EndRefused(now_, request.begun, {}) : pace_.EndOtherwise();
    again_.emplace(now_ + BackOff(request.tries, milliseconds(500), milliseconds(60'000), random_),
                   request.tries);
    return request.ending;
  }

  LanePace pace_;
  const Service service_;
  HttpTime now_ = kStart;
  unsigned answered_well_ = 0;  // under way
  std::multimap<HttpTime, Request> ends_;
  std::multimap<HttpTime, unsigned> again_;  // tries of those that wait for their next one
  SplitMix64 random_{1, 1};
};

class SimulatedServiceTest : public ::testing::TestWithParam<unsigned> {
 protected:
  // Tells whether something happens that happens to `share` of all.
  bool Happens(double share) { return static_cast<double>(random_.Below(1u << 30)) < share * (1u << 30); }

  SplitMix64 random_{7, 7};
};

TEST_P(SimulatedServiceTest, GivesAllThatItCan) {
  const Share share = Simulation(GetParam(), [](HttpTime, unsigned) { return Outcome{}; }).Run(seconds(30));
  EXPECT_NEAR(share.good_per_second, 20 * GetParam(), 0.01 * 20 * GetParam());
}

TEST_P(SimulatedServiceTest, RefusesOneInAHundredAndLosesNoMore) {
  for (const milliseconds takes : {milliseconds(1), milliseconds(50)}) {
    const auto service = [&](HttpTime, unsigned) {
      return Happens(0.01) ? Outcome{Ending::kRefused, takes} : Outcome{};
    };
    EXPECT_GE(Simulation(GetParam(), service).Run(seconds(60)).good_per_second, 0.97 * 20 * GetParam());
  }
}

// A tenth fails: half of that by refusals, the others otherwise, of which a part holds its place for 1.5 s.
TEST_P(SimulatedServiceTest, FailsInManyWaysAndLosesWhatThatTakes) {
  const auto service = [&](HttpTime, unsigned) {
    if (!Happens(0.1)) return Outcome{};
    if (Happens(0.5)) return Outcome{Ending::kRefused};
    return Outcome{Ending::kFault, Happens(1.0 / 3) ? milliseconds(1500) : milliseconds(50)};
  };
  const double seconds_of_one = 0.05 + 0.1 / 6 * 1.45;
  const double ideal = GetParam() * 0.9 / seconds_of_one;
  EXPECT_GE(Simulation(GetParam(), service).Run(seconds(60)).good_per_second, 0.9 * ideal);
}

// Within the first seconds, while the client learns that the size of its window is not the reason.
TEST_P(SimulatedServiceTest, LearnsSoonWhatFailsByChance) {
  for (int run = 0; run < 20; ++run) {
    const auto service = [&](HttpTime, unsigned) {
      return Happens(0.05) ? Outcome{Ending::kRefused} : Outcome{};
    };
    EXPECT_GE(Simulation(GetParam(), service).Run(seconds(6)).good_per_second, 0.8 * 20 * GetParam());
  }
}

TEST_P(SimulatedServiceTest, TakesSoManyAtATime) {
  for (const unsigned limit : {2u, 6u, 25u, 100u}) {
    if (limit >= GetParam()) continue;
    for (const milliseconds takes : {milliseconds(1), milliseconds(50)}) {
      const auto service = [&](HttpTime, unsigned under_way) {
        return under_way < limit ? Outcome{} : Outcome{Ending::kRefused, takes};
      };
      const Share share = Simulation(GetParam(), service).Run(seconds(60));
      EXPECT_GE(share.good_per_second, 0.88 * 20 * limit) << limit << ' ' << takes.count();
      EXPECT_LE(share.refused, 0.03) << limit << ' ' << takes.count();
    }
  }
}

// A bucket that holds a second's worth.
TEST_P(SimulatedServiceTest, TakesSoManyASecond) {
  for (const double rate : {30.0, 100.0, 1000.0}) {
    if (rate >= 20 * GetParam()) continue;
    double level = rate;
    HttpTime filled = kStart;
    const auto service = [&](HttpTime now, unsigned) {
      level = std::min(rate, level + rate * std::chrono::duration<double>(now - filled).count());
      filled = now;
      if (level < 1) return Outcome{Ending::kRefused, milliseconds(1)};
      level -= 1;
      return Outcome{};
    };
    const Share share = Simulation(GetParam(), service).Run(seconds(60));
    EXPECT_GE(share.good_per_second, 0.9 * rate) << rate;
    EXPECT_LE(share.refused, 0.05) << rate;
  }
}

// A count that begins anew each second; what comes after it is used up is refused until then.
TEST_P(SimulatedServiceTest, CountsTheRequestsOfEachSecond) {
  for (const std::int64_t rate : {100, 1000}) {
    if (rate >= 20 * GetParam()) continue;
    std::map<std::int64_t, std::int64_t> counts;
    const auto service = [&](HttpTime now, unsigned) {
      const auto second = std::chrono::floor<seconds>(now - kStart).count();
      return ++counts[second] <= rate ? Outcome{} : Outcome{Ending::kRefused, milliseconds(1)};
    };
    const Share share = Simulation(GetParam(), service).Run(seconds(60));
    EXPECT_GE(share.good_per_second, 0.9 * static_cast<double>(rate)) << rate;
    EXPECT_LE(share.refused, 0.05) << rate;
  }
}

TEST_P(SimulatedServiceTest, FollowsALimitThatChanges) {
  unsigned limit = GetParam();
  const auto service = [&](HttpTime, unsigned under_way) {
    return under_way < limit ? Outcome{} : Outcome{Ending::kRefused, milliseconds(1)};
  };
  Simulation simulation(GetParam(), service);
  for (const unsigned change : {4u, GetParam(), 2u, GetParam()}) {
    limit = change;
    const Share share = simulation.Run(seconds(60));
    EXPECT_GE(share.good_per_second, 0.88 * 20 * limit) << limit;
    EXPECT_LE(share.refused, 0.03) << limit;
  }
}

TEST_P(SimulatedServiceTest, ComesBackAfterItWasAway) {
  const auto service = [&](HttpTime now, unsigned) {
    const bool away = now >= kStart + seconds(10) && now < kStart + seconds(20);
    return away ? Outcome{Ending::kRefused, milliseconds(1)} : Outcome{};
  };
  Simulation simulation(GetParam(), service);
  simulation.Run(seconds(40));
  const Share share = simulation.Run(seconds(30));
  EXPECT_GE(share.good_per_second, 0.99 * 20 * GetParam());
  EXPECT_EQ(share.refused, 0);
}

INSTANTIATE_TEST_SUITE_P(Concurrencies, SimulatedServiceTest, ::testing::Values(8u, 32u, 200u));

}  // namespace
}  // namespace leafscore::internal
