#include "engine/threads/thread_count.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "engine/threads/cgroup.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Returns ceil(quota / period), or 0 if either is not a positive number ("max", -1, empty).
unsigned WholeProcessors(const std::string& quota, const std::string& period) {
  const double processors = std::atof(quota.c_str()) / std::atof(period.c_str());
  if (!std::isfinite(processors) || processors <= 0) return 0;
  return static_cast<unsigned>(std::min(std::ceil(processors), double{kMaxThreads}));
}

unsigned Smaller(unsigned a, unsigned b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

}  // namespace

unsigned CgroupCpuLimit(const std::string& root, const std::string& membership) {
  unsigned limit = 0;
  for (const Cgroup& group : CgroupsOf(root, membership, "cpu")) {
    std::string quota, period;
    if (group.version2) {
      std::istringstream(ReadSystemFile(group.folder + "/cpu.max")) >> quota >> period;
    } else {
      quota = ReadSystemFile(group.folder + "/cpu.cfs_quota_us");
      period = ReadSystemFile(group.folder + "/cpu.cfs_period_us");
    }
    limit = Smaller(limit, WholeProcessors(quota, period));
  }
  return limit;
}

unsigned AvailableThreads() {
  unsigned threads = 1;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    threads = static_cast<unsigned>(CPU_COUNT(&set));
  } else {  // more processors than fit into the set
    threads = std::thread::hardware_concurrency();
  }
  const unsigned quota = CgroupCpuLimit("/sys/fs/cgroup", ReadSystemFile("/proc/self/cgroup"));
  return std::clamp(Smaller(threads, quota), 1u, kMaxThreads);
}

unsigned ResolveThreads(unsigned requested) {
  if (requested > kMaxThreads) {
    throw Error(ErrorCode::kUsage, "the number of threads is " + std::to_string(requested) +
                                       "; give one of at most " + std::to_string(kMaxThreads));
  }
  return requested != 0 ? requested : AvailableThreads();
}

}  // namespace leafscore::internal
