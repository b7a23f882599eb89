// engine/statistics/test_plan.h: how many records a test needs to see a drop, before it is run and after.
// Stateless; distributions are Boost.Math's.
//
// Churn is the share of records whose verdict turns between two runs of one model; the spread (`sd`) is the
// standard deviation of the differences of scores between two such runs.
#ifndef LEAFSCORE_ENGINE_STATISTICS_TEST_PLAN_H_
#define LEAFSCORE_ENGINE_STATISTICS_TEST_PLAN_H_

#include <cstdint>
#include <functional>
#include <optional>

namespace leafscore::internal {

// Returns the chance that McNemar's exact test, which for verdicts is the sign-flip test, finds that the pass
// rate fell: p below alpha, with more falls than rises. Verdicts turn in a share `churn` of the records, and
// down in so many more of them that the pass rate falls by `drop`. REQUIRES: 0 < churn <= 1, 0 <= drop <=
// churn, 0 < alpha < 1. COST: some 20 sqrt(records * churn) binomial distributions, 2,000 at most.
double VerdictPower(std::uint64_t records, double churn, double drop, double alpha);

// How a drop of the mean comes about.
enum class ScoreDrop {
  kAllALittle,  // all answers are a little worse: differences are spread as without a change
  kSomeBreak,   // a share of the answers fall from 1 to 0, which spreads the differences
};

// Returns the chance that the two-sided paired t-test finds a drop of the mean score: from the noncentral
// t-distribution. The sign-flip test finds about as many, but none in so few records that its p cannot be
// below alpha: there the chance is 0.
// REQUIRES: records >= 2, sd >= 0, 0 <= drop <= 1, 0 < alpha < 1.
double ScorePower(std::uint64_t records, double sd, double drop, double alpha, ScoreDrop kind);

// Returns the number of records that has this power, by doubling from 4 and then halving the interval. The
// power of verdicts goes up and down a little from one number to the next; the one before the number returned
// has less. RETURNS: nothing if more than kMostPlanned are needed.
std::optional<std::uint64_t> RecordsForPower(const std::function<double(std::uint64_t)>& power_of_records,
                                             double power);
inline constexpr std::uint64_t kMostPlanned = 100'000'000;

// Returns the smallest drop that is found with this power, from powers that rise with the drop.
// RETURNS: nothing if no drop up to `most` is.
std::optional<double> DropForPower(const std::function<double(double)>& power_of_drop, double power,
                                   double most);

// What is known of a row after some of its units.
struct Interim {
  double p = 1;
  double difference = 0;
  double sd = 0;  // of the differences of units
  std::uint64_t units = 0;
};

// Returns the chance that the row is significant at `alpha`, two-sided, once there are `in_all` units of
// which the further ones differ by `drift` in the mean (K. K. G. Lan, R. Simon and M. Halperin,
// "Stochastically curtailed tests in long-term clinical trials", Sequential Analysis 1, 1982). REQUIRES:
// in_all > units > 0, sd > 0.
double ConditionalPower(const Interim& interim, std::uint64_t in_all, double drift, double alpha);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_TEST_PLAN_H_
