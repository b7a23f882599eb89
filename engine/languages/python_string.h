// engine/languages/python_string.h: the strings of Python (The Python Language Reference, 2.4.1 and 2.4.2).
// Stateless.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_PYTHON_STRING_H_
#define LEAFSCORE_ENGINE_LANGUAGES_PYTHON_STRING_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace leafscore::internal {

struct PythonStringPrefix {
  bool raw = false;
  bool bytes = false;
};

// Tells whether `name` is a prefix of strings without expressions: r, u, b, br or rb, in any case.
bool ParsePythonStringPrefix(std::string_view name, PythonStringPrefix* prefix);

// Reads the string that `text` begins with, from its quotes on, and appends what it stands for: bytes as they
// are, a text in UTF-8, where lone surrogates take three bytes (ED A0..BF xx).
// REQUIRES: valid UTF-8 that begins with a quote.
// RETURNS:  how many bytes the string takes; 0 when Python rejects it (`value` is then undefined).
std::size_t ReadPythonString(std::string_view text, PythonStringPrefix prefix, std::string& value);

// Returns the size of the line break at `pos`, which Python takes for '\n': "\n", "\r\n" or "\r"; 0 for none.
inline std::size_t PythonLineBreak(std::string_view text, std::size_t pos) {
  if (pos == text.size() || (text[pos] != '\n' && text[pos] != '\r')) return 0;
  return text.substr(pos, 2) == "\r\n" ? 2 : 1;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_PYTHON_STRING_H_
