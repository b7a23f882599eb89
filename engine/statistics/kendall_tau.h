// engine/statistics/kendall_tau.h: how far two rankings of the same items agree. Stateless.
#ifndef LEAFSCORE_ENGINE_STATISTICS_KENDALL_TAU_H_
#define LEAFSCORE_ENGINE_STATISTICS_KENDALL_TAU_H_

#include <optional>
#include <span>
#include <vector>

namespace leafscore::internal {

// For each item, counts of its pairs with the other items. `agreement` is the number of pairs that the two
// rankings order in the same way, minus the number that they order in opposite ways. `by_one` and `by_other`
// are the numbers of pairs that each ranking orders. All are whole numbers.
struct OrderedPairs {
  std::vector<double> agreement;
  std::vector<double> by_one;
  std::vector<double> by_other;
};

// REQUIRES: spans of equal size. COST: size squared.
OrderedPairs CountOrderedPairs(std::span<const double> one, std::span<const double> other);

// Returns tau-b (M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33, 1945): the number
// of pairs in the same order minus the number in opposite order, divided by the geometric mean of the numbers
// of pairs that the two rankings order. It is from -1 (opposite) to 1 (the same). REQUIRES: spans of equal
// size. RETURNS: nullopt if a ranking orders no pair. COST: size squared.
std::optional<double> KendallTauB(std::span<const double> one, std::span<const double> other);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_KENDALL_TAU_H_
