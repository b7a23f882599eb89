// engine/scorers/static_json/key_rules.h: rules for judging the keys of a record other than by equality, from
// AssetOpsBench's `evaluation_metadata` (the content of a scenario's groundtruth_eval.json). Plain values.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_KEY_RULES_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_KEY_RULES_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/json/json_view.h"

namespace leafscore::internal {

struct KeyRule {
  enum class Mode { kTimestamp, kMeasure, kSetMatch, kSetContained };
  std::string name;  // name of the key
  Mode mode;
  double tolerance_s = 0;             // between two times; 0 without a tolerance
  std::optional<double> count;        // required number of answers (`n`); NaN if no number is right
  std::vector<std::string> match_on;  // fields to compare; if empty, whole items are compared

  bool IsOfSet() const { return mode == Mode::kSetMatch || mode == Mode::kSetContained; }
};

// A term that an answer should contain in one of its forms. The forms are normalised.
struct ModeTerm {
  std::string name;
  std::vector<std::string> forms;
};

struct EvaluationRules {
  std::vector<KeyRule> keys;
  // For answers whose only key is `response`, `clarification` or `abstain`.
  std::optional<std::string> mode;
  std::optional<std::vector<ModeTerm>> required_terms;
  std::vector<ModeTerm> optional_terms;

  bool DescribesMode() const { return mode || required_terms || !optional_terms.empty(); }
};

// Reads metadata. As in the original, anything unknown is ignored: a rule that is not an object, a rule with
// another mode, or a tolerance that is not a number above 0. Tolerances are limited to a day.
EvaluationRules ReadEvaluationRules(JsonView metadata);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_KEY_RULES_H_
