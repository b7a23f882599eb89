// cli/baseline.h: a file of scores that later runs are compared with.
#ifndef LEAFSCORE_CLI_BASELINE_H_
#define LEAFSCORE_CLI_BASELINE_H_

#include <atomic>
#include <string>

namespace leafscore::internal {

// Checks that a file of scores can take the place of a baseline.
// ERRORS: Error(kUsage) where the names tell of other formats (.csv and .jsonl).
void CheckIsLikeBaseline(const std::string& scores, const std::string& baseline);

// Puts a copy of a file of scores in the place of the baseline, and one of its manifest beside it. Both are
// whole before either appears under its name: where the copy fails, the baseline is as it was. Whenever the
// machine stops, the baseline is the old one or the new one, and has its manifest: while the scores are
// renamed, the file of the manifest holds both, the new one first, which ReadVerifiedScores knows. ERRORS:
// Error(kInput), Error(kOutput), Error(kInterrupted).
void UpdateBaseline(const std::string& scores, const std::string& baseline, const std::atomic<bool>* stop);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_BASELINE_H_
