// When requests may begin: windows, budgets a minute and pauses, by a clock of the test's own.
#include "engine/http/lane_pace.h"

#include <gtest/gtest.h>

#include <chrono>

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

TEST(LanePaceTest, HalvesItsWindowOnceForRequestsThatBeganTogether) {
  LanePace pace({.max_concurrency = 32}, kStart);
  for (int i = 0; i < 32; ++i) pace.Begin(kStart, 0);
  for (int i = 0; i < 32; ++i) pace.EndOverloaded(kStart + seconds(1), kStart);
  EXPECT_EQ(pace.window(), 16);
  pace.Begin(kStart + seconds(2), 0);
  pace.EndOverloaded(kStart + seconds(3), kStart + seconds(2));
  EXPECT_EQ(pace.window(), 8);
}

TEST(LanePaceTest, KeepsAWindowOfOne) {
  LanePace pace({.max_concurrency = 2}, kStart);
  for (int i = 1; i < 10; ++i) {
    pace.Begin(kStart + seconds(2 * i), 0);
    pace.EndOverloaded(kStart + seconds(2 * i + 1), kStart + seconds(2 * i));
  }
  EXPECT_EQ(pace.window(), 1);
  EXPECT_TRUE(pace.has_room());
}

TEST(LanePaceTest, GrowsByOneForEachWindowOfGoodReplies) {
  LanePace pace({.max_concurrency = 6}, kStart);
  pace.Begin(kStart, 0);
  pace.EndOverloaded(kStart + seconds(1), kStart);
  ASSERT_EQ(pace.window(), 3);
  for (int i = 0; i < 3; ++i) {
    pace.Begin(kStart + seconds(2), 0);
    pace.EndWell(kStart + seconds(2), 0);
  }
  EXPECT_NEAR(pace.window(), 4, 0.15);
  for (int i = 0; i < 100; ++i) {
    pace.Begin(kStart + seconds(2), 0);
    pace.EndWell(kStart + seconds(2), 0);
  }
  EXPECT_EQ(pace.window(), 6);
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
  pace.EndWell(kStart, 100);  // it took 200
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

}  // namespace
}  // namespace leafscore::internal
