// engine/scorers/field_accuracy/object_text.h: the JSON object in an answer that was given as text.
#ifndef LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_OBJECT_TEXT_H_
#define LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_OBJECT_TEXT_H_

#include <string>

#include "engine/match/pair_walker.h"
#include "engine/scorers/parsed_texts.h"

namespace leafscore::internal {

// Reads the outermost {...} in a string value, from its first brace to its last; when that is not JSON, the
// outermost {...} in its first ``` fence; when that is not either, the text (or the fence) as a whole when it
// is an array, which with `array_first` is tried before all else.
// RETURNS: the object, which lives in `texts`, or an absent value with *fault saying what is wrong.
// COST:    linear.
ValueRef ReadObjectText(ValueRef text, bool array_first, ParsedTexts& texts, std::string* fault);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_OBJECT_TEXT_H_
