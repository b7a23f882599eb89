// cli/interrupt.h: turns SIGINT, SIGTERM and SIGHUP into a stop request.
#ifndef LEAFSCORE_CLI_INTERRUPT_H_
#define LEAFSCORE_CLI_INTERRUPT_H_

#include <atomic>

namespace leafscore::internal {

// From now on, the first SIGINT, SIGTERM or SIGHUP only sets the flag StopRequested(); a second signal of the
// same kind ends the process. A SIGHUP that is ignored, as under nohup, stays ignored. RETURNS: the flag.
const std::atomic<bool>& CatchInterrupts();

// Returns the flag; false as long as CatchInterrupts() was not called.
const std::atomic<bool>& StopRequested();

// Returns the exit status of an interrupted run: 128 + the signal's number.
int InterruptedExitCode();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_INTERRUPT_H_
