// engine/statistics/kendall_tau.h: how far two rankings of the same items agree. Stateless.
#ifndef LEAFSCORE_ENGINE_STATISTICS_KENDALL_TAU_H_
#define LEAFSCORE_ENGINE_STATISTICS_KENDALL_TAU_H_

#include <optional>
#include <span>
#include <vector>

namespace leafscore::internal {

// By item: how many others two rankings order in the same way minus in opposite ways, and how many each of
// them orders. All are whole numbers.
struct OrderedPairs {
  std::vector<double> agreement;
  std::vector<double> by_one;
  std::vector<double> by_other;
};

// REQUIRES: the spans are of one size. COST: size squared.
OrderedPairs CountOrderedPairs(std::span<const double> one, std::span<const double> other);

// Returns tau-b (M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33, 1945): the number
// of pairs in the same order minus the number in opposite order, divided by the geometric mean of the numbers
// of pairs that the two rankings order. From -1 (opposite) to 1 (the same). REQUIRES: the spans are of one
// size. RETURNS: nullopt if a ranking orders no pair. COST: size squared.
std::optional<double> KendallTauB(std::span<const double> one, std::span<const double> other);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_KENDALL_TAU_H_
