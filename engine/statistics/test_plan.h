// engine/statistics/test_plan.h: how many records a test needs to detect a drop, for use before and after a
// run. Stateless; distributions are Boost.Math's.
//
// Churn is the share of records whose verdict changes between two runs of one model; the spread (`sd`) is the
// standard deviation of the score differences between two such runs.
#ifndef LEAFSCORE_ENGINE_STATISTICS_TEST_PLAN_H_
#define LEAFSCORE_ENGINE_STATISTICS_TEST_PLAN_H_

#include <cstdint>
#include <functional>
#include <optional>

namespace leafscore::internal {

// Returns the chance that McNemar's exact test finds a drop of the pass rate: p is below alpha, and there are
// more falls than rises. For verdicts, the sign-flip test is the same test. The verdicts of a share `churn`
// of the records change, and falls exceed rises by a share `drop` of the records. REQUIRES: 0 < churn <= 1, 0
// <= drop <= churn, 0 < alpha < 1. COST: some 20 sqrt(records * churn) binomial distributions, at most 2,000.
double VerdictPower(std::uint64_t records, double churn, double drop, double alpha);

// How a drop of the mean comes about.
enum class ScoreDrop {
  kAllALittle,  // all answers get slightly worse: differences have the same spread as without a change
  kSomeBreak,   // a share of the answers fall from 1 to 0, which increases the spread of the differences
};

// Returns the chance that the two-sided paired t-test finds a drop of the mean score, from the noncentral
// t-distribution. The sign-flip test finds about as many drops. If there are so few records that its p cannot
// be below alpha, the chance is 0.
// REQUIRES: records >= 2, sd >= 0, 0 <= drop <= 1, 0 < alpha < 1.
double ScorePower(std::uint64_t records, double sd, double drop, double alpha, ScoreDrop kind);

// Returns a number of records that gives this power, found by doubling from 4 and then bisection. One record
// fewer is not enough. For verdicts, a still smaller number may be enough, because their power does not rise
// with every record. RETURNS: nullopt if more than kMostPlanned records are needed.
std::optional<std::uint64_t> RecordsForPower(const std::function<double(std::uint64_t)>& power_of_records,
                                             double power);
inline constexpr std::uint64_t kMostPlanned = 100'000'000;

// Returns the smallest drop that is found with this power, given powers that rise with the drop.
// RETURNS: nullopt if no drop up to `most` is found with this power.
std::optional<double> DropForPower(const std::function<double(double)>& power_of_drop, double power,
                                   double most);

// The state of a row after some of its units.
struct Interim {
  double p = 1;
  double difference = 0;
  double sd = 0;  // over the differences of units
  std::uint64_t units = 0;
};

// Returns the chance that the row is significant at `alpha`, two-sided, once there are `in_all` units, if the
// units still to come have the mean difference `drift` (K. K. G. Lan, R. Simon and M. Halperin,
// "Stochastically curtailed tests in long-term clinical trials", Sequential Analysis 1, 1982). REQUIRES:
// in_all > units > 0, sd > 0.
double ConditionalPowerOf(const Interim& interim, std::uint64_t in_all, double drift, double alpha);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_TEST_PLAN_H_
