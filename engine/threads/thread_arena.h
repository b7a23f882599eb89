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

// Checks that the system can run this many threads, including the calling one, because oneTBB ends the
// process if it cannot start a thread. To check, it starts the threads and ends them again; each reserves the
// address space that a thread usually needs. It starts no threads if an earlier check of at least as many
// succeeded. RETURNS: whether it started threads. ERRORS: Error(kResources).
bool CheckThreads(unsigned threads);

// Makes oneTBB start all threads of this arena before they begin to work, because their work may take the
// memory that the stack of a later thread needs. Waits at most a second for threads that are busy elsewhere.
// REQUIRES: called within the arena.
void StartThreads(unsigned threads);

// Throws an Error(kResources), which says that the system does not have this many threads, and why.
[[noreturn]] void ThrowNoThreads(unsigned threads, const char* why);

// Calls `work` in an arena of `threads` threads. If oneTBB's own limit is lower, this raises the limit,
// because oneTBB would print a warning otherwise. The limit is never lowered, so other users of oneTBB in
// this process never get fewer threads.
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
    // oneTBB throws this if it cannot start a thread although the check succeeded a moment ago.
    if (std::string_view(failure.what()).starts_with("pthread_create")) {
      ThrowNoThreads(threads, failure.what());
    }
    throw;
  }
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_THREADS_THREAD_ARENA_H_
