// engine/compare/drop_causes.h: summarises why the mean of a scorer fell between two runs. Stateless.
#ifndef LEAFSCORE_ENGINE_COMPARE_DROP_CAUSES_H_
#define LEAFSCORE_ENGINE_COMPARE_DROP_CAUSES_H_

#include <string>

#include "leafscore/compare.h"

namespace leafscore::internal {

// Returns for example `; mainly: scored to unanswered 12 ("t17"), field total 30 ("t3")`: up to three causes
// that lowered the mean most. A cause is a change of outcome, a field, or a fault that more answers have than
// before. Its number counts records; for a fault, only the additional ones. The id, if known, names the
// record with this cause that fell most. If the causes explain at most half of the drop, the rest counts as
// one more cause: "a lower score". Empty if there is no cause.
std::string DropCausesText(const ScorerComparison& scorer);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_DROP_CAUSES_H_
