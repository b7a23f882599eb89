// engine/scores/verified_scores.h: reads back an output of scores, and checks by the manifest beside it, or
// by the trailer at its end, that it is complete and unchanged.
#ifndef LEAFSCORE_ENGINE_SCORES_VERIFIED_SCORES_H_
#define LEAFSCORE_ENGINE_SCORES_VERIFIED_SCORES_H_

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "engine/base/limits.h"
#include "engine/io/record_batch.h"
#include "engine/scores/manifest.h"

namespace leafscore::internal {

// Calls `use` with the lines of scores, batch by batch; "-" is standard input. Do not rely on anything that
// `use` has seen before this returns. If `use` throws an Error, the rest is still read for the check: if the
// output does not fit its manifest, that is the better reason, and is thrown instead.
//
// RETURNS: the manifest, or nullopt if there is no manifest and `accept_unverified` is set.
//
// ERRORS: Error(kInput) if the output is CSV, cannot be read, has no manifest, or was cut, doubled or edited;
// the Error of `use`; Error(kInterrupted) once *stop is true, even while it waits for a pipe.
std::optional<Manifest> ReadVerifiedScores(const std::string& path, bool accept_unverified,
                                           const std::function<void(const RecordBatch&)>& use,
                                           std::uint64_t max_ratio = kMaxRatio.default_value,
                                           const std::atomic<bool>* stop = nullptr);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORES_VERIFIED_SCORES_H_
