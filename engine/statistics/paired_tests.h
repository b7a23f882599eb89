// engine/statistics/paired_tests.h: whether the same records, scored twice, can be told apart: McNemar's
// exact test of verdicts and Wilcoxon's signed-rank test of scores. Stateless.
#ifndef LEAFSCORE_ENGINE_STATISTICS_PAIRED_TESTS_H_
#define LEAFSCORE_ENGINE_STATISTICS_PAIRED_TESTS_H_

#include <cstdint>
#include <span>

namespace leafscore::internal {

// Returns the two-sided p-value of as many records turning one way as the other: of `passing` records that
// failed before and `failing` ones that passed. Records that did not change tell nothing. Exact, from the
// binomial distribution (Q. McNemar, "Note on the sampling error of the difference between correlated
// proportions or percentages", Psychometrika 12, 1947). RETURNS: 1 when none changed.
double McNemarTest(std::uint64_t passing, std::uint64_t failing);

// Returns the two-sided p-value of the pass rates of two sets of so many records being equal, as if the
// records were different ones: the z-test with a standard error for each rate. RETURNS: 1 for less than two
// records.
double UnpairedRatesTest(std::uint64_t passed, std::uint64_t passed_other, std::uint64_t records);

// Returns the two-sided p-value of these differences being spread alike on both sides of 0 (F. Wilcoxon,
// "Individual comparisons by ranking methods", Biometrics Bull. 1, 1945). Differences of 0 are left out,
// equal ones share a rank; so that they are equal however they were computed, all are rounded to multiples of
// 1e-12 first. Of at most 50 that are left, all choices of signs are counted; of more, the sum of ranks is
// taken for normal, with its variance corrected for ties. RETURNS: 1 when none is left. COST: sorts them.
double WilcoxonTest(std::span<const double> differences);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_PAIRED_TESTS_H_
