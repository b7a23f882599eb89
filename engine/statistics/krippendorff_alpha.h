// engine/statistics/krippendorff_alpha.h: how far several raters agree. Pure; any thread may call.
#ifndef LEAFSCORE_ENGINE_STATISTICS_KRIPPENDORFF_ALPHA_H_
#define LEAFSCORE_ENGINE_STATISTICS_KRIPPENDORFF_ALPHA_H_

#include <cstddef>
#include <optional>
#include <span>

namespace leafscore::internal {

// Returns Krippendorff's alpha for numbers on an interval scale: 1 if raters always agree, 0 if they agree
// only as often as by chance. `ratings` has a row of `raters` ratings for each item, NaN if a rater did not
// rate it. RETURNS: nullopt if no item has two ratings, or if all ratings of such items are equal.
// (Krippendorff: Computing Krippendorff's Alpha-Reliability, 2011, C and D.)
std::optional<double> KrippendorffAlpha(std::span<const double> ratings, std::size_t raters);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_KRIPPENDORFF_ALPHA_H_
