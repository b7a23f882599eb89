// engine/scorers/asserts/assert_list.h: the asserts of a test, read and checked once. Immutable afterwards,
// so any thread may read it.
#ifndef LEAFSCORE_ENGINE_SCORERS_ASSERTS_ASSERT_LIST_H_
#define LEAFSCORE_ENGINE_SCORERS_ASSERTS_ASSERT_LIST_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/options.h"
#include "engine/languages/javascript_regex.h"
#include "engine/scorers/asserts/script_judge.h"
#include "engine/scorers/asserts/trajectory_assert.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

enum class AssertKind : std::uint8_t {
  kContains,
  kContainsAny,
  kContainsAll,
  kStartsWith,
  kEndsWith,
  kEquals,
  kRegex,
  kIsJson,
  kFieldAccuracy,
  kScript,
  kSet,
  kTrajectory,
  kUnavailable,  // not supported here; it scores 0
};

struct Assert {
  AssertKind kind = AssertKind::kUnavailable;
  std::string type;  // as written; for an unavailable assert, the type that it replaces
  std::string name;
  double weight = 1;
  bool required = false;
  std::optional<double> min_score;  // for a required assert
  bool negate = false;
  bool ignore_case = false;         // kContains...: the values are in lower case
  std::vector<std::string> values;  // trimmed if the comparison trims
  std::unique_ptr<JavaScriptRegex> regex;
  std::unique_ptr<Scorer> fields;   // kFieldAccuracy
  const Script* script = nullptr;   // one of the scorer's scripts
  std::vector<Assert> members;      // kSet
  TrajectoryAssert trajectory;      // kTrajectory; has its own negation
  std::optional<double> threshold;  // kSet
  std::string reason;               // kUnavailable
};

using ScriptsByName = std::map<std::string, Script, std::less<>>;

// Reads a list of asserts. An assert only names its script. Scripts are defined in the configuration, so that
// data cannot run programs. `source` and `owner` name the place of the list in messages. REQUIRES: `scripts`
// outlive the asserts.
// ERRORS: Error(kUsage) for an unknown type, a member that is missing, wrong or belongs to another type, an
// unsupported regular expression, and an unknown script.
std::vector<Assert> ReadAsserts(const ConfigValue& list, const ScriptsByName& scripts,
                                const std::string& owner, const std::string& source);

// Returns the name that AgentV gives to an assert without one: contains-Hello, contains-any-3.
std::string DefaultAssertName(std::string_view type, const ConfigValue* value);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_ASSERTS_ASSERT_LIST_H_
