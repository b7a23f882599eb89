// leafscore/plan.h: plans. A plan consists of the scorers to use and their options.
//
//   leafscore::ScorerConfig fields;
//   fields.type = "json_similarity";
//   fields.name = "fields";
//   fields.options = {{"number_tolerance", 0.01},
//                     {"target_output_key", leafscore::OptionValue::List{"total", "items"}}};
//   const std::vector<leafscore::ScorerConfig> scorers = {fields};
//   const leafscore::Plan plan(scorers);
//   assert(leafscore::Plan::FromConfig(plan.config()).scorer_names() == plan.scorer_names());
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

// The value of an option, which is a JSON value: null, a bool, a number, a text, a list or a map.
struct OptionValue {
  using List = std::vector<OptionValue>;  // items in order
  using Map = std::vector<Option>;        // members in order, with unique names

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

// A named option.
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

// A scorer of a plan. `leafscore scorers` and docs/scorers.md list the types and their options.
struct ScorerConfig {
  std::string type = {};             // for example "json_similarity"
  std::string name = {};             // unique in the plan; empty: the type
  std::vector<Option> options = {};  // any other option has its default
};

// Configured scorers in order. A plan never changes, and copies share their scorers, so copying is cheap.
// THREADS: any number of threads may use a plan at once.
class LEAFSCORE_EXPORT Plan {
 public:
  // Makes a plan of scorers with their default options.
  // ERRORS: Error(kUsage) for an unknown type, for a type that needs an option, for a type given twice, and
  //         for an empty list.
  explicit Plan(std::initializer_list<std::string_view> scorer_types);
  explicit Plan(std::span<const std::string> scorer_types);

  // Makes a plan of scorers with options.
  // ERRORS: Error(kUsage) for an unknown type or option, a missing option, a value of the wrong type or out
  //         of range, a text that is not UTF-8, a number that is not finite, a name given twice, and an empty
  //         list. location() names the option, and its line is the position of the scorer, from 1.
  explicit Plan(std::span<const ScorerConfig> scorers);

  // Makes a plan from a configuration in YAML or JSON: {evaluators: [{name, type, options...}]}.
  // ERRORS: Error(kUsage), which names `source_name`, the line and the option. The configurations of other
  //         tools are errors, too; use ImportPlan for them.
  static Plan FromConfig(std::string_view config, const std::string& source_name = "config");

  // Returns the names of the scorers in order.
  std::vector<std::string> scorer_names() const;

  // Returns the names of the members or columns that the scorers read from records, besides the expected and
  // the actual value. Options such as schema_key name them.
  std::vector<std::string> record_fields() const;

  // Returns the plan as a configuration in canonical form. FromConfig makes an equal plan from this text,
  // with the same config(). The text is JSON, or YAML if a scalar was given in a form that JSON does not have
  // (0x1F, True).
  std::string config() const;

  // For use by the engine.
  explicit Plan(std::shared_ptr<const internal::ScorerSet> scorers) : scorers_(std::move(scorers)) {}
  const internal::ScorerSet& scorers() const { return *scorers_; }

 private:
  std::shared_ptr<const internal::ScorerSet> scorers_;
};

}  // namespace leafscore

#endif  // LEAFSCORE_PLAN_H_
