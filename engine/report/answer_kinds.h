// engine/report/answer_kinds.h: reports answers of an unexpected kind, by source. Stateless.
#ifndef LEAFSCORE_ENGINE_REPORT_ANSWER_KINDS_H_
#define LEAFSCORE_ENGINE_REPORT_ANSWER_KINDS_H_

#include <cstdint>
#include <span>
#include <string>

#include "leafscore/report.h"

namespace leafscore::internal {

// The kinds of the answers of a source, under one scorer.
struct SourceAnswers {
  std::string source;  // empty for all sources
  std::uint64_t asked = 0;
  std::uint64_t of_other_kind = 0;
  double unexpected_share = 0;
};

// Tells whether there are enough answers of another kind to mention: more than 5 of 100.
bool AreManyOfOtherKind(const SourceAnswers& answers);

// Tells whether more than half of the content of the answers is not expected anywhere. Each answer has the
// same weight, so that a long answer does not dominate.
bool AreMostlyUnexpected(const SourceAnswers& answers);

// Returns a line about the sources for which one of the functions above returns true; empty if there is no
// such source. If a source has figures from several scorers, the highest ones count, because scorers see the
// same answers.
std::string StrangeAnswersText(std::span<const SourceAnswers> answers);

// Returns such a line for a run. If the run has no sources, the line is about all its answers.
std::string StrangeAnswersText(const RunReport& report);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_ANSWER_KINDS_H_
