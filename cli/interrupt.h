// cli/interrupt.h: turns SIGINT and SIGTERM into a stop request.
#ifndef LEAFSCORE_CLI_INTERRUPT_H_
#define LEAFSCORE_CLI_INTERRUPT_H_

#include <atomic>

namespace leafscore::internal {

// From now on the first SIGINT or SIGTERM only sets the returned flag; a second of the same ends the process.
// A broken pipe or a file size limit is an error of the write that meets it, not a signal.
const std::atomic<bool>& CatchInterrupts();

// Returns the exit status of an interrupted run: 128 + the signal's number.
int InterruptedExitCode();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_INTERRUPT_H_
