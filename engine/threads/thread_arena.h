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

// Starts so many threads, less the calling one, and ends them, unless as many were there before: oneTBB ends
// the process where it cannot start a thread. As it does so while others work already, each of them holds
// what a thread usually takes of the address space until all are there. ERRORS: Error(kResources).
void CheckThreads(unsigned threads);

// Throws Error(kResources): the system has not so many threads, for this reason.
[[noreturn]] void ThrowNoThreads(unsigned threads, const char* why);

// Calls `work` in an arena of `threads` threads. Where that is more than oneTBB would use by itself, it is
// told so, or else it prints a warning; other users of oneTBB in this process are never held to fewer.
// ERRORS: those of `work`; Error(kResources) when the system has not so many threads.
template <class Work>
void ExecuteWithThreads(unsigned threads, Work&& work) {
  CheckThreads(threads);
  constexpr auto kLimit = tbb::global_control::max_allowed_parallelism;
  const tbb::global_control control(
      kLimit, std::max(std::size_t{threads}, tbb::global_control::active_value(kLimit)));
  tbb::task_arena arena(static_cast<int>(threads));
  try {
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
