// engine/statistics/paired_tests.h: tests whether two scorings of the same records differ: McNemar's exact
// test for verdicts and Wilcoxon's signed-rank test for scores. Stateless.
#ifndef LEAFSCORE_ENGINE_STATISTICS_PAIRED_TESTS_H_
#define LEAFSCORE_ENGINE_STATISTICS_PAIRED_TESTS_H_

#include <cstdint>
#include <span>

namespace leafscore::internal {

// Returns the two-sided p-value for changes in both directions being equally likely. `passing` records failed
// before, `failing` records passed; records that did not change do not matter. Exact, from the binomial
// distribution (Q. McNemar, "Note on the sampling error of the difference between correlated proportions or
// percentages", Psychometrika 12, 1947). RETURNS: 1 if no record changed.
double McNemarTest(std::uint64_t passing, std::uint64_t failing);

// Returns the two-sided p-value for equal pass rates of two sets with `records` records each, as if they were
// different records: the z-test with a standard error for each rate. RETURNS: 1 for fewer than two records.
double UnpairedRatesTest(std::uint64_t passed, std::uint64_t passed_other, std::uint64_t records);

// Returns the two-sided p-value for these differences being distributed symmetrically around 0 (F. Wilcoxon,
// "Individual comparisons by ranking methods", Biometrics Bull. 1, 1945). All differences are first rounded
// to multiples of 1e-12, so that equal ones are equal however they were computed. Differences of 0 are left
// out, and equal ones share a rank. For at most 50 remaining differences, all choices of signs are counted;
// for more, the sum of ranks is approximated as normal, with its variance corrected for ties. RETURNS: 1 if
// no difference remains. COST: sorts them.
double WilcoxonTest(std::span<const double> differences);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_PAIRED_TESTS_H_
