// engine/languages/python_tokens.h: the strings of Python (The Python Language Reference, 2.4.1 and 2.4.2).
// Stateless.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_PYTHON_TOKENS_H_
#define LEAFSCORE_ENGINE_LANGUAGES_PYTHON_TOKENS_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace leafscore::internal {

struct PythonStringPrefix {
  bool raw = false;
  bool bytes = false;
};

// Returns whether `name` is a prefix of strings without expressions: r, u, b, br or rb, in any case.
bool ParsePythonStringPrefix(std::string_view name, PythonStringPrefix* prefix);

// Reads the string at the start of `text`, from its quotes on, and appends its value: bytes as they are, a
// text in UTF-8, with three bytes for a lone surrogate (ED A0..BF xx).
// REQUIRES: valid UTF-8 that begins with a quote.
// RETURNS: the size of the string in bytes; 0 if Python rejects it (`value` is then undefined).
std::size_t ReadPythonString(std::string_view text, PythonStringPrefix prefix, std::string& value);

// Returns the size of the line break at `pos`, which Python reads as '\n': "\n", "\r\n" or "\r"; 0 if there
// is none.
inline std::size_t PythonLineBreak(std::string_view text, std::size_t pos) {
  if (pos == text.size() || (text[pos] != '\n' && text[pos] != '\r')) return 0;
  return text.substr(pos, 2) == "\r\n" ? 2 : 1;
}

// The numbers of Python (The Python Language Reference, 2.4.4 to 2.4.6). Stateless.

// Python rejects integers of more decimal digits; so do we, in every base.
inline constexpr std::size_t kMaxPythonIntegerDigits = 4300;

enum class PythonNumber { kInteger, kReal, kImaginary };

// Reads the number at the start of `text` and appends it as a JSON number token: an integer in decimal; a
// real, or the real before a `j`, with a point or an exponent, or as Infinity.
// RETURNS: its size in bytes; 0 if Python rejects it (`token` is then undefined).
// COST: linear; up to 40 steps per digit for a long integer that is not decimal.
std::size_t ReadPythonNumber(std::string_view text, PythonNumber* kind, std::string& token);

// Returns whether a byte continues a name; such a byte must not follow a number or a keyword.
inline bool ContinuesPythonName(char c) {
  const auto byte = static_cast<unsigned char>(c);
  const int letter = byte | 0x20;
  return (letter >= 'a' && letter <= 'z') || (byte >= '0' && byte <= '9') || byte == '_' || byte >= 0x80;
}

// Moves from token to token over the lines of a Python expression (The Python Language Reference, 2.1).
// THREADS: one at a time.
class PythonCursor {
 public:
  static constexpr char kEnd = '\0';
  static constexpr char kBad = '\x7f';

  // REQUIRES: `text` outlives the cursor, and contains no NUL.
  explicit PythonCursor(std::string_view text) : text_(text) {}

  // Skips space, comments, joined lines and empty lines.
  // RETURNS: the first byte of a token, where rest() begins; '\n' for the end of a line with tokens, outside
  // brackets; kEnd; kBad for an indented token, and for a backslash that does not join lines.
  char Next(bool in_brackets);

  std::string_view rest() const { return text_.substr(pos_); }
  void Skip(std::size_t bytes) { pos_ += bytes; }

 private:
  bool SkipJoint();
  bool SkipIndentation(bool in_brackets);
  bool at_end() const { return pos_ == text_.size(); }

  std::string_view text_;
  std::size_t pos_ = 0;
  bool line_start_ = true;
  bool line_empty_ = true;  // no token on this line yet
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_PYTHON_TOKENS_H_
