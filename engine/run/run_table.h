// engine/run/run_table.h: one long pair of strings on all threads.
#ifndef LEAFSCORE_ENGINE_RUN_RUN_TABLE_H_
#define LEAFSCORE_ENGINE_RUN_RUN_TABLE_H_

#include <atomic>

#include "kernels/levenshtein_table.h"

namespace leafscore::internal {

// Runs all tiles of a table, each as soon as those above it and to its left are done, on the threads of the
// oneTBB arena that this is called in.
// ERRORS:  Error(kInterrupted) when `stop`, which may be null, becomes true.
// THREADS: the calling thread does nothing else until it returns, so what it was about stays as it is.
void RunTable(LevenshteinTable& table, const std::atomic<bool>* stop);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RUN_TABLE_H_
