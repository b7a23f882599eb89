#include "cli/external_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Returns the folders that programs are looked for in: the one that this command is in, as the programs of a
// Python environment lie beside each other whether or not it is activated, and then those of the PATH.
std::vector<std::string> ProgramFolders() {
  std::vector<std::string> folders;
  std::error_code unknown;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", unknown);
  if (!unknown) folders.push_back(self.parent_path().string());
  const char* const path = std::getenv("PATH");
  for (std::string_view rest = path == nullptr ? "" : path; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (!folder.empty())
      folders.emplace_back(folder);  // an empty one is the current folder, which may be anybody's
  }
  return folders;
}

}  // namespace

void BecomeExternalCommand(const std::string& name, char** arguments) {
  if (name.empty() || name.find('/') != std::string::npos) return;
  std::string refused;  // why the first program of that name cannot be executed
  for (const std::string& folder : ProgramFolders()) {
    std::string program = fmt::format("{}/leafscore-{}", folder, name);
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(program, unknown)) continue;
    arguments[0] = program.data();
    std::signal(SIGPIPE, SIG_DFL);  // which a program takes over from us
    std::signal(SIGXFSZ, SIG_DFL);
    execv(program.c_str(), arguments);
    const int why = errno;
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    if (refused.empty()) refused = fmt::format("{} cannot be executed: {}", program, std::strerror(why));
  }
  if (!refused.empty()) throw Error(ErrorCode::kUsage, refused);
}

}  // namespace leafscore::internal
