// engine/compare/drop_causes.h: summarises why the mean of a scorer fell between two runs. Stateless.
#ifndef LEAFSCORE_ENGINE_COMPARE_DROP_CAUSES_H_
#define LEAFSCORE_ENGINE_COMPARE_DROP_CAUSES_H_

#include <string>

#include "leafscore/compare.h"

namespace leafscore::internal {

// Returns for example `; most often: scored to unanswered 12 ("t17"), field total 30 ("t3")`: the three
// changes of outcomes and fields that lowered the mean most; if none are known, how many scores fell. An
// example is one of the records that fell most, if those are known. Empty if nothing fell.
std::string DropCausesText(const ScorerComparison& scorer);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_DROP_CAUSES_H_
