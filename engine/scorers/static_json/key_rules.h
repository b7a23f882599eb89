// engine/scorers/static_json/key_rules.h: how the keys of a record are judged otherwise than by equality, as
// AssetOpsBench's `evaluation_metadata` says (the content of a scenario's groundtruth_eval.json). Plain
// values.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_KEY_RULES_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_KEY_RULES_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/json/json_view.h"

namespace leafscore::internal {

struct KeyRule {
  enum class Mode { kTimestamp, kMeasure, kSetMatch, kSetContained };
  std::string name;  // of the key
  Mode mode;
  double tolerance_s = 0;             // between two times; 0: none
  std::optional<double> count;        // of answers (`n`); NaN: no number of them will do
  std::vector<std::string> match_on;  // fields; empty: whole items

  bool IsOfSet() const { return mode == Mode::kSetMatch || mode == Mode::kSetContained; }
};

// A term that an answer should hold, in one of its forms, which are normalised.
struct ModeTerm {
  std::string name;
  std::vector<std::string> forms;
};

struct EvaluationRules {
  std::vector<KeyRule> keys;
  // Of answers with the one key `response`, `clarification` or `abstain`.
  std::optional<std::string> mode;
  std::optional<std::vector<ModeTerm>> required_terms;
  std::vector<ModeTerm> optional_terms;

  bool DescribesMode() const { return mode || required_terms || !optional_terms.empty(); }
};

// Reads metadata. As in the origin, what it does not know says nothing: a rule that is no object or of
// another mode, a tolerance that is no number above 0. Tolerances are a day at most.
EvaluationRules ReadEvaluationRules(JsonView metadata);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_KEY_RULES_H_
