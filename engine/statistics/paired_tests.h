// engine/statistics/paired_tests.h: tests whether two scorings of the same records differ: McNemar's exact
// test for verdicts and Wilcoxon's signed-rank test for scores. Stateless.
#ifndef LEAFSCORE_ENGINE_STATISTICS_PAIRED_TESTS_H_
#define LEAFSCORE_ENGINE_STATISTICS_PAIRED_TESTS_H_

#include <cstdint>
#include <span>

namespace leafscore::internal {

// Returns the two-sided p-value of the hypothesis that changes in both directions are equally likely.
// `passing` records failed before and pass now; `failing` records passed before and fail now. Unchanged
// records do not matter. The test is exact, from the binomial distribution (Q. McNemar, "Note on the sampling
// error of the difference between correlated proportions or percentages", Psychometrika 12, 1947). RETURNS: 1
// if no record changed.
double McNemarTest(std::uint64_t passing, std::uint64_t failing);

// Returns the two-sided p-value of the hypothesis that two sets of `records` records each have equal pass
// rates, as if all records were different. It is the z-test with a standard error for each rate. RETURNS: 1
// for fewer than two records.
double UnpairedRatesTest(std::uint64_t passed, std::uint64_t passed_other, std::uint64_t records);

// Returns the two-sided p-value of the hypothesis that these differences are distributed symmetrically around
// 0 (F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bull. 1, 1945). All differences are
// first rounded to multiples of 1e-12, so that equal differences stay equal however they were computed.
// Differences of 0 are left out, and differences of equal size share a rank. If at most 50 differences
// remain, all choices of signs are counted. If more remain, the sum of ranks is approximated as normal, with
// a variance corrected for ties. RETURNS: 1 if no difference remains. COST: sorts the differences.
double WilcoxonTest(std::span<const double> differences);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_PAIRED_TESTS_H_
