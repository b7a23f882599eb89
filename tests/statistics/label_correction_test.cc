#include "engine/statistics/label_correction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace leafscore::internal {
namespace {

// Computed with 40 digits from the formulas of Rogan and Gladen, and of Lang and Reiczigel, by
// tests/statistics/label_reference.py.
TEST(LabelCorrectionTest, IsAsInASecondImplementation) {
  struct Case {
    double passed;
    double records;
    VerdictCounts labels;  // both pass, only the judge, only people, both fail
    double rate;
    double low;
    double high;
  };
  const Case cases[] = {{196, 300, {36, 14, 4, 26}, 0.551515151515, 0.363874930161, 0.744374832963},
                        {80, 100, {50, 5, 5, 40}, 0.863291139241, 0.733417401387, 1},
                        {500, 1000, {10, 5, 5, 10}, 0.5, 0, 1},
                        {999, 1000, {95, 1, 5, 9}, 1, 0.945056806485, 1},
                        {10, 1000, {9, 5, 1, 95}, 0, 0, 0.055417905472}};
  for (const Case& c : cases) {
    const CorrectedPassRate corrected = CorrectByLabels(c.passed / c.records, c.records, c.labels);
    ASSERT_TRUE(corrected.pass_rate) << corrected.why_not;
    EXPECT_NEAR(*corrected.pass_rate, c.rate, 1e-11);
    EXPECT_NEAR(corrected.interval->low, c.low, 1e-11);
    EXPECT_NEAR(corrected.interval->high, c.high, 1e-11);
    EXPECT_EQ(corrected.why_not, "");
  }
}

// If people have judged every answer, the corrected rate is theirs.
TEST(LabelCorrectionTest, IsWhatPeopleSayOfAll) {
  EXPECT_NEAR(*CorrectByLabels(0.7, 100, {60, 10, 5, 25}).pass_rate, 0.65, 1e-12);
}

TEST(LabelCorrectionTest, SaysWhyThereIsNone) {
  const CorrectedPassRate few = CorrectByLabels(0.5, 100, {20, 1, 4, 3});
  EXPECT_FALSE(few.pass_rate || few.interval);
  EXPECT_EQ(few.why_not,
            "people pass 24 of the 28 labelled answers and fail 4; a correction takes at least 5 of each");
  EXPECT_NEAR(*few.sensitivity, 20.0 / 24, 1e-12);
  EXPECT_TRUE(CorrectByLabels(0.5, 100, {20, 1, 4, 4}).pass_rate);
  EXPECT_FALSE(CorrectByLabels(0.5, 100, {20, 5, 0, 0}).pass_rate);

  const CorrectedPassRate chance = CorrectByLabels(0.5, 100, {10, 10, 10, 10});
  EXPECT_FALSE(chance.pass_rate || chance.interval);
  EXPECT_NE(chance.why_not.find("no better than chance"), std::string::npos) << chance.why_not;
  EXPECT_FALSE(CorrectByLabels(0.5, 100, {10, 11, 10, 10}).pass_rate);
  const CorrectedPassRate unclear = CorrectByLabels(0.5, 100, {10, 9, 10, 10});
  EXPECT_EQ(unclear.interval->low, 0);
  EXPECT_EQ(unclear.interval->high, 1);
}

TEST(LabelCorrectionTest, DiffersByBothIntervals) {
  CorrectedPassRate base{.pass_rate = 0.5, .interval = Interval{0.4, 0.6}};
  CorrectedPassRate now{.pass_rate = 0.8, .interval = Interval{0.5, 0.9}};
  const Interval difference = *CorrectedDifference(base, now);
  EXPECT_NEAR(difference.low, 0.3 - std::sqrt(0.09 + 0.01), 1e-12);
  EXPECT_NEAR(difference.high, 0.3 + std::sqrt(0.01 + 0.01), 1e-12);
  now.interval.reset();
  EXPECT_FALSE(CorrectedDifference(base, now));
}

// A run of `records` answers, of which the first `labelled` are also judged by people.
class Simulation {
 public:
  // Returns the share of intervals that hold the true rate.
  double Coverage(double rate, double sensitivity, double specificity, int records, int labelled) {
    constexpr int kRuns = 4000;
    int held = 0;
    int intervals = 0;
    for (int run = 0; run < kRuns; ++run) {
      VerdictCounts labels;
      int passed = 0;
      for (int r = 0; r < records; ++r) {
        const bool people = Happens(rate);
        const bool judge = Happens(people ? sensitivity : 1 - specificity);
        passed += judge;
        if (r < labelled) labels.Add(judge, people);
      }
      const CorrectedPassRate corrected =
          CorrectByLabels(static_cast<double>(passed) / records, records, labels);
      if (!corrected.interval) continue;
      ++intervals;
      held += corrected.interval->low <= rate && rate <= corrected.interval->high;
    }
    EXPECT_GT(intervals, kRuns / 2);
    return static_cast<double>(held) / intervals;
  }

 private:
  bool Happens(double chance) {
    constexpr double kOne = 4294967296.0;
    return random_() < chance * kOne;
  }

  std::mt19937 random_{20261128};
};

// 4,000 intervals that hold the figure in 95% of cases do so in at least 94% of them, but for one chance in
// 500.
TEST(LabelCorrectionTest, HoldsTheTrueRate) {
  Simulation simulation;
  for (const int labelled : {30, 60, 200}) {
    EXPECT_GE(simulation.Coverage(0.5, 0.9, 0.8, 400, labelled), 0.94) << labelled;
    EXPECT_GE(simulation.Coverage(0.7, 0.95, 0.6, 400, labelled), 0.94) << labelled;
  }
  EXPECT_GE(simulation.Coverage(0.9, 0.8, 0.7, 400, 200), 0.94);
  EXPECT_GE(simulation.Coverage(0.2, 0.99, 0.9, 200, 100), 0.94);
}

}  // namespace
}  // namespace leafscore::internal
