// leafscore/plan.h: what to score with: scorers and their options.
#ifndef LEAFSCORE_PLAN_H_
#define LEAFSCORE_PLAN_H_

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "leafscore/error.h"
#include "leafscore/export.h"

namespace leafscore {

namespace internal {
class ScorerSet;
}

struct Option;

// The value of an option, a JSON value: null, a bool, a number, a text, a list or a map.
struct OptionValue {
  using List = std::vector<OptionValue>;  // its items, in order
  using Map = std::vector<Option>;        // its members, in order; names are unique

  OptionValue() = default;
  OptionValue(bool boolean);
  template <std::integral Integer>
  OptionValue(Integer integer);
  OptionValue(double number);
  OptionValue(const char* text);
  OptionValue(std::string text);
  OptionValue(List items);
  OptionValue(Map members);

  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Map> value;
};

// An option by its name.
struct Option {
  std::string name = {};
  OptionValue value;
};

inline OptionValue::OptionValue(bool boolean) : value(boolean) {}
template <std::integral Integer>
OptionValue::OptionValue(Integer integer) : value(static_cast<std::int64_t>(integer)) {}
inline OptionValue::OptionValue(double number) : value(number) {}
inline OptionValue::OptionValue(const char* text) : value(std::string(text)) {}
inline OptionValue::OptionValue(std::string text) : value(std::move(text)) {}
inline OptionValue::OptionValue(List items) : value(std::move(items)) {}
inline OptionValue::OptionValue(Map members) : value(std::move(members)) {}

// One scorer of a plan. `leafscore scorers` and docs/scorers.md list types and options.
struct ScorerConfig {
  std::string type = {};             // for example "json_similarity"
  std::string name = {};             // unique in the plan; empty: same as the type
  std::vector<Option> options = {};  // the others have their defaults
};

// Configured scorers, in order. A plan does not change, and copies share their scorers, so copying is cheap.
// THREADS: any number may use it at once.
class LEAFSCORE_EXPORT Plan {
 public:
  // Takes scorers by type, with their default options.
  // ERRORS: Error(kUsage) for an unknown type, a type twice, and none at all.
  explicit Plan(std::initializer_list<std::string_view> scorer_types);
  explicit Plan(std::span<const std::string> scorer_types);

  // Takes scorers with options.
  // ERRORS: Error(kUsage) for an unknown type or option, a value of the wrong type or range, a text that is
  //         not UTF-8, a number that is not finite, a name twice, and no scorers at all; location() names the
  //         option, and its line is the position of the scorer, from 1.
  explicit Plan(std::span<const ScorerConfig> scorers);

  // Takes scorers from a configuration, YAML or JSON: {evaluators: [{name, type, options...}]}.
  // ERRORS: Error(kUsage) that names `source_name`, the line and the option; for a file of another tool,
  // which
  //         ImportPlan reads.
  static Plan FromConfig(std::string_view config, const std::string& source_name = "config");

  // The scorers' names in their order.
  std::vector<std::string> scorer_names() const;

  // The plan as a configuration in canonical form: FromConfig makes an equal plan of it, whose config() is
  // the same text. It is JSON, unless a scalar was given in a way that only YAML knows (0x1F, True): then it
  // is YAML.
  std::string config() const;

  // For the engine's own use.
  explicit Plan(std::shared_ptr<const internal::ScorerSet> scorers) : scorers_(std::move(scorers)) {}
  const internal::ScorerSet& scorers() const { return *scorers_; }

 private:
  std::shared_ptr<const internal::ScorerSet> scorers_;
};

}  // namespace leafscore

#endif  // LEAFSCORE_PLAN_H_
