// engine/compare/looks.h: comparisons of records that are still coming, planned beforehand. Stateless.
#ifndef LEAFSCORE_ENGINE_COMPARE_LOOKS_H_
#define LEAFSCORE_ENGINE_COMPARE_LOOKS_H_

#include <cstdint>
#include <string>

#include "leafscore/compare.h"

namespace leafscore::internal {

// Returns this look at so many units, with what is spent after it. The latest look at the same scores is the
// same look, which costs nothing more.
// ERRORS: Error(kUsage) when all that was planned has been looked at, or there are no more units than at the
//         latest look.
Look NextLook(const LookPlan& plan, double alpha, std::uint64_t units, const std::string& digest);

// Returns what a look may spend itself: the level of its tests.
double LevelOf(const LookPlan& plan, const Look& look);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_LOOKS_H_
