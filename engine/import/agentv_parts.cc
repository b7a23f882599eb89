#include "engine/import/agentv_parts.h"

#include <filesystem>
#include <system_error>

namespace leafscore::internal {

namespace fs = std::filesystem;

std::string FolderOfFile(const std::string& path) {
  return (fs::current_path() / fs::path(path).parent_path()).lexically_normal().string();
}

std::optional<std::string> FindUpward(std::string_view relative, const std::string& folder) {
  fs::path at = fs::path(folder).lexically_normal();
  if (at.filename().empty()) at = at.parent_path();
  for (;;) {
    const fs::path found = (at / relative).lexically_normal();
    std::error_code error;
    if (fs::exists(found, error)) return found.string();
    if (at == at.parent_path()) return std::nullopt;
    at = at.parent_path();
  }
}

}  // namespace leafscore::internal
