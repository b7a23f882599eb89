// engine/threads/thread_count.h: decides how many threads a run uses.
#ifndef LEAFSCORE_ENGINE_THREADS_THREAD_COUNT_H_
#define LEAFSCORE_ENGINE_THREADS_THREAD_COUNT_H_

#include <string>

namespace leafscore::internal {

inline constexpr unsigned kMaxThreads = 1024;

// Returns the number of processors that this process may use: the number in its affinity mask, or the CPU
// quota of its cgroup (v2 or v1) if that is less. The result is from 1 to kMaxThreads.
unsigned AvailableThreads();

// Returns the quota in a cgroup's files, rounded up to whole processors, or 0 if there is no quota. `root` is
// the folder in which the cgroup file systems are mounted. `membership` is the text of /proc/self/cgroup.
unsigned CgroupCpuLimit(const std::string& root, const std::string& membership);

// Returns `requested` or, if that is 0, AvailableThreads(). ERRORS: Error(kUsage) for more than kMaxThreads.
unsigned ResolveThreads(unsigned requested);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_THREADS_THREAD_COUNT_H_
