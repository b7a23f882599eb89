// engine/scorers/tool_calls/call_rules.h: the options of the scorer `tool_calls`, read and checked once: how
// calls are paired, which arguments count, and the rules for individual tools. Immutable.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_RULES_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_RULES_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/options.h"
#include "engine/languages/javascript_regex.h"
#include "engine/match/path_rules.h"
#include "engine/match/target_path.h"
#include "engine/scorers/field_accuracy/field_rules.h"

namespace leafscore::internal {

enum class CallMode : std::uint8_t { kExact, kInOrder, kAnyOrder, kSuperset, kSubset, kCounts };
enum class ArgsMode : std::uint8_t { kExact, kSuperset, kSubset, kIgnore, kPaths };
enum class NameMatch : std::uint8_t { kExact, kIgnoreCase, kPattern };

// Which arguments count.
struct ArgsRule {
  ArgsMode mode = ArgsMode::kExact;
  std::vector<TargetPath> paths = {};  // kPaths
};

// How a value at a path is judged. The first four kinds are shared with field_accuracy.
enum class ArgumentMatch : std::uint8_t {
  kExact,
  kNumericTolerance,
  kDate,
  kFuzzy,
  kAnyOf,
  kRegex,
  kText,
  kPresent,
  kIgnore,
};

struct ArgumentField {
  ArgumentMatch match = ArgumentMatch::kExact;
  bool required = true;
  FieldRule comparison = {};                          // for the first four matches
  std::string values_json = {};                       // kAnyOf: a list
  std::shared_ptr<const JavaScriptRegex> regex = {};  // kRegex; null: the expected text is the pattern
};

// Rules by path, from one option `fields` or `ignore_paths`.
struct PathSet {
  PathRules paths;  // marks are numbers of fields
  std::vector<ArgumentField> fields;
};

inline constexpr std::uint32_t kNoRules = std::numeric_limits<std::uint32_t>::max();

// The rules for the calls of a tool: numbers of ArgsRules, PathSets and default values.
struct ToolRules {
  std::uint32_t args = 0;
  std::uint32_t fields = kNoRules;
  std::uint32_t ignored = kNoRules;
  std::uint32_t defaults = kNoRules;
  bool compares_output = false;
  double weight = 1;
};

struct CallRules {
  explicit CallRules(const OptionReader& options);

  // Returns the rules for a tool. If several entries of `tools` match its name, each member comes from the
  // last entry that sets it. COST: linear in the entries.
  ToolRules Of(std::string_view tool) const;
  // Tells whether calls of a tool are ignored on both sides.
  bool Ignores(std::string_view tool) const;
  bool NamesMatch(std::string_view expected, std::string_view actual) const;

  // Returns whether arguments match only if they are equal, and a single matching argument earns no credit.
  bool pairs_by_equality() const;

  CallMode mode = CallMode::kAnyOrder;
  bool extra_calls_free = false;
  bool all_or_nothing = false;
  bool each_argument = false;
  double name_credit = 0;
  bool duplicates_once = false;
  bool parallel_unordered = false;
  bool expected_rules = false;
  NameMatch name_match = NameMatch::kExact;
  double threshold = 1;
  std::vector<std::string> ignored_tools;
  std::vector<ArgsRule> args;  // the first one is for all tools
  std::vector<PathSet> path_sets;
  std::vector<std::string> defaults_json;  // objects
  bool has_fuzzy = false;
  ToolRules of_all;

 private:
  // An entry of `tools`; members that are not set come from other entries.
  struct ToolEntry {
    std::string pattern;
    std::optional<std::uint32_t> args, fields, ignored, defaults;
    std::optional<bool> compares_output;
    std::optional<double> weight;
  };

  std::uint32_t AddArgs(const OptionReader& options);
  std::uint32_t AddFields(const OptionReader& options);
  std::uint32_t AddIgnored(const OptionReader& options);
  ArgumentField ReadField(const OptionReader& field);
  void ReadTools(const OptionReader& options);

  std::vector<ToolEntry> tools_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_RULES_H_
