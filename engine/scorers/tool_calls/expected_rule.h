// engine/scorers/tool_calls/expected_rule.h: rules inside expected arguments, such as {"$any": [1, 2]}.
// Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_EXPECTED_RULE_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_EXPECTED_RULE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "engine/match/pair_walker.h"

namespace leafscore::internal {

struct ExpectedRule {
  enum class Kind : std::uint8_t { kAny, kRegex, kNear, kOptional, kPresent, kIgnore } kind;
  ValueRef operand;
};

// Returns the rule that a value represents: an object with a single key, the name of a rule.
std::optional<ExpectedRule> ExpectedRuleOf(ValueRef value, const ShapeTable& shapes);

// Returns the fault of the operands of the rules in a value, or an empty text. Regular expressions are
// checked where they are used.
std::string FaultOfExpectedRules(ValueRef value, const ShapeTable& shapes);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_EXPECTED_RULE_H_
