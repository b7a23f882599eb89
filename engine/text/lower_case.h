// engine/text/lower_case.h: lower-casing with the full Unicode mappings, through ICU.
#ifndef LEAFSCORE_ENGINE_TEXT_LOWER_CASE_H_
#define LEAFSCORE_ENGINE_TEXT_LOWER_CASE_H_

#include <string>

namespace leafscore::internal {

// Lower-cases valid UTF-8 in place, by the locale-independent full mappings (the Unicode Standard, 3.13:
// "İ" becomes two code points, a final "Σ" becomes "ς"). COST: ASCII stays out of ICU.
void ToLowerCase(std::string& text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_LOWER_CASE_H_
