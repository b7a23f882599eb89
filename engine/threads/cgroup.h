// engine/threads/cgroup.h: finds the Linux control groups of this process, whose limits apply to it.
#ifndef LEAFSCORE_ENGINE_THREADS_CGROUP_H_
#define LEAFSCORE_ENGINE_THREADS_CGROUP_H_

#include <string>
#include <vector>

namespace leafscore::internal {

struct Cgroup {
  bool version2;
  std::string folder;  // has the files with the limits of the group
};

// Returns the group of this process for a controller ("cpu", "memory"), and all groups above it, whose limits
// apply as well. `root` is the folder in which the cgroup file systems are mounted. `membership` is the text
// of /proc/self/cgroup.
std::vector<Cgroup> CgroupsOf(const std::string& root, const std::string& membership,
                              const std::string& controller);

// Returns the contents of a file of the system, such as one in /proc; empty if the file cannot be read.
std::string ReadSystemFile(const std::string& path);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_THREADS_CGROUP_H_
