#include <memory>
#include <utility>

#include "engine/import/import_config.h"
#include "engine/run/scorer_set.h"
#include "leafscore/import.h"

namespace leafscore {

ImportedPlan ImportPlan(const std::string& path) {
  internal::ImportedConfig config = internal::LoadConfig(path);
  internal::CheckAnyRuns(config, path);
  ImportedPlan imported{
      Plan(std::make_shared<const internal::ScorerSet>(internal::ReadScorerSpecs(config.config, path), path)),
      std::move(config.gold)};
  for (const internal::ImportNote& note : config.notes) {
    imported.notes.push_back(internal::TextOfNote(note));
  }
  return imported;
}

}  // namespace leafscore
