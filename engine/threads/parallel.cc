#include "engine/threads/parallel.h"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_group.h>

#include "engine/threads/thread_arena.h"
#include "engine/threads/thread_count.h"

namespace leafscore::internal {

void WithThreads(unsigned threads, const std::function<void()>& work) {
  ExecuteWithThreads(ResolveThreads(threads), work);
}

void ParallelFor(std::size_t count, const std::function<void(std::size_t)>& work) {
  tbb::parallel_for(std::size_t{0}, count, work);
}

void ParallelFor(std::size_t count, const std::function<void(std::size_t)>& work,
                 const std::function<void()>& own) {
  tbb::task_group others;
  others.run([&] { ParallelFor(count, work); });
  try {
    own();
  } catch (...) {
    others.wait();
    throw;
  }
  others.wait();
}

}  // namespace leafscore::internal
