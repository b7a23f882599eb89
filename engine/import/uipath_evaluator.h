// engine/import/uipath_evaluator.h: turns one UiPath evaluator into a scorer of ours. THREADS: safe.
#ifndef LEAFSCORE_ENGINE_IMPORT_UIPATH_EVALUATOR_H_
#define LEAFSCORE_ENGINE_IMPORT_UIPATH_EVALUATOR_H_

#include <string>
#include <string_view>
#include <vector>

#include "engine/import/imported_config.h"

namespace leafscore::internal {

struct UiPathEvaluator {
  std::string id;         // sets refer to it by this id
  std::string name;       // averages refer to it by this name
  std::string type;       // uipath-exact-match
  bool is_older = false;  // from before version 1.0
  int line = 1;
  ConfigValue scorer;  // without criteria and weight; null if it cannot be evaluated here
  // The criteria member that contains the expected value, in camelCase.
  std::string_view criteria_member;
  std::vector<ImportNote> notes;

  bool can_run() const { return scorer.kind == ConfigValue::Kind::kMap; }
};

// Returns whether a value has the members of an evaluator.
bool IsUiPathEvaluator(const ConfigValue& root);

// Reads an evaluator. ERRORS: Error(kUsage) with file and line for anything that UiPath refuses.
UiPathEvaluator ReadUiPathEvaluator(const ConfigValue& root, const std::string& file);

// Returns the expected value that the criteria of a record stand for. REQUIRES: they have no fault.
ConfigValue ExpectedOfCriteria(const UiPathEvaluator& evaluator, const ConfigValue& value);

// Returns what is wrong with the value of a criteria member for a record, or "".
std::string_view FaultOfCriteria(const UiPathEvaluator& evaluator, const ConfigValue& value);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_UIPATH_EVALUATOR_H_
