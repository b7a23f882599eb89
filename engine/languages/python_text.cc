#include "engine/languages/python_text.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <limits>
#include <string>

#include "engine/base/utf8.h"
#include "engine/json/json_scalar.h"

namespace leafscore::internal {
namespace {

// Returns str.isspace() of a code point.
bool IsSpace(UChar32 c) {
  return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f ||
         c == 0x3000;
}

bool IsAscii(char c) { return static_cast<signed char>(c) >= 0; }

// Returns the code point that begins at *at, and moves *at after it.
UChar32 NextCodePoint(std::string_view text, std::size_t* at) {
  if (IsAscii(text[*at])) return text[(*at)++];
  UChar32 c = 0;
  U8_NEXT_UNSAFE(text.data(), *at, c);
  return c;
}

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && StartsIgnoringCase(text, lower);
}

// Appends a row of digits as ASCII, without the single underscores between them. RETURNS: false if there is
// no digit.
bool TakeDigits(std::string_view text, std::size_t* at, std::string& ascii) {
  int digit = 0;
  const std::size_t first = ReadDigit(text, *at, &digit);
  if (first == 0) return false;
  for (std::size_t size = first; size != 0;) {
    ascii += static_cast<char>('0' + digit);
    *at += size;
    size = ReadDigit(text, *at, &digit);
    if (size == 0 && *at < text.size() && text[*at] == '_') {
      size = ReadDigit(text, *at + 1, &digit);
      if (size != 0) ++*at;
    }
  }
  return true;
}

}  // namespace

std::size_t SkipSpace(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    std::size_t next = at;
    if (!IsSpace(NextCodePoint(text, &next))) break;
    at = next;
  }
  return at;
}

std::string_view StripSpace(std::string_view text) {
  text.remove_prefix(SkipSpace(text, 0));
  std::size_t end = text.size();
  while (end != 0) {
    std::size_t last = end;
    UChar32 c = static_cast<unsigned char>(text[last - 1]);
    if (IsAscii(text[last - 1])) {
      --last;
    } else {
      U8_PREV_UNSAFE(text.data(), last, c);
    }
    if (!IsSpace(c)) break;
    end = last;
  }
  return text.substr(0, end);
}

std::string_view FoldSpaceRuns(std::string_view text, std::string& buffer) {
  // Most texts have only single spaces between words.
  bool after_space = true;
  std::size_t plain = 0;
  for (; plain < text.size(); ++plain) {
    const char c = text[plain];
    const bool is_space = c == ' ';
    if (!IsAscii(c) || static_cast<unsigned char>(c) < ' ' || (is_space && after_space)) break;
    after_space = is_space;
  }
  if (plain == text.size() && (!after_space || text.empty())) return text;
  buffer.clear();
  for (std::size_t at = SkipSpace(text, 0); at < text.size();) {
    const std::size_t end = CodePointEnd(text, at);
    buffer += text.substr(at, end - at);
    at = SkipSpace(text, end);
    if (at != end && at < text.size()) buffer += ' ';
  }
  return buffer;
}

std::size_t ReadDigit(std::string_view text, std::size_t at, int* digit) {
  if (at >= text.size()) return 0;
  if (IsAscii(text[at])) {
    *digit = text[at] - '0';
    return *digit >= 0 && *digit <= 9 ? 1 : 0;
  }
  if (static_cast<unsigned char>(text[at]) < 0xc0) return 0;  // inside a character
  std::size_t next = at;
  *digit = u_charDigitValue(NextCodePoint(text, &next));
  return *digit >= 0 ? next - at : 0;
}

bool ReadPythonFloat(std::string_view text, double* value) {
  text = StripSpace(text);
  std::string ascii;
  std::size_t at = 0;
  const auto take = [&](char a, char b) {
    if (at == text.size() || (text[at] != a && text[at] != b)) return false;
    ascii += text[at++];
    return true;
  };
  const bool negative = take('-', '-');
  if (!negative && take('+', '+')) ascii.clear();
  const std::string_view magnitude = text.substr(at);
  if (EqualsIgnoringCase(magnitude, "inf") || EqualsIgnoringCase(magnitude, "infinity") ||
      EqualsIgnoringCase(magnitude, "nan")) {
    *value = (magnitude[0] | 0x20) == 'n' ? std::numeric_limits<double>::quiet_NaN()
                                          : std::numeric_limits<double>::infinity();
    if (negative) *value = -*value;
    return true;
  }
  const bool whole = TakeDigits(text, &at, ascii);
  const bool fraction = take('.', '.') && TakeDigits(text, &at, ascii);
  if (!whole && !fraction) return false;
  if (take('e', 'E')) {
    if (!take('-', '-') && take('+', '+')) ascii.pop_back();
    if (!TakeDigits(text, &at, ascii)) return false;
  }
  if (at != text.size()) return false;
  *value = ParseNumber(ascii);
  return true;
}

}  // namespace leafscore::internal
