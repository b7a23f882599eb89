// engine/scorers/static_json/choice_letter.h: finds the letter that an answer to a multiple-choice question
// picks, by the rules of AssetOpsBench. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_CHOICE_LETTER_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_CHOICE_LETTER_H_

#include <string_view>

namespace leafscore::internal {

inline bool IsAsciiLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Finds the letter in an answer's text, whose label and fence are removed already. The letter is the last
// line, or stands at the end of it: "C", "(C)", "Option C", "The answer is C.", "it is row C". RETURNS: the
// letter in the text, or an empty view. COST: linear.
std::string_view FindChoiceLetter(std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_CHOICE_LETTER_H_
