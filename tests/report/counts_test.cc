#include "engine/report/counts.h"

#include <gtest/gtest.h>

#include <optional>

namespace leafscore::internal {
namespace {

TEST(OutcomeCounts, CountEachOutcomeByItself) {
  OutcomeCounts counts;
  counts.Add(Outcome::kScored);
  counts.Add(Outcome::kError);
  counts.Add(Outcome::kScored);
  counts.Add(Outcome::kUnreadable);
  counts.Add(Outcome::kScored);
  counts.Add(Outcome::kUnanswered);
  EXPECT_EQ(counts, (OutcomeCounts{.scored = 3, .unreadable = 1, .unanswered = 1, .errors = 1}));
  counts += {.scored = 10, .unreadable = 20, .unanswered = 40, .errors = 30};
  EXPECT_EQ(counts, (OutcomeCounts{.scored = 13, .unreadable = 21, .unanswered = 41, .errors = 31}));
  EXPECT_EQ(counts.asked(), 106u);
}

TEST(CountedSum, HasAMeanOnceThereAreValues) {
  CountedSum sum;
  EXPECT_EQ(sum.Mean(), std::nullopt);
  sum.Add(0);
  EXPECT_EQ(sum.Mean(), 0);
  sum.Add(3);
  EXPECT_EQ(sum.Mean(), 1.5);
  EXPECT_EQ(sum.count, 2u);
}

}  // namespace
}  // namespace leafscore::internal
