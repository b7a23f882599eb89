// engine/languages/python_number.h: the numbers of Python (The Python Language Reference, 2.4.4 to 2.4.6).
// Stateless.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_PYTHON_NUMBER_H_
#define LEAFSCORE_ENGINE_LANGUAGES_PYTHON_NUMBER_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace leafscore::internal {

// Python refuses integers of more decimal digits; so do we, in every base.
inline constexpr std::size_t kMaxPythonIntegerDigits = 4300;

enum class PythonNumber { kInteger, kReal, kImaginary };

// Reads the number that `text` begins with and appends it as a JSON number token: an integer in decimal; a
// real, or the real before a `j`, with a point or an exponent, or as Infinity.
// RETURNS: how many bytes it takes; 0 when Python takes none (`token` is then undefined).
// COST:    linear; up to 40 steps a digit for a long integer that is not decimal.
std::size_t ReadPythonNumber(std::string_view text, PythonNumber* kind, std::string& token);

// Tells whether a byte continues a name: what follows a number or a keyword must not.
inline bool ContinuesPythonName(char c) {
  const auto byte = static_cast<unsigned char>(c);
  const int letter = byte | 0x20;
  return (letter >= 'a' && letter <= 'z') || (byte >= '0' && byte <= '9') || byte == '_' || byte >= 0x80;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_PYTHON_NUMBER_H_
