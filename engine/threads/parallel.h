// engine/threads/parallel.h: loops on several threads, for work that is no pipeline.
#ifndef LEAFSCORE_ENGINE_THREADS_PARALLEL_H_
#define LEAFSCORE_ENGINE_THREADS_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace leafscore::internal {

// Calls `work`, in which ParallelFor uses so many threads; 0: as many as there are.
// ERRORS: those of `work`; Error(kResources) when the system has not so many threads.
void WithThreads(unsigned threads, const std::function<void()>& work);

// Calls work(i) for each i below `count`, in any order and on any thread, and returns when all are done.
// ERRORS: what one of them throws.
void ParallelFor(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_THREADS_PARALLEL_H_
