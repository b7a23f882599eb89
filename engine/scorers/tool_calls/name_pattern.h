// engine/scorers/tool_calls/name_pattern.h: patterns of tool names, in which * stands for any text and ? for
// one character. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_NAME_PATTERN_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_NAME_PATTERN_H_

#include <string_view>

namespace leafscore::internal {

// Tells whether a whole name matches a pattern. REQUIRES: valid UTF-8. COST: at worst the product of the
// lengths.
bool FitsNamePattern(std::string_view name, std::string_view pattern);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_NAME_PATTERN_H_
