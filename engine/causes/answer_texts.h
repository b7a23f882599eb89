// engine/causes/answer_texts.h: how answers are written: numbers and days in other forms, JSON that ends in
// the middle, answers in fences and in prose. Stateless. REQUIRES: valid UTF-8. COST: linear.
#ifndef LEAFSCORE_ENGINE_CAUSES_ANSWER_TEXTS_H_
#define LEAFSCORE_ENGINE_CAUSES_ANSWER_TEXTS_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns whether an answer is the expected number, written for example with separators, a currency or a
// decimal comma. At least one of the two must be written without them.
bool AreOneNumber(std::string_view expected, std::string_view actual);

// Returns whether two texts are dates of the same day in different forms. Accepts any order of day and month,
// with or without a time.
bool AreOneDay(std::string_view expected, std::string_view actual);

// Returns whether two texts differ at most in case and blanks.
bool AreOneFolded(std::string_view expected, std::string_view actual);

// Returns whether a text has characters that give punctuation beside them a meaning, as in -5, 1.5 and C#.
bool HasSigns(std::string_view text);

// Returns true if a quick check shows that two texts with these beginnings differ in an ASCII letter or
// digit, whatever their case and punctuation.
bool DifferInLetters(std::string_view expected, std::string_view actual);

// Returns where the JSON in a text begins: at a bracket at the start of the text, or at a later bracket whose
// next character looks like JSON; npos if the text has no JSON.
std::size_t BeginOfJson(std::string_view text);

enum class JsonEnd {
  kClosed,  // it ends in the text
  kOpen,    // the text ends within it
  kBroken,  // a bracket or a quote is missing within it
};

// Returns how the object or array at the start of a text ends.
JsonEnd FindJsonEnd(std::string_view json);

// Return whether a text has a code fence, and whether it is the expected text in a fence of any language.
bool HasFence(std::string_view text);
bool IsFenced(std::string_view text, std::string_view expected);

// Returns whether a longer text gives the expected text as its answer: after a label or the last colon, as
// the last line, or elsewhere as whole words. Elsewhere, the expected text must have 4 to 256 bytes, and the
// longer text at least two more blanks and no negation.
bool StandsIn(std::string text, std::string expected);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CAUSES_ANSWER_TEXTS_H_
