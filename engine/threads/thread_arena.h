// engine/threads/thread_arena.h: runs oneTBB work on a chosen number of threads.
#ifndef LEAFSCORE_ENGINE_THREADS_THREAD_ARENA_H_
#define LEAFSCORE_ENGINE_THREADS_THREAD_ARENA_H_

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string_view>

namespace leafscore::internal {

// Checks that the system can start this many threads, including the calling one, because oneTBB ends the
// process if it cannot start a thread. It starts and ends them, unless that many existed before; meanwhile
// each reserves the address space that a thread usually needs.
// RETURNS: whether it had to start any. ERRORS: Error(kResources).
bool CheckThreads(unsigned threads);

// Makes oneTBB start this arena's threads before they use memory for their work, which might leave no room
// for the stack of a later thread. Waits at most a second for threads that are busy elsewhere. REQUIRES:
// called within the arena.
void StartThreads(unsigned threads);

// Throws Error(kResources): the system does not have that many threads, for this reason.
[[noreturn]] void ThrowNoThreads(unsigned threads, const char* why);

// Calls `work` in an arena of `threads` threads. If that is more than oneTBB would use by itself, oneTBB is
// told, because it would print a warning otherwise; other users of oneTBB in this process never get fewer
// threads.
// ERRORS: as `work`; Error(kResources) if the system does not have that many threads.
template <class Work>
void ExecuteWithThreads(unsigned threads, Work&& work) {
  const bool are_new = CheckThreads(threads);
  constexpr auto kLimit = tbb::global_control::max_allowed_parallelism;
  const tbb::global_control control(
      kLimit, std::max(std::size_t{threads}, tbb::global_control::active_value(kLimit)));
  tbb::task_arena arena(static_cast<int>(threads));
  try {
    if (are_new) arena.execute([threads] { StartThreads(threads); });
    arena.execute(work);
  } catch (const std::runtime_error& failure) {
    // From oneTBB itself, if it cannot start a thread although the check succeeded a moment ago.
    if (std::string_view(failure.what()).starts_with("pthread_create")) {
      ThrowNoThreads(threads, failure.what());
    }
    throw;
  }
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_THREADS_THREAD_ARENA_H_
