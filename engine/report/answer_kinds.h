// engine/report/answer_kinds.h: answers that are made otherwise than what is expected, told by who gave them.
// Stateless.
#ifndef LEAFSCORE_ENGINE_REPORT_ANSWER_KINDS_H_
#define LEAFSCORE_ENGINE_REPORT_ANSWER_KINDS_H_

#include <cstdint>
#include <span>
#include <string>

#include "leafscore/report.h"

namespace leafscore::internal {

// What the answers of a source are like, under one scorer.
struct SourceAnswers {
  std::string source;  // empty: of all sources
  std::uint64_t asked = 0;
  std::uint64_t of_other_kind = 0;
  double unexpected_share = 0;
};

// Tells whether so many answers of another kind are worth a word: more than 5 of 100.
bool AreManyOfOtherKind(const SourceAnswers& answers);

// Tells whether more than half of what is in the answers is expected nowhere, each answer counting alike, so
// that a long one does not speak for all.
bool AreMostlyUnexpected(const SourceAnswers& answers);

// Returns a line on the sources of which one of these is true; empty where there is none. Of a source under
// several scorers, what the one says that saw most of it: scorers see the same answers.
std::string StrangeAnswersText(std::span<const SourceAnswers> answers);

// Likewise, of a run; without sources, of all its answers.
std::string StrangeAnswersText(const RunReport& report);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_ANSWER_KINDS_H_
