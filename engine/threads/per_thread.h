// engine/threads/per_thread.h: an object per thread.
#ifndef LEAFSCORE_ENGINE_THREADS_PER_THREAD_H_
#define LEAFSCORE_ENGINE_THREADS_PER_THREAD_H_

#include <oneapi/tbb/enumerable_thread_specific.h>

namespace leafscore::internal {

// local() returns the T of the calling thread. The thread's first call makes this T with the function
// that the constructor got.
// THREADS: any number; a T belongs to the thread that asked for it.
template <class T>
using PerThread = tbb::enumerable_thread_specific<T>;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_THREADS_PER_THREAD_H_
