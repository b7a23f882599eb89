// engine/causes/answer_texts.h: how answers are written: numbers and days in other forms, JSON that ends in
// the middle, answers in fences and in prose. Stateless. REQUIRES: valid UTF-8. COST: linear.
#ifndef LEAFSCORE_ENGINE_CAUSES_ANSWER_TEXTS_H_
#define LEAFSCORE_ENGINE_CAUSES_ANSWER_TEXTS_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace leafscore::internal {

// Tells whether an answer is the expected number with separators, a currency or a decimal comma.
bool AreOneNumber(std::string_view expected, std::string_view actual);

// Tells whether two texts are one day, whichever of day and month comes first, with or without a time.
bool AreOneDay(std::string_view expected, std::string_view actual);

// Tells whether two texts differ at most in case and blanks.
bool AreOneFolded(std::string_view expected, std::string_view actual);

// Tells whether a text has characters beside which punctuation has a meaning, as in -5, 1.5 and C#.
bool HasSigns(std::string_view text);

// Tells with a quick check that two texts which begin so differ in an ASCII letter or digit, whatever their
// case and punctuation.
bool DifferInLetters(std::string_view expected, std::string_view actual);

// Returns where the JSON in a text begins: its first character, or an object or array after other words that
// goes on as JSON does; npos without one.
std::size_t BeginOfJson(std::string_view text);

enum class JsonEnd {
  kClosed,  // it ends in the text
  kOpen,    // the text ends within it
  kBroken,  // a bracket or a quote is missing within it
};

// Returns how the object or array ends that a text begins with.
JsonEnd FindJsonEnd(std::string_view json);

// Tells whether a text has a code fence, and whether it is the expected text in one of any language.
bool HasFence(std::string_view text);
bool IsFenced(std::string_view text, std::string_view expected);

// Tells whether a longer text gives the expected one as its answer: after a label, as its last line or, if it
// is not a common word, anywhere as whole words.
bool StandsIn(std::string text, std::string expected);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CAUSES_ANSWER_TEXTS_H_
