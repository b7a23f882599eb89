// engine/statistics/krippendorff_alpha.h: how far several raters agree. Pure; any thread may call.
#ifndef LEAFSCORE_ENGINE_STATISTICS_KRIPPENDORFF_ALPHA_H_
#define LEAFSCORE_ENGINE_STATISTICS_KRIPPENDORFF_ALPHA_H_

#include <cstddef>
#include <optional>
#include <span>

namespace leafscore::internal {

// Returns Krippendorff's alpha of numbers on an interval scale: 1 when raters agree wherever two of them
// rate, 0 when they agree as chance would have them. `ratings` has a row of as many ratings as raters for
// each item, NaN where one did not rate. RETURNS: nothing when no item has two ratings, or all those ratings
// are equal. (Krippendorff: Computing Krippendorff's Alpha-Reliability, 2011, C and D.)
std::optional<double> KrippendorffAlpha(std::span<const double> ratings, std::size_t raters);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_KRIPPENDORFF_ALPHA_H_
