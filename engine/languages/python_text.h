// engine/languages/python_text.h: reads texts like Python's str.strip() and float(), so that scores agree
// with evaluators written in Python. Stateless.
// REQUIRES: valid UTF-8.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_PYTHON_TEXT_H_
#define LEAFSCORE_ENGINE_LANGUAGES_PYTHON_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns the text without surrounding white space, like str.strip().
std::string_view StripSpace(std::string_view text);

// Returns the offset after the white space that begins at `at`.
std::size_t SkipSpace(std::string_view text, std::size_t at);

// Returns the text with one space between words and no other white space, like " ".join(text.split()). If
// this differs from the text, it is written to `buffer`.
// REQUIRES: `text` is not in `buffer`.
std::string_view FoldSpaceRuns(std::string_view text, std::string& buffer);

// Returns whether a text starts with `lower` in upper or lower case.
// REQUIRES: `lower` is ASCII in lower case.
inline bool StartsIgnoringCase(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const char c = text[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c) != lower[i]) return false;
  }
  return true;
}

// Reads the decimal digit, of any script, that begins at `at`, and sets *digit to its value.
// RETURNS: the size of the digit in bytes; 0 if there is no digit.
std::size_t ReadDigit(std::string_view text, std::size_t at, int* digit);

// Reads a whole text like float(): sign, decimal digits of any script, underscores between digits, exponent,
// "inf", "infinity" and "nan" in any case, with surrounding white space.
// RETURNS: false if float() would raise ValueError.
bool ReadPythonFloat(std::string_view text, double* value);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_PYTHON_TEXT_H_
