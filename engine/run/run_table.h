// engine/run/run_table.h: computes one long pair of strings on all threads.
#ifndef LEAFSCORE_ENGINE_RUN_RUN_TABLE_H_
#define LEAFSCORE_ENGINE_RUN_RUN_TABLE_H_

#include <atomic>

#include "kernels/levenshtein_table.h"

namespace leafscore::internal {

// Runs all tiles of a table, each as soon as the tiles above it and to its left are done, on the threads of
// the current oneTBB arena.
// ERRORS: Error(kInterrupted) if `stop`, which may be null, becomes true.
// THREADS: the calling thread does no other work until this returns, so its own state does not change.
void RunTable(LevenshteinTable& table, const std::atomic<bool>* stop);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RUN_TABLE_H_
