#include "cli/interrupt.h"

#include <csignal>

namespace leafscore::internal {
namespace {

std::atomic<bool> stop_requested{false};
std::atomic<int> caught_signal{SIGINT};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "signal handlers may use lock-free atomics only");

extern "C" void RequestStop(int signal) {
  caught_signal = signal;
  stop_requested = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& CatchInterrupts() {
  std::signal(SIGINT, RequestStop);
  std::signal(SIGTERM, RequestStop);
  // SIGHUP comes when a terminal closes. Under nohup it is ignored, and stays ignored.
  if (std::signal(SIGHUP, RequestStop) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  return stop_requested;
}

const std::atomic<bool>& StopRequested() { return stop_requested; }

int InterruptedExitCode() { return 128 + caught_signal; }

}  // namespace leafscore::internal
