// engine/run/verified_scores.h: reads an output of scores back, and checks that it is whole and as a run
// wrote it: by the manifest beside it, or by the trailer at its end.
#ifndef LEAFSCORE_ENGINE_RUN_VERIFIED_SCORES_H_
#define LEAFSCORE_ENGINE_RUN_VERIFIED_SCORES_H_

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "engine/base/limits.h"
#include "engine/io/record_batch.h"
#include "engine/report/manifest.h"

namespace leafscore::internal {

// Calls `use` with the lines of scores, batch by batch, of CSV as the lines of JSON that they would have
// been;
// "-" is standard input. What `use` learns counts only
// when this returns. Where `use` throws an Error, the rest is read for the check alone: an output that does
// not fit its manifest is the better reason, and is told in its place.
// RETURNS: the manifest; nothing for an output without one, which `accept_unverified` lets pass.
// ERRORS:  Error(kInput) when the output cannot be read, has no manifest, or was cut, doubled or edited; the
//          Error of `use`; Error(kInterrupted) once *stop is true, even while it waits for a pipe.
std::optional<Manifest> ReadVerifiedScores(const std::string& path, bool accept_unverified,
                                           const std::function<void(const RecordBatch&)>& use,
                                           std::uint64_t max_ratio = kMaxRatio.default_value,
                                           const std::atomic<bool>* stop = nullptr);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_VERIFIED_SCORES_H_
