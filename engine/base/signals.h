// engine/base/signals.h: threads that no signal interrupts.
#ifndef LEAFSCORE_ENGINE_BASE_SIGNALS_H_
#define LEAFSCORE_ENGINE_BASE_SIGNALS_H_

#include <pthread.h>

#include <csignal>

namespace leafscore::internal {

// Leaves signals to the other threads of the process, as those of the command handle them.
inline void BlockSignals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_SIGNALS_H_
