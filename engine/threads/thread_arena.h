// engine/threads/thread_arena.h: runs oneTBB work on a number of threads of its own choice.
#ifndef LEAFSCORE_ENGINE_THREADS_THREAD_ARENA_H_
#define LEAFSCORE_ENGINE_THREADS_THREAD_ARENA_H_

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string_view>

namespace leafscore::internal {

// Starts this many threads, less the calling one, and ends them, unless as many were there before: oneTBB
// ends the process where it cannot start a thread. Each of them holds the address space that a thread usually
// takes until all are there. RETURNS: whether it had to start any. ERRORS: Error(kResources).
bool CheckThreads(unsigned threads);

// Has oneTBB start this arena's threads before they take memory for their work, which a later one's stack may
// then lack. Threads that are busy elsewhere are waited for a second at most. REQUIRES: called within the
// arena.
void StartThreads(unsigned threads);

// Throws Error(kResources): the system has not so many threads, for this reason.
[[noreturn]] void ThrowNoThreads(unsigned threads, const char* why);

// Calls `work` in an arena of `threads` threads. Where that is more than oneTBB would use by itself, it is
// told so, or else it prints a warning; other users of oneTBB in this process are never held to fewer.
// ERRORS: those of `work`; Error(kResources) when the system has not so many threads.
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
    // From oneTBB itself, where it cannot start a thread that was there a moment ago.
    if (std::string_view(failure.what()).starts_with("pthread_create")) {
      ThrowNoThreads(threads, failure.what());
    }
    throw;
  }
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_THREADS_THREAD_ARENA_H_
