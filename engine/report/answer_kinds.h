// engine/report/answer_kinds.h: answers of another kind than is expected, told by who gave them. Stateless.
#ifndef LEAFSCORE_ENGINE_REPORT_ANSWER_KINDS_H_
#define LEAFSCORE_ENGINE_REPORT_ANSWER_KINDS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "leafscore/report.h"

namespace leafscore::internal {

// Whether so many answers of another kind are worth a word: more than 5 of 100.
bool AreManyOfOtherKind(std::uint64_t of_other_kind, std::uint64_t asked);

// Returns a sentence on the sources of which more than 5% of the answers are of another kind, as prose is
// where an object is expected; of a run without sources, on all answers. Empty where there is nothing to
// tell.
std::string OtherKindsText(const RunReport& report);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_ANSWER_KINDS_H_
