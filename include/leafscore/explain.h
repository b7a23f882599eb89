// leafscore/explain.h: shows people how a score came about.
#ifndef LEAFSCORE_EXPLAIN_H_
#define LEAFSCORE_EXPLAIN_H_

#include <string>
#include <string_view>

#include "leafscore/export.h"

namespace leafscore {

// Returns a line of scores in JSON (docs/formats.md) as `leafscore explain` shows it: the scorer and its
// score, or why there is none, and each list of its details as a table with the edits between expected and
// actual values marked. Lines of DetailLevel::kLeaves tell most. ERRORS: Error(kUsage) for a text that is no
// such line.
LEAFSCORE_EXPORT std::string ExplainScore(std::string_view score_line, bool colour = false);

}  // namespace leafscore

#endif  // LEAFSCORE_EXPLAIN_H_
