// engine/statistics/families.h: p-values of several tests, corrected for being several. Stateless.
#ifndef LEAFSCORE_ENGINE_STATISTICS_FAMILIES_H_
#define LEAFSCORE_ENGINE_STATISTICS_FAMILIES_H_

#include <span>
#include <vector>

namespace leafscore::internal {

// Returns p-values that keep the chance of any false alarm in the family below the level (S. Holm, "A simple
// sequentially rejective multiple test procedure", Scand. J. Statist. 6, 1979).
std::vector<double> HolmCorrected(std::span<const double> p_values);

// Returns p-values that keep the expected share of false alarms among all alarms below the level
// (Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", J. R. Statist. Soc. B 57, 1995).
std::vector<double> BenjaminiHochbergCorrected(std::span<const double> p_values);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_FAMILIES_H_
