// engine/statistics/pass_rates.h: intervals of pass rates, and statistics of tests that were asked several
// times. These are the chance that at least one of k answers passes, the chance that all k pass, the flake
// rate, and whether a test got worse. Stateless.
#ifndef LEAFSCORE_ENGINE_STATISTICS_PASS_RATES_H_
#define LEAFSCORE_ENGINE_STATISTICS_PASS_RATES_H_

#include <cstdint>
#include <optional>
#include <span>

#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// 97.5% of the standard normal distribution is below this.
inline constexpr double kNormal975 = 1.959963984540054;

// Returns the 95% interval for a share of n records (E. B. Wilson, "Probable inference, the law of
// succession, and statistical inference", J. Amer. Statist. Assoc. 22, 1927). For dependent records, n is
// their effective number, which need not be whole. REQUIRES: 0 <= share <= 1, n > 0.
Interval WilsonInterval(double share, double n);

// Returns the exact 95% interval for the chance to pass if `passed` of n independent records passed (C. J.
// Clopper and E. S. Pearson, Biometrika 26, 1934). REQUIRES: passed <= n, n > 0.
Interval ExactInterval(std::uint64_t passed, std::uint64_t n);

// Returns an unbiased estimate of the chance that at least one of k samples passes, if c of n samples passed:
// 1 - C(n - c, k) / C(n, k). M. Chen et al., "Evaluating large language models trained on code",
// arXiv:2107.03374, 2021. REQUIRES: 1 <= k <= n, c <= n. COST: linear in k.
double PassAtK(std::uint64_t n, std::uint64_t c, std::uint64_t k);

// Returns an unbiased estimate of the chance that all of k samples pass: C(c, k) / C(n, k). S. Yao et al.,
// "tau-bench: a benchmark for tool-agent-user interaction in real-world domains", arXiv:2406.12045, 2024.
// REQUIRES, COST: as PassAtK.
double PassHatK(std::uint64_t n, std::uint64_t c, std::uint64_t k);

// How often a test was asked in a run, and how often it passed.
struct Askings {
  std::uint64_t passed = 0;
  std::uint64_t lines = 0;
};

// Returns an unbiased estimate of the chance that two askings of a test disagree: 2c(k - c) / (k(k - 1)) if c
// of k passed. RETURNS: nullopt for fewer than two askings.
std::optional<double> FlakeRate(const Askings& askings);

struct WorseTest {
  double p = 1;        // one-sided
  double least_p = 1;  // the smallest p with this number of passes in both runs together
};

// Tests whether a test got worse. p is the chance that the later run has no more passes than observed if the
// askings of both runs are put in random order (R. A. Fisher, "The logic of inductive inference", J. R.
// Statist. Soc. 98, 1935). Three askings per run are hardly enough, because the least p is then 0.05; five
// askings are enough. RETURNS: p-values of 1 if a run has no askings.
WorseTest TestOfWorse(const Askings& base, const Askings& now);

// The scores of a test in two runs.
struct RepeatedScores {
  double base_variance = 0;  // sample variances over the lines
  std::uint64_t base_lines = 1;
  double now_variance = 0;
  std::uint64_t now_lines = 1;
};

// Returns how much of the squared standard error of the tests' mean difference comes from the askings, as a
// share. Each variance is divided by its number of lines. The sum over all tests is divided by the squared
// number of tests, then by the squared standard error. If the share is below a half, more tests help rather
// than more askings. RETURNS: 0 if the standard error is 0.
double AskingNoiseShare(std::span<const RepeatedScores> tests, double standard_error);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_PASS_RATES_H_
