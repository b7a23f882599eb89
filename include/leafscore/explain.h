// leafscore/explain.h: shows people how a score came about.
//
//   leafscore::FileOptions options;
//   options.inputs = {"pairs.jsonl"};
//   options.output = "scores.jsonl";
//   options.details = leafscore::DetailLevel::kLeaves;
//   leafscore::ScoreFiles(leafscore::Plan({"json_similarity"}), options);
//   std::ifstream lines("scores.jsonl");
//   for (std::string line; std::getline(lines, line);) std::puts(leafscore::ExplainScore(line).c_str());
#ifndef LEAFSCORE_EXPLAIN_H_
#define LEAFSCORE_EXPLAIN_H_

#include <string>
#include <string_view>

#include "leafscore/export.h"

namespace leafscore {

// Explains a line of scores in JSON (docs/formats.md), as `leafscore explain` does. The text has the scorer
// and its score, or the reason why there is no score. Each list in the details becomes a table that marks the
// edits between expected and actual values. Lines with DetailLevel::kLeaves show the most.
// ERRORS: Error(kUsage) if the text is not a line of scores.
LEAFSCORE_EXPORT std::string ExplainScore(std::string_view score_line, bool colour = false);

}  // namespace leafscore

#endif  // LEAFSCORE_EXPLAIN_H_
