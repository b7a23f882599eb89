// cli/baseline.h: a file of scores that later runs are compared with.
#ifndef LEAFSCORE_CLI_BASELINE_H_
#define LEAFSCORE_CLI_BASELINE_H_

#include <atomic>
#include <string>

namespace leafscore::internal {

// Checks that scores may stand under the name of the baseline.
// ERRORS: Error(kUsage) where it is not that of JSON Lines.
void CheckBaselineName(const std::string& baseline);

// Puts a copy of a file of scores in the place of the baseline, and one of its manifest beside it. Both are
// whole before either appears under its name: where the copy fails, the baseline is as it was. Whenever the
// machine stops, the baseline is the old one or the new one, and has its manifest: while the scores are
// renamed, the file of the manifest holds both, the new one first, which ReadVerifiedScores knows. ERRORS:
// Error(kInput), Error(kOutput), Error(kInterrupted).
void UpdateBaseline(const std::string& scores, const std::string& baseline, const std::atomic<bool>* stop);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_BASELINE_H_
