// engine/scorers/asserts/assert_list.h: the asserts of a test, read and checked once. Does not change
// afterwards, so any thread may read it.
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
  kUnavailable,  // what is not done here; it scores 0
};

struct Assert {
  AssertKind kind = AssertKind::kUnavailable;
  std::string type;  // as it was written; of what is unavailable, the type that it stands for
  std::string name;
  double weight = 1;
  bool required = false;
  std::optional<double> min_score;  // of a required one
  bool negate = false;
  bool ignore_case = false;         // kContains...: the values are in lower case
  std::vector<std::string> values;  // trimmed where the comparison trims
  std::unique_ptr<JavaScriptRegex> regex;
  std::unique_ptr<Scorer> fields;   // kFieldAccuracy
  const Script* script = nullptr;   // of the scorer's
  std::vector<Assert> members;      // kSet
  TrajectoryAssert trajectory;      // kTrajectory, with its own negation
  std::optional<double> threshold;  // kSet
  std::string reason;               // kUnavailable
};

using ScriptsByName = std::map<std::string, Script, std::less<>>;

// Reads a list of asserts. Scripts are named, not written out: they stand in the configuration, so that data
// runs no programs. `source` and `owner` name where the list is in messages. REQUIRES: `scripts` outlive the
// asserts. ERRORS: kUsage for an unknown type, a member that is missing, wrong or not of this type, a regular
// expression that cannot be searched for here, and a script that is not there.
std::vector<Assert> ReadAsserts(const ConfigValue& list, const ScriptsByName& scripts,
                                const std::string& owner, const std::string& source);

// Returns the name of an assert that has none, as AgentV gives it: contains-Hello, contains-any-3.
std::string DefaultAssertName(std::string_view type, const ConfigValue* value);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_ASSERTS_ASSERT_LIST_H_
