// engine/threads/per_thread.h: an object per thread.
#ifndef LEAFSCORE_ENGINE_THREADS_PER_THREAD_H_
#define LEAFSCORE_ENGINE_THREADS_PER_THREAD_H_

#include <oneapi/tbb/enumerable_thread_specific.h>

namespace leafscore::internal {

// local() returns the calling thread's T, which the constructor's function makes on the first call.
// THREADS: any number; a T belongs to the thread that asked for it.
template <class T>
using PerThread = tbb::enumerable_thread_specific<T>;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_THREADS_PER_THREAD_H_
