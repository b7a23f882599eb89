// engine/threads/cgroup.h: the control groups of Linux that this process is in, whose limits hold for it.
#ifndef LEAFSCORE_ENGINE_THREADS_CGROUP_H_
#define LEAFSCORE_ENGINE_THREADS_CGROUP_H_

#include <string>
#include <vector>

namespace leafscore::internal {

struct Cgroup {
  bool version2;
  std::string folder;  // with the files that state its limits
};

// Returns the group that a controller ("cpu", "memory") has put this process in, and all groups above it,
// since their limits hold as well. `root` is where the cgroup file systems are mounted, `membership` the text
// of /proc/self/cgroup.
std::vector<Cgroup> CgroupsOf(const std::string& root, const std::string& membership,
                              const std::string& controller);

// Returns what a file of a system's file system holds; nothing of one that cannot be read.
std::string ReadSystemFile(const std::string& path);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_THREADS_CGROUP_H_
