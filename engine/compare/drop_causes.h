// engine/compare/drop_causes.h: why the mean of a scorer fell between two runs, in a few words. Stateless.
#ifndef LEAFSCORE_ENGINE_COMPARE_DROP_CAUSES_H_
#define LEAFSCORE_ENGINE_COMPARE_DROP_CAUSES_H_

#include <string>

#include "leafscore/compare.h"

namespace leafscore::internal {

// Returns for example `; most often: scored to unanswered 12 ("t17"), field total 30 ("t3")`: the three
// changes of outcomes and fields that lowered the mean most, and where nothing tells of them how many scores
// fell. An example is one of the records that fell most, if those are known. Empty where nothing fell.
std::string DropCausesText(const ScorerComparison& scorer);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_DROP_CAUSES_H_
