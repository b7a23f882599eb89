#include "cli/config_file.h"

#include <fmt/format.h>

#include <utility>

#include "cli/terminal.h"
#include "engine/base/limits.h"
#include "engine/config/canonical_config.h"
#include "engine/config/config_parser.h"
#include "engine/import/import_config.h"
#include "engine/io/read_text.h"

namespace leafscore::internal {
namespace {

// Prints which parts of a configuration are skipped, and which cannot be evaluated here.
ImportedConfig Told(ImportedConfig config, const std::string& path) {
  CheckAnyRuns(config, path);
  const std::string missing = NotesOfKind(config, ImportNoteKind::kOffline);
  const std::string skipped = NotesOfKind(config, ImportNoteKind::kSkipped);
  if (!skipped.empty()) {
    PrintMessage(fmt::format("skipped of {}, as {} does: {}", path, NameOfOrigin(config.origin), skipped));
  }
  if (!missing.empty()) {
    PrintMessage(fmt::format("of {}, this cannot be done here: {}. `leafscore check {}` tells more", path,
                             missing, path));
  }
  return config;
}

}  // namespace

std::string ReadConfigText(const std::string& path) { return ReadText(path, kMaxConfigBytes.default_value); }

ConfigValue ReadConfigFile(const std::string& path) { return ParseConfig(ReadConfigText(path), path); }

std::string ReadScorerConfigText(const std::string& path, std::vector<std::string>& files) {
  files.push_back(path);
  std::string text = ReadImportText(path);
  if (DetectOrigin(text, path) == ConfigOrigin::kLeafscore) return text;
  const ImportedConfig imported = Told(ImportConfig(text, path), path);
  files.insert(files.end(), imported.files.begin(), imported.files.end());
  return CanonicalConfig(ReadScorerSpecs(imported.config, path));
}

ImportedConfig LoadScorerConfig(const std::string& path) { return Told(LoadConfig(path), path); }

void AddProgramFiles(const ScorerSet& scorers, std::vector<std::string>& files) {
  for (const NamedScorer& named : scorers.scorers()) {
    for (std::string& file : named.scorer->files()) files.push_back(std::move(file));
  }
}

}  // namespace leafscore::internal
