#include "engine/import/import_config.h"

#include <span>

#include "engine/base/limits.h"
#include "engine/config/config_parser.h"
#include "engine/import/agentv.h"
#include "engine/import/uipath.h"
#include "engine/io/read_text.h"

namespace leafscore::internal {
namespace {

// A tool whose files can be read.
struct OriginReader {
  ConfigOrigin origin;
  bool (*is_file_of)(std::string_view text, std::string_view name);
  ImportedConfig (*import)(std::string_view text, const std::string& path);
};

std::span<const OriginReader> Origins() {
  static constexpr OriginReader kOrigins[] = {
      {ConfigOrigin::kUiPath, IsUiPathFile, ImportUiPath},
      {ConfigOrigin::kAgentV, IsAgentVFile, ImportAgentV},
  };
  return kOrigins;
}

const OriginReader* FindOrigin(std::string_view text, std::string_view name) {
  for (const OriginReader& origin : Origins()) {
    if (origin.is_file_of(text, name)) return &origin;
  }
  return nullptr;
}

}  // namespace

std::string ReadImportText(const std::string& path) {
  return ReadText(path, kMaxImportedBytes.default_value);
}

ConfigOrigin DetectOrigin(std::string_view text, std::string_view name) {
  const OriginReader* const origin = FindOrigin(text, name);
  return origin == nullptr ? ConfigOrigin::kLeafscore : origin->origin;
}

ImportedConfig ImportConfig(std::string_view text, const std::string& path) {
  const OriginReader* const origin = FindOrigin(text, path);
  if (origin != nullptr) return origin->import(text, path);
  ImportedConfig ours;
  ours.config = ParseConfig(text, path);
  return ours;
}

}  // namespace leafscore::internal
