// engine/import/uipath.h: UiPath's evaluator files and evaluation sets (docs/migrate.md). THREADS: safe.
#ifndef LEAFSCORE_ENGINE_IMPORT_UIPATH_H_
#define LEAFSCORE_ENGINE_IMPORT_UIPATH_H_

#include <string>
#include <string_view>

#include "engine/import/imported_config.h"

namespace leafscore::internal {

// Tells whether a text is an evaluator or a set of UiPath's: a JSON object with the members that only these
// have.
bool IsUiPathFile(std::string_view text, std::string_view name);

// Reads either. The evaluators of a set are looked for in the folder `evaluators` beside the set's own.
// ERRORS: Error(kUsage) with file and line for what UiPath refuses, and for an evaluator that is not there.
ImportedConfig ImportUiPath(std::string_view text, const std::string& path);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_UIPATH_H_
