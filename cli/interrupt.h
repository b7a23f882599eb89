// cli/interrupt.h: SIGINT and SIGTERM as a wish to stop, not as an end.
#ifndef LEAFSCORE_CLI_INTERRUPT_H_
#define LEAFSCORE_CLI_INTERRUPT_H_

#include <atomic>

namespace leafscore::internal {

// From now on the first SIGINT or SIGTERM only sets the returned flag; a second one ends the process.
// Broken pipes and file size limits are reported by the write that meets them, not by a signal.
const std::atomic<bool>& CatchInterrupts();

// Returns the exit status of an interrupted run: 128 + the signal's number.
int InterruptedExitCode();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_INTERRUPT_H_
