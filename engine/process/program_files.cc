#include "engine/process/program_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "engine/base/suggest.h"
#include "leafscore/error.h"

namespace leafscore::internal {

std::vector<std::string> FilesOfProgram(const ProgramSpec& program) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const std::string& argument : program.arguments) {
    const bool looked_up = &argument == &program.arguments.front() && argument.find('/') == argument.npos;
    const fs::path path = (fs::path(program.folder) / argument).lexically_normal();
    if (looked_up) continue;
    std::error_code error;
    const fs::file_type type = fs::status(path, error).type();
    if (type == fs::file_type::regular) files.push_back(path.string());
    const bool may_be_one = type == fs::file_type::none && error != std::errc::filename_too_long &&
                            error != std::errc::permission_denied;
    if (may_be_one) {
      throw Error(ErrorCode::kInput,
                  fmt::format("cannot tell whether {}, of a judge's command, is a file: {}",
                              QuoteForMessage(path.string(), 256), error.message()));
    }
  }
  return files;
}

}  // namespace leafscore::internal
