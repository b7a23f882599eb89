#include <gtest/gtest.h>

#include <string>

#include "config/config_testing.h"
#include "leafscore/explain.h"

namespace leafscore {
namespace {

TEST(ExplainScore, AScoreAndWhyThereIsNone) {
  EXPECT_EQ(ExplainScore(R"({"id": "a", "scorer": "s", "outcome": "scored", "score": 0.5, "passed": true})"),
            "s: 0.5000, passed\n");
  EXPECT_EQ(ExplainScore(R"({"id": "a", "scorer": "s", "outcome": "error", "reason": "missing_expected"})"),
            "s: error\nreason: missing_expected\n");
}

TEST(ExplainScore, RefusesWhatIsNoLineOfScores) {
  for (const std::string text : {"", "x", "[]", "{}", "7", R"({"id": "a"})", R"({"scorer": "s")", "\xff"}) {
    EXPECT_TRUE(internal::ErrorOf([&] {
                  ExplainScore(text);
                }).ends_with("is not a line of scores written by leafscore"))
        << text;
  }
}

}  // namespace
}  // namespace leafscore
