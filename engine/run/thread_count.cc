#include "engine/run/thread_count.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Returns ceil(quota / period), 0 when either is no positive number ("max", -1, nothing).
unsigned WholeProcessors(const std::string& quota, const std::string& period) {
  const double processors = std::atof(quota.c_str()) / std::atof(period.c_str());
  if (!std::isfinite(processors) || processors <= 0) return 0;
  return static_cast<unsigned>(std::min(std::ceil(processors), double{kMaxThreads}));
}

unsigned Smaller(unsigned a, unsigned b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

}  // namespace

unsigned CgroupCpuLimit(const std::string& root, const std::string& membership) {
  unsigned limit = 0;
  std::istringstream lines(membership);
  for (std::string line; std::getline(lines, line);) {
    // hierarchy:controllers:path (cgroups(7)); version 2 has no controllers here.
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool version2 = controllers.empty();
    const bool has_cpu = ("," + controllers + ",").find(",cpu,") != std::string::npos;
    if (!version2 && !has_cpu) continue;
    // A limit of any group above holds as well.
    std::string path = line.substr(second + 1);
    for (;;) {
      if (version2) {
        std::istringstream cpu_max(ReadFile(root + path + "/cpu.max"));
        std::string quota, period;
        cpu_max >> quota >> period;
        limit = Smaller(limit, WholeProcessors(quota, period));
      } else {
        const std::string folder = root + "/" + controllers + path;
        limit = Smaller(limit, WholeProcessors(ReadFile(folder + "/cpu.cfs_quota_us"),
                                               ReadFile(folder + "/cpu.cfs_period_us")));
      }
      const std::size_t slash = path.rfind('/');
      if (slash == std::string::npos || path == "/") break;
      path.resize(slash);
    }
  }
  return limit;
}

unsigned AvailableThreads() {
  unsigned threads = 1;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    threads = static_cast<unsigned>(CPU_COUNT(&set));
  } else {  // more processors than the set can name
    threads = std::thread::hardware_concurrency();
  }
  const unsigned quota = CgroupCpuLimit("/sys/fs/cgroup", ReadFile("/proc/self/cgroup"));
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
