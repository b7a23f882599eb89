// engine/text/python_scalar.h: the numbers and strings of Python, token by token (The Python Language
// Reference, sections 2.4.1 to 2.4.6). Nothing here keeps state.
#ifndef LEAFSCORE_ENGINE_TEXT_PYTHON_SCALAR_H_
#define LEAFSCORE_ENGINE_TEXT_PYTHON_SCALAR_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace leafscore {

// Python refuses integers of more decimal digits, and so do we; also of those written in another base.
inline constexpr std::size_t kMaxPythonIntegerDigits = 4300;

enum class PythonNumber { kInteger, kReal, kImaginary };

// Reads the number that `text` begins with and appends it as a JSON number token: an integer in decimal; a
// real, or the real before a `j`, with a point or an exponent, or as Infinity.
// RETURNS: how many bytes the number takes; 0 when there is none that Python takes (`token` is then
// undefined). COST:    linear; up to 40 steps a digit for a long integer that is not decimal.
std::size_t ReadPythonNumber(std::string_view text, PythonNumber* kind, std::string& token);

struct PythonStringPrefix {
  bool raw = false;
  bool bytes = false;
};

// Tells whether `name` may stand before a string that has no expressions in it: r, u, b, br or rb, in any
// case.
bool ParsePythonStringPrefix(std::string_view name, PythonStringPrefix* prefix);

// Reads the string that `text` begins with, from its quotes on, and appends what it stands for: bytes as they
// are, a text in UTF-8, with lone surrogates in the same manner (three bytes, ED A0..BF xx).
// REQUIRES: valid UTF-8 that begins with a quote.
// RETURNS:  as ReadPythonNumber does.
std::size_t ReadPythonString(std::string_view text, PythonStringPrefix prefix, std::string& value);

// Returns the size of the line break at `pos`, which Python takes for '\n': "\n", "\r\n" or "\r"; 0 for none.
inline std::size_t PythonLineBreak(std::string_view text, std::size_t pos) {
  if (pos == text.size() || (text[pos] != '\n' && text[pos] != '\r')) return 0;
  return text.substr(pos, 2) == "\r\n" ? 2 : 1;
}

// Tells whether a byte continues a name: what follows a number or a keyword must not.
inline bool ContinuesPythonName(char c) {
  const auto byte = static_cast<unsigned char>(c);
  const int letter = byte | 0x20;
  return (letter >= 'a' && letter <= 'z') || (byte >= '0' && byte <= '9') || byte == '_' || byte >= 0x80;
}

}  // namespace leafscore

#endif  // LEAFSCORE_ENGINE_TEXT_PYTHON_SCALAR_H_
