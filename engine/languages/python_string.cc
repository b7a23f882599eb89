#include "engine/languages/python_string.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

struct Digits {
  std::uint32_t value = 0;
  std::size_t count = 0;
};

// Reads up to `most` digits.
Digits ReadDigits(std::string_view text, std::size_t most, int base) {
  Digits digits;
  const char* const begin = text.data();
  const char* const end = begin + std::min(most, text.size());
  digits.count = static_cast<std::size_t>(std::from_chars(begin, end, digits.value, base).ptr - begin);
  return digits;
}

// Returns the byte of the escapes that are one letter, or 0.
char LetterEscape(char letter) {
  switch (letter) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    case '\\':
    case '\'':
    case '"':
      return letter;
    default:
      return 0;
  }
}

// Reads the escape that `text` begins with, at its backslash. Returns its size, 0 if it is refused.
std::size_t ReadEscape(std::string_view text, bool bytes, std::string& value) {
  if (text.size() < 2) return 0;
  if (const std::size_t line_break = PythonLineBreak(text, 1)) return 1 + line_break;
  const char kind = text[1];
  if (const char byte = LetterEscape(kind)) {
    value += byte;
    return 2;
  }
  const auto append = [&](std::uint32_t code_point) {
    if (bytes) {
      value += static_cast<char>(code_point);  // of \400 and above Python keeps the low byte, too
    } else {
      AppendUtf8(code_point, value);
    }
  };
  if (kind >= '0' && kind <= '7') {
    const Digits digits = ReadDigits(text.substr(1), 3, 8);
    append(digits.value);
    return 1 + digits.count;
  }
  if (kind == 'x' || (!bytes && (kind == 'u' || kind == 'U'))) {
    const std::size_t count = kind == 'x' ? 2 : kind == 'u' ? 4 : 8;
    const Digits digits = ReadDigits(text.substr(2), count, 16);
    if (digits.count != count || digits.value > 0x10ffff) return 0;
    append(digits.value);
    return 2 + count;
  }
  if (kind == 'N' && !bytes) return 0;  // names of characters, which nobody's answers have
  value += '\\';                        // Python keeps an escape that it does not know
  return 1;
}

}  // namespace

bool ParsePythonStringPrefix(std::string_view name, PythonStringPrefix* prefix) {
  std::string lower(name.substr(0, 3));
  for (char& c : lower) c = static_cast<char>(c | 0x20);
  prefix->raw = lower.find('r') != lower.npos;
  prefix->bytes = lower.find('b') != lower.npos;
  return lower == "r" || lower == "u" || lower == "b" || lower == "br" || lower == "rb";
}

std::size_t ReadPythonString(std::string_view text, PythonStringPrefix prefix, std::string& value) {
  const char quote = text[0];
  const bool triple = text.size() >= 3 && text[1] == quote && text[2] == quote;
  std::size_t pos = triple ? 3 : 1;
  for (std::size_t plain = pos;;) {  // text[plain, pos) is not yet in the value
    if (pos == text.size()) return 0;
    const char c = text[pos];
    if (prefix.bytes && static_cast<unsigned char>(c) >= 0x80) return 0;
    const bool closes = c == quote && (!triple || text.substr(pos, 3) == text.substr(0, 3));
    if (!closes && c != '\\' && c != '\n' && c != '\r') {
      ++pos;
      continue;
    }
    value.append(text, plain, pos - plain);
    if (closes) return pos + (triple ? 3 : 1);
    if (c != '\\') {
      if (!triple) return 0;
      value += '\n';
      pos += PythonLineBreak(text, pos);
      plain = pos;
    } else if (prefix.raw) {
      // A backslash protects the next character, also from closing the string, and both stay.
      plain = pos++;
      if (pos == text.size()) return 0;
      const std::size_t line_break = PythonLineBreak(text, pos);
      if (line_break != 0) value += "\\\n";
      pos += std::max<std::size_t>(line_break, 1);
      if (line_break != 0) plain = pos;
    } else {
      const std::size_t size = ReadEscape(text.substr(pos), prefix.bytes, value);
      if (size == 0) return 0;
      pos += size;
      plain = pos;
    }
  }
}

}  // namespace leafscore::internal
