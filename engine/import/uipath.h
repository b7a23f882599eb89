// engine/import/uipath.h: imports UiPath's evaluator files and evaluation sets (docs/migrate.md). THREADS:
// safe.
#ifndef LEAFSCORE_ENGINE_IMPORT_UIPATH_H_
#define LEAFSCORE_ENGINE_IMPORT_UIPATH_H_

#include <string>
#include <string_view>

#include "engine/import/imported_config.h"

namespace leafscore::internal {

// Returns whether a text is a UiPath evaluator or set: a JSON object with members that only these have.
bool IsUiPathFile(std::string_view text, std::string_view name);

// Imports an evaluator or a set. The evaluators of a set are searched in the folder `evaluators` beside the
// set's folder.
// ERRORS: Error(kUsage) with file and line for anything that UiPath refuses, and for a missing evaluator.
ImportedConfig ImportUiPath(std::string_view text, const std::string& path);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_UIPATH_H_
