#include "engine/threads/cgroup.h"

#include <fstream>
#include <iterator>
#include <sstream>

namespace leafscore::internal {

std::vector<Cgroup> CgroupsOf(const std::string& root, const std::string& membership,
                              const std::string& controller) {
  std::vector<Cgroup> groups;
  std::istringstream lines(membership);
  for (std::string line; std::getline(lines, line);) {
    // A line is hierarchy:controllers:path (cgroups(7)). In version 2, it names no controllers.
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool version2 = controllers.empty();
    if (!version2 && ("," + controllers + ",").find("," + controller + ",") == std::string::npos) continue;
    std::string path = line.substr(second + 1);
    for (;;) {
      groups.push_back({version2, version2 ? root + path : root + "/" + controllers + path});
      const std::size_t slash = path.rfind('/');
      if (slash == std::string::npos || path == "/") break;
      path.resize(slash);
    }
  }
  return groups;
}

std::string ReadSystemFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace leafscore::internal
