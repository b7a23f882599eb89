// engine/languages/python_text.h: how Python's str.strip() and float() read a text, so that scores agree with
// evaluators written in Python. Stateless. REQUIRES: valid UTF-8.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_PYTHON_TEXT_H_
#define LEAFSCORE_ENGINE_LANGUAGES_PYTHON_TEXT_H_

#include <cstddef>
#include <string_view>

namespace leafscore::internal {

// Returns the text without white space around it, as str.strip() does.
std::string_view StripSpace(std::string_view text);

// Returns the offset behind the white space that begins at `at`.
std::size_t SkipSpace(std::string_view text, std::size_t at);

// Tells whether a text starts with `lower`, in any case. REQUIRES: `lower` is ASCII in lower case.
inline bool StartsIgnoringCase(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const char c = text[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c) != lower[i]) return false;
  }
  return true;
}

// Reads the decimal digit of any script that begins at `at`.
// RETURNS: its size in bytes, 0 when there is none; its value is in *digit.
std::size_t ReadDigit(std::string_view text, std::size_t at, int* digit);

// Reads a whole text as float() does: sign, decimal digits of any script, underscores between digits,
// exponent, "inf", "infinity" and "nan" in any case, white space around it.
// RETURNS: false when float() would raise ValueError.
bool ReadPythonFloat(std::string_view text, double* value);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_PYTHON_TEXT_H_
