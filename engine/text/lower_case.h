// engine/text/lower_case.h: lower-casing and case folding with the full Unicode mappings, through ICU.
#ifndef LEAFSCORE_ENGINE_TEXT_LOWER_CASE_H_
#define LEAFSCORE_ENGINE_TEXT_LOWER_CASE_H_

#include <string>

namespace leafscore::internal {

// Lower-cases valid UTF-8 in place by the full mappings, independently of the locale (the Unicode Standard,
// 3.13: "İ" becomes two code points, a final "Σ" becomes "ς").
// COST: ASCII does not go through ICU.
void ToLowerCase(std::string& text);

// Folds the case of valid UTF-8 in place, so that texts that differ only in case become equal (the Unicode
// Standard, 3.13: "ß" becomes "ss", every sigma "σ").
// COST: ASCII does not go through ICU.
void FoldCase(std::string& text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_LOWER_CASE_H_
