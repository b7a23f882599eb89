// engine/config/scorer_text.h: a scorer and its options in one line of text, as a command line names them.
#ifndef LEAFSCORE_ENGINE_CONFIG_SCORER_TEXT_H_
#define LEAFSCORE_ENGINE_CONFIG_SCORER_TEXT_H_

#include <string_view>

#include "engine/config/scorer_specs.h"

namespace leafscore::internal {

// Reads "TYPE" or "TYPE:OPTION=VALUE,OPTION=VALUE...". A value is YAML on one line: a scalar, a quoted text,
// a [list] or a {map}; commas within quotes and brackets do not end it. The option `name` names the scorer.
// RETURNS: the spec of {type: TYPE, OPTION: VALUE, ...} in a configuration; all its lines are 0.
// ERRORS: Error(kUsage) that names the scorer and the option.
ScorerSpec ReadScorerText(std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CONFIG_SCORER_TEXT_H_
