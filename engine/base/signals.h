// engine/base/signals.h: keeps signals away from a thread.
#ifndef LEAFSCORE_ENGINE_BASE_SIGNALS_H_
#define LEAFSCORE_ENGINE_BASE_SIGNALS_H_

#include <pthread.h>

#include <csignal>

namespace leafscore::internal {

// Blocks all signals in this thread, so that other threads of the process, such as the command's, handle
// them.
inline void BlockSignals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_SIGNALS_H_
