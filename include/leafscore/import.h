// leafscore/import.h: reads configurations of other tools without changes to the files (docs/migrate.md).
//
//   const leafscore::ImportedPlan imported = leafscore::ImportPlan("invoice.eval.yaml");
//   assert(imported.gold.size() == 2);
//   for (const std::string& note : imported.notes) std::puts(note.c_str());
#ifndef LEAFSCORE_IMPORT_H_
#define LEAFSCORE_IMPORT_H_

#include <string>
#include <vector>

#include "leafscore/export.h"
#include "leafscore/plan.h"

namespace leafscore {

// The content of another tool's configuration.
struct ImportedPlan {
  Plan plan;
  std::vector<std::string> gold = {};   // records of `id` and `expected`: lines of JSON without line ends
  std::vector<std::string> notes = {};  // what can run here and what cannot, as in `leafscore check`
};

// Reads an evaluator or evaluation set of UiPath, a suite of AgentV, or a configuration of leafscore. Paths
// in the file are relative to its folder.
// ERRORS: Error(kInput) if the file cannot be read; Error(kUsage), with file and line, if its own tool would
//         also refuse it, or if no part of it can run here.
LEAFSCORE_EXPORT ImportedPlan ImportPlan(const std::string& path);

}  // namespace leafscore

#endif  // LEAFSCORE_IMPORT_H_
