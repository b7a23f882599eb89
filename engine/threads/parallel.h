// engine/threads/parallel.h: loops on several threads, for work that does not need a pipeline.
#ifndef LEAFSCORE_ENGINE_THREADS_PARALLEL_H_
#define LEAFSCORE_ENGINE_THREADS_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace leafscore::internal {

// Calls `work`. Within it, ParallelFor uses `threads` threads, or all available ones if `threads` is 0.
// ERRORS: as `work` and ResolveThreads; Error(kResources) if the system does not have that many threads.
void WithThreads(unsigned threads, const std::function<void()>& work);

// Calls work(i) for each i below `count`, in any order and on any thread, and returns when all are done.
// ERRORS: as `work`; if several calls fail, the error of one of them.
void ParallelFor(std::size_t count, const std::function<void(std::size_t)>& work);

// Does the same, but the calling thread first calls own(), and then helps with the rest. ERRORS: also as
// own().
void ParallelFor(std::size_t count, const std::function<void(std::size_t)>& work,
                 const std::function<void()>& own);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_THREADS_PARALLEL_H_
