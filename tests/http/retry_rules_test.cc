// What is tried again, and when.
#include "engine/http/retry_rules.h"

#include <gtest/gtest.h>

#include <chrono>

namespace leafscore::internal {
namespace {

using std::chrono::milliseconds;

TEST(RetryRulesTest, TriesOnlyWhatMaySucceedAgain) {
  for (const long status : {408, 425, 429, 500, 502, 503, 504, 529}) EXPECT_TRUE(MayChange(status, ""));
  for (const long status : {200, 301, 307, 400, 401, 403, 404, 413, 422, 501, 505}) {
    EXPECT_FALSE(MayChange(status, "")) << status;
  }
  EXPECT_FALSE(MayChange(429, R"({"error": {"code": "insufficient_quota"}})"));
}

TEST(RetryRulesTest, ReadsSecondsDurationsAndDates) {
  const std::time_t now = 784'111'777 - 3;  // Sun, 06 Nov 1994 08:49:37 GMT is 784111777
  EXPECT_EQ(ReadDelay("0", now), milliseconds(0));
  EXPECT_EQ(ReadDelay("2", now), milliseconds(2000));
  EXPECT_EQ(ReadDelay("0.5", now), milliseconds(500));
  EXPECT_EQ(ReadDelay("20ms", now), milliseconds(20));
  EXPECT_EQ(ReadDelay("1s", now), milliseconds(1000));
  EXPECT_EQ(ReadDelay("6m0s", now), milliseconds(360'000));
  EXPECT_EQ(ReadDelay("1h2m3.5s", now), milliseconds(3'723'500));
  EXPECT_EQ(ReadDelay("Sun, 06 Nov 1994 08:49:37 GMT", now), milliseconds(3000));
  EXPECT_EQ(ReadDelay("Sun, 06 Nov 1994 08:00:00 GMT", now), milliseconds(0));
  EXPECT_EQ(ReadDelay("1e300", now), std::nullopt);
  EXPECT_EQ(ReadDelay("99999999999", now), milliseconds(2'592'000'000));  // 30 days
  for (const char* none : {"", "soon", "-1", "1 week", "5x", "nan", "inf", "Sun, 06 Nov"}) {
    EXPECT_EQ(ReadDelay(none, now), std::nullopt) << none;
  }
}

TEST(RetryRulesTest, BacksOffTwiceAsLongEachTimeWithJitter) {
  SplitMix64 random(1, 2);
  bool differs = false;
  for (unsigned number = 1; number <= 10; ++number) {
    const long most = std::min(500L << (number - 1), 60'000L);
    const milliseconds first = BackOff(number, milliseconds(500), milliseconds(60'000), random);
    for (int i = 0; i < 100; ++i) {
      const milliseconds delay = BackOff(number, milliseconds(500), milliseconds(60'000), random);
      EXPECT_GE(delay.count(), most / 2);
      EXPECT_LE(delay.count(), most);
      differs = differs || delay != first;
    }
  }
  EXPECT_TRUE(differs);
  // Beyond what a double or a shift holds.
  EXPECT_LE(BackOff(100'000, milliseconds(500), milliseconds(60'000), random), milliseconds(60'000));
}

}  // namespace
}  // namespace leafscore::internal
