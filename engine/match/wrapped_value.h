// engine/match/wrapped_value.h: which members of an answer may be the answer itself. Stateless.
#ifndef LEAFSCORE_ENGINE_MATCH_WRAPPED_VALUE_H_
#define LEAFSCORE_ENGINE_MATCH_WRAPPED_VALUE_H_

#include <string_view>

#include "engine/json/json_view.h"

namespace leafscore::internal {

// Returns whether the value of a member of an object may be the answer itself. The `error` of a service is no
// answer, and the `properties` of a JSON Schema are no answer either, even if their members have the expected
// keys.
// COST: linear in the value's members.
bool MayBeWrapped(std::string_view key, const JsonView& value);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_WRAPPED_VALUE_H_
