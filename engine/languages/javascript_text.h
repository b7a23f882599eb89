// engine/languages/javascript_text.h: trims texts, and reads and writes numbers, as JavaScript does, so
// that scores agree with those of evaluators written in JavaScript. Stateless. REQUIRES: valid UTF-8.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_TEXT_H_
#define LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns the size of the white space or line terminator (ECMA-262, 12.2 and 12.3) at the start of a text; 0
// if there is none.
std::size_t JavaScriptSpaceAt(std::string_view text);

// Returns the text without surrounding white space, like String.prototype.trim.
std::string_view JavaScriptTrim(std::string_view text);

// Returns the number at the start of a text, as parseFloat does ("12abc" is 12); NaN if there is no number.
double JavaScriptParseFloat(std::string_view text);

// Returns a number as Number.prototype.toString writes it (ECMA-262, 6.1.6.1.20): 5, 0.5, 1e+21, Infinity.
std::string JavaScriptNumberText(double number);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_TEXT_H_
