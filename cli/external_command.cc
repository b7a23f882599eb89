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

#include "leafscore/error.h"

namespace leafscore::internal {

void BecomeExternalCommand(const std::string& name, char** arguments) {
  if (name.empty() || name.find('/') != std::string::npos) return;
  const char* const path = std::getenv("PATH");
  std::string refused;  // why the first program of that name cannot be executed
  for (std::string_view folders = path == nullptr ? "" : path; !folders.empty();) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folder.size() + 1, folders.size()));
    if (folder.empty()) continue;  // the current folder, which may be anybody's
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
