// engine/statistics/kendall_tau.h: how far two rankings of the same things agree. Stateless.
#ifndef LEAFSCORE_ENGINE_STATISTICS_KENDALL_TAU_H_
#define LEAFSCORE_ENGINE_STATISTICS_KENDALL_TAU_H_

#include <optional>
#include <span>

namespace leafscore::internal {

// Returns tau-b (M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33, 1945): of the
// pairs of things those in the same order less those in opposite order, over the geometric mean of the pairs
// that either ranking orders. From -1, opposite, to 1, the same. REQUIRES: the spans are of one size.
// RETURNS: nothing where a ranking orders no pair. COST: size squared.
std::optional<double> KendallTauB(std::span<const double> one, std::span<const double> other);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_KENDALL_TAU_H_
