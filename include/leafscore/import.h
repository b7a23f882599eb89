// leafscore/import.h: configurations of other tools, read as they are (docs/migrate.md).
#ifndef LEAFSCORE_IMPORT_H_
#define LEAFSCORE_IMPORT_H_

#include <string>
#include <vector>

#include "leafscore/export.h"
#include "leafscore/plan.h"

namespace leafscore {

// What a configuration of another tool comes to.
struct ImportedPlan {
  Plan plan;
  std::vector<std::string> gold = {};   // records of `id` and `expected`, each a line of JSON without its end
  std::vector<std::string> notes = {};  // as `leafscore check` prints them: what runs, and what does not
};

// Reads an evaluator or evaluation set of UiPath, a suite of AgentV or a configuration of ours. Files that it
// refers to are looked for from where it lies.
// ERRORS: Error(kInput) when it cannot be read; Error(kUsage), with file and line, for what its tool refuses,
//         too, and where nothing of it can be done here.
LEAFSCORE_EXPORT ImportedPlan ImportPlan(const std::string& path);

}  // namespace leafscore

#endif  // LEAFSCORE_IMPORT_H_
