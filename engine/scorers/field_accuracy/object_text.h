// engine/scorers/field_accuracy/object_text.h: finds the JSON object in an answer given as text.
#ifndef LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_OBJECT_TEXT_H_
#define LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_OBJECT_TEXT_H_

#include <string>

#include "engine/match/pair_walker.h"
#include "engine/scorers/parsed_texts.h"

namespace leafscore::internal {

// Reads the outermost {...} in a string value, from the first brace to the last. If it is not JSON, tries the
// outermost {...} in the first ``` fence. After that, tries the whole fence as an array, or the whole text if
// there is no fence. With `array_first`, the array is tried first.
// RETURNS: the object, which lives in `texts`, or an absent value with *fault set.
// COST: linear.
ValueRef ReadObjectText(ValueRef text, bool array_first, ParsedTexts& texts, std::string* fault);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_OBJECT_TEXT_H_
