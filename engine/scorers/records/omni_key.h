// engine/scorers/records/omni_key.h: the form in which omni-extract-bench compares values: a number, a day, a
// time, or a text without case, marks, punctuation and other cosmetics. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_OMNI_KEY_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_OMNI_KEY_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns the form of a value, given as Python's str() writes it. Two values are equal if their forms are
// equal. REQUIRES: the text is not blank.
std::string OmniKey(std::string_view text, bool is_boolean);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_OMNI_KEY_H_
