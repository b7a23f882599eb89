// How the window reacts to refusals, by a clock of the test's own. lane_pace_test.cc simulates whole
// services.
#include "engine/http/concurrency_window.h"

#include <gtest/gtest.h>

#include <chrono>

namespace leafscore::internal {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr HttpTime kFirstRound{seconds(1'000'000)};
constexpr milliseconds kReply{50};

// A window, and requests that begin and end together, a round each 50 ms.
class ConcurrencyWindowTest : public ::testing::Test {
 protected:
  void Round(ConcurrencyWindow& window, int good, int refused) {
    for (int i = 0; i < good; ++i) window.TakeGood(now_ + kReply, now_);
    for (int i = 0; i < refused; ++i) window.TakeRefusal(now_ + kReply, now_, 1);
    now_ += kReply + milliseconds(1);
  }
  void GoodRounds(ConcurrencyWindow& window, int rounds) {
    for (int i = 0; i < rounds; ++i) Round(window, static_cast<int>(window.most_at_once()), 0);
  }

  HttpTime now_ = kFirstRound;
};

TEST_F(ConcurrencyWindowTest, BeginsWithAllAndNoLimitOfRate) {
  const ConcurrencyWindow window(32);
  EXPECT_EQ(window.size(), 32);
  EXPECT_EQ(window.most_at_once(), 32);
  EXPECT_EQ(window.starts_per_second(), 0);
  EXPECT_FALSE(window.refuses_all());
}

TEST_F(ConcurrencyWindowTest, TakesNoNoticeOfAFewRefusals) {
  ConcurrencyWindow window(200);
  for (int i = 0; i < 100; ++i) {
    Round(window, 198, 2);
    ASSERT_EQ(window.size(), 200);
  }
}

TEST_F(ConcurrencyWindowTest, ShrinksToSevenTenthsOfWhatTheServiceTook) {
  ConcurrencyWindow window(32);
  Round(window, 20, 12);  // the first two are tolerated
  EXPECT_NEAR(window.size(), 0.7 * 22, 1e-9);
  EXPECT_NEAR(window.starts_per_second(), 0.7 * 22 / 0.050, 1e-9);
}

TEST_F(ConcurrencyWindowTest, ReturnsToTheGoodSizeAndThenGoesBeyondIt) {
  ConcurrencyWindow window(200);
  Round(window, 100, 100);
  const double low = window.size();
  GoodRounds(window, 16);
  const double good = low / 0.7;
  EXPECT_NEAR(window.size(), good, 0.01 * good);
  GoodRounds(window, 5);  // slow at first
  EXPECT_NEAR(window.size(), good, 0.02 * good);
  GoodRounds(window, 60);
  EXPECT_EQ(window.size(), 200);
  EXPECT_EQ(window.starts_per_second(), 0);
}

// If a smaller window is refused as often, its size is not the reason.
TEST_F(ConcurrencyWindowTest, ToleratesTheShareThatASmallerWindowHasToo) {
  ConcurrencyWindow window(100);
  const auto round = [&] {
    const int all = static_cast<int>(window.most_at_once());
    Round(window, all - all / 20, all / 20);
  };
  for (int i = 0; i < 100; ++i) round();
  for (int i = 0; i < 100; ++i) {
    round();
    ASSERT_EQ(window.size(), 100);
  }
}

TEST_F(ConcurrencyWindowTest, UndoesACutByChanceOnceUntilItHasAllAgain) {
  ConcurrencyWindow window(100);
  Round(window, 90, 10);
  EXPECT_LT(window.size(), 70);
  Round(window, 30, 2);
  EXPECT_EQ(window.size(), 100);
  Round(window, 70, 30);
  EXPECT_LT(window.size(), 70);
  Round(window, 30, 2);
  EXPECT_LT(window.size(), 70);
  GoodRounds(window, 60);
  EXPECT_EQ(window.size(), 100);
  Round(window, 70, 30);
  Round(window, 30, 2);
  EXPECT_EQ(window.size(), 100);
}

TEST_F(ConcurrencyWindowTest, ShrinksAgainIfASmallerWindowIsRefusedMoreOften) {
  ConcurrencyWindow window(100);
  Round(window, 50, 50);
  const double first = window.size();
  Round(window, 10, 20);
  EXPECT_LT(window.size(), first);
}

TEST_F(ConcurrencyWindowTest, KeepsOneAtATime) {
  ConcurrencyWindow window(3);
  for (int i = 0; i < 1000; ++i) {
    Round(window, 0, 1);
    Round(window, 1, 0);
  }
  EXPECT_EQ(window.most_at_once(), 1);
  EXPECT_GT(window.size(), 0);
}

TEST_F(ConcurrencyWindowTest, HalvesAtMostWhileNothingIsAnsweredWell) {
  ConcurrencyWindow window(64);
  GoodRounds(window, 1);
  now_ += seconds(100);
  EXPECT_FALSE(window.refuses_all());
  for (int i = 0; i < 100; ++i) Round(window, 0, 64);
  EXPECT_TRUE(window.refuses_all());
  EXPECT_NEAR(window.size(), 0.7 * 32, 1e-9);
  Round(window, 1, 0);
  EXPECT_FALSE(window.refuses_all());
}

TEST_F(ConcurrencyWindowTest, CountsRefusalsByTheirWeight) {
  ConcurrencyWindow window(64);
  GoodRounds(window, 1);
  for (int i = 0; i < 20; ++i) window.TakeRefusal(now_ + kReply, now_, 0.1);
  EXPECT_EQ(window.size(), 64);
  for (int i = 0; i < 40; ++i) window.TakeRefusal(now_ + kReply, now_, 0.1);
  EXPECT_LT(window.size(), 64);
}

}  // namespace
}  // namespace leafscore::internal
