// engine/scorers/static_json/set_rules.h: lists that are compared as sets, by the modes set_match and
// set_contained of AssetOpsBench. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_SET_RULES_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_SET_RULES_H_

#include <cstdint>
#include <optional>

#include "engine/scorers/static_json/key_rules.h"
#include "engine/scorers/static_json/python_values.h"

namespace leafscore::internal {

// Tells whether an answer has what a rule of a set asks for. What is no list, a tuple too, has nothing; the
// model's value may be absent.
// COST:    linear; of a set_match with a tolerance, as many comparisons of two items as `comparisons_left`,
//          which are taken off it.
// RETURNS: nothing when more of them would be needed.
std::optional<bool> SatisfiesSetRule(const KeyRule& rule, const PythonValue& gold, const PythonValue& model,
                                     const ShapeTable& shapes, std::uint64_t& comparisons_left);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_SET_RULES_H_
