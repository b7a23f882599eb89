// engine/rank/pass_rates.h: how sure a pass rate is, and how often one of several samples, or all of them,
// would pass. Stateless.
#ifndef LEAFSCORE_ENGINE_RANK_PASS_RATES_H_
#define LEAFSCORE_ENGINE_RANK_PASS_RATES_H_

#include <cstdint>

#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// Returns the 95% interval of a share of n records by E. B. Wilson, "Probable inference, the law of
// succession, and statistical inference", J. Amer. Statist. Assoc. 22, 1927. With dependent records n is
// their effective number, which need not be whole. REQUIRES: 0 <= share <= 1, n > 0.
Interval WilsonInterval(double share, double n);

// Returns an unbiased estimate of the chance that at least one of k samples passes, from n samples of which c
// passed: 1 - C(n - c, k) / C(n, k). M. Chen et al., "Evaluating large language models trained on code",
// arXiv:2107.03374, 2021. REQUIRES: 1 <= k <= n, c <= n. COST: linear in k.
double PassAtK(std::uint64_t n, std::uint64_t c, std::uint64_t k);

// Returns an unbiased estimate of the chance that all of k samples pass: C(c, k) / C(n, k). S. Yao et al.,
// "tau-bench: a benchmark for tool-agent-user interaction in real-world domains", arXiv:2406.12045, 2024.
// REQUIRES, COST: as PassAtK.
double PassHatK(std::uint64_t n, std::uint64_t c, std::uint64_t k);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_PASS_RATES_H_
