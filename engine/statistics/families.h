// engine/statistics/families.h: corrects the p-values of several tests for multiple testing, and finds which
// of the tests could have found something at all. Stateless.
#ifndef LEAFSCORE_ENGINE_STATISTICS_FAMILIES_H_
#define LEAFSCORE_ENGINE_STATISTICS_FAMILIES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "engine/statistics/sign_flip.h"

namespace leafscore::internal {

// Returns the p-values corrected by Holm's method. If all tests with a corrected p at or below a level are
// called significant, the chance of any false alarm in the family is at most this level (S. Holm, "A simple
// sequentially rejective multiple test procedure", Scand. J. Statist. 6, 1979).
std::vector<double> HolmCorrected(std::span<const double> p_values);

// The same for tests that can give only a few different p-values. `least_p` has the smallest p that each test
// can give. Each p is corrected only for the tests that can give a p that small, because no other test can
// cause a false alarm at this level (R. E. Tarone, "A modified Bonferroni method for discrete data",
// Biometrics 46, 1990; P. H. Westfall and R. D. Wolfinger, "Multiple tests with discrete distributions",
// Amer. Statistician 51, 1997; G. Hommel and F. Krummenauer, "Improvements and modifications of Tarone's
// multiple test procedure for discrete data", Biometrics 54, 1998). If all values of `least_p` are small
// enough, the result is the same as with Holm's method.
// REQUIRES: spans of equal size; no p is below its value in `least_p`.
std::vector<double> HolmAttainableCorrected(std::span<const double> p_values,
                                            std::span<const double> least_p);

// Returns the smallest corrected p that each test could get from HolmAttainableCorrected if its p were the
// smallest of all: its least p times the number of tests that can give a p that small. It may exceed 1.
std::vector<double> LeastCorrected(std::span<const double> least_p);

// Returns p-values that keep the expected share of false alarms among all alarms below the level (Y.
// Benjamini and Y. Hochberg, "Controlling the false discovery rate", J. R. Statist. Soc. B 57, 1995).
std::vector<double> BenjaminiHochbergCorrected(std::span<const double> p_values);

// Returns the smallest p that a test of `units` units can give.
using LeastPOfUnits = double (*)(std::uint64_t units);

// Tells whether a test of `units` units would have been significant in its family if all units had fallen.
// `tests` is the number of tests in the family, including this one, that could have given a p as small as the
// least p of this test. For sign-flip tests, these are the tests with at least as many units.
bool CouldFail(std::uint64_t units, std::uint64_t tests, double alpha,
               LeastPOfUnits least_p = &LeastSignFlipP);

// Returns the smallest number of units for which CouldFail is true. REQUIRES: tests > 0 and 0 < alpha <= 1.
std::uint64_t LeastUnitsToFail(std::uint64_t tests, double alpha, LeastPOfUnits least_p = &LeastSignFlipP);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_FAMILIES_H_
