// engine/threads/per_thread.h: something of which every thread has its own.
#ifndef LEAFSCORE_ENGINE_THREADS_PER_THREAD_H_
#define LEAFSCORE_ENGINE_THREADS_PER_THREAD_H_

#include <oneapi/tbb/enumerable_thread_specific.h>

namespace leafscore::internal {

// local() returns the calling thread's T, which the function given to the constructor makes at its first
// call. THREADS: any number; a T belongs to the thread that asked for it.
template <class T>
using PerThread = tbb::enumerable_thread_specific<T>;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_THREADS_PER_THREAD_H_
