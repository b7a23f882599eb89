#include "engine/languages/python_tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <vector>

#include "engine/base/utf8.h"
#include "engine/json/json_scalar.h"

namespace leafscore::internal {
namespace {

struct EscapeDigits {
  std::uint32_t value = 0;
  std::size_t count = 0;
};

// Reads up to `most` digits.
EscapeDigits ReadEscapeDigits(std::string_view text, std::size_t most, int base) {
  EscapeDigits digits;
  const char* const begin = text.data();
  const char* const end = begin + std::min(most, text.size());
  digits.count = static_cast<std::size_t>(std::from_chars(begin, end, digits.value, base).ptr - begin);
  return digits;
}

// Returns the byte of a single-letter escape, or 0.
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

// Reads the escape at the start of `text`, from its backslash on. RETURNS: its size; 0 if it is rejected.
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
      value += static_cast<char>(code_point);  // Python keeps the low byte of \400 and above
    } else {
      AppendUtf8(code_point, value);
    }
  };
  if (kind >= '0' && kind <= '7') {
    const EscapeDigits digits = ReadEscapeDigits(text.substr(1), 3, 8);
    append(digits.value);
    return 1 + digits.count;
  }
  if (kind == 'x' || (!bytes && (kind == 'u' || kind == 'U'))) {
    const std::size_t count = kind == 'x' ? 2 : kind == 'u' ? 4 : 8;
    const EscapeDigits digits = ReadEscapeDigits(text.substr(2), count, 16);
    if (digits.count != count || digits.value > 0x10ffff) return 0;
    append(digits.value);
    return 2 + count;
  }
  if (kind == 'N' && !bytes) return 0;  // names of characters, which do not occur in answers
  value += '\\';                        // Python keeps an unknown escape
  return 1;
}

// Returns the value of a digit of any base up to 16, or 16.
unsigned DigitValue(char c) {
  if (IsDigit(c)) return static_cast<unsigned>(c - '0');
  const auto letter = static_cast<char>(c | 0x20);
  return letter >= 'a' && letter <= 'f' ? static_cast<unsigned>(letter - 'a' + 10) : 16;
}

// Appends the digits of `base` at `pos`, which may have single underscores between them. RETURNS: their end.
std::size_t ReadDigits(std::string_view text, std::size_t pos, unsigned base, std::string& digits) {
  const auto digit_at = [&](std::size_t at) { return at < text.size() && DigitValue(text[at]) < base; };
  while (digit_at(pos)) {
    digits += text[pos++];
    if (pos < text.size() && text[pos] == '_' && digit_at(pos + 1)) ++pos;
  }
  return pos;
}

// Converts an integer from the base 2^bits_per_digit, and appends its decimal digits. RETURNS: false if it
// has too many decimal digits.
bool AppendDecimal(std::string_view digits, unsigned bits_per_digit, std::string& decimal) {
  constexpr std::uint64_t kLimb = 1'000'000'000;
  constexpr std::size_t kMaxBits = 14285;  // the number of bits of 10^kMaxPythonIntegerDigits
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.size() > kMaxBits) return false;  // bounds the work, even for digits of few bits
  std::vector<std::uint32_t> limbs;            // nine decimal digits each, the lowest first
  while (!digits.empty()) {
    // Take as many digits at once as the product has room for.
    const std::size_t count = std::min<std::size_t>(digits.size(), 28 / bits_per_digit);
    std::uint64_t carry = 0;
    for (const char c : digits.substr(0, count)) carry = carry << bits_per_digit | DigitValue(c);
    digits.remove_prefix(count);
    for (std::uint32_t& limb : limbs) {
      carry += std::uint64_t{limb} << (bits_per_digit * count);
      limb = static_cast<std::uint32_t>(carry % kLimb);
      carry /= kLimb;
    }
    if (carry != 0) limbs.push_back(static_cast<std::uint32_t>(carry));
    if (limbs.size() > kMaxPythonIntegerDigits / 9 + 1) return false;
  }
  if (limbs.empty()) limbs.push_back(0);
  const std::size_t begin = decimal.size();
  decimal += fmt::format("{}", limbs.back());
  for (std::size_t i = limbs.size() - 1; i-- > 0;) {
    decimal += fmt::format("{:09}", limbs[i]);
  }
  return decimal.size() - begin <= kMaxPythonIntegerDigits;
}

unsigned BitsPerDigit(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 0;
  switch (text[1] | 0x20) {
    case 'x':
      return 4;
    case 'o':
      return 3;
    case 'b':
      return 1;
    default:
      return 0;
  }
}

// Reads an integer after its prefix 0x, 0o or 0b.
std::size_t ReadBasedInteger(std::string_view text, unsigned bits_per_digit, std::string& token) {
  std::string digits;
  const std::size_t begin = text.size() > 2 && text[2] == '_' ? 3 : 2;
  const std::size_t end = ReadDigits(text, begin, 1u << bits_per_digit, digits);
  return !digits.empty() && AppendDecimal(digits, bits_per_digit, token) ? end : 0;
}

// Removes the leading zeros of the digits from `begin` on; one digit stays.
void RemoveLeadingZeros(std::string& digits, std::size_t begin) {
  const std::size_t first = std::min(digits.find_first_not_of('0', begin), digits.size());
  digits.erase(begin, first - begin);
  if (digits.size() == begin) digits += '0';
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
      // A backslash protects the next character, also from closing the string; both stay.
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

std::size_t ReadPythonNumber(std::string_view text, PythonNumber* kind, std::string& token) {
  *kind = PythonNumber::kInteger;
  const auto at = [&](std::size_t pos) { return pos < text.size() ? text[pos] : '\0'; };
  const std::size_t begin = token.size();
  std::size_t pos = 0;
  if (const unsigned bits = BitsPerDigit(text); bits != 0) {
    pos = ReadBasedInteger(text, bits, token);
  } else {
    pos = ReadDigits(text, 0, 10, token);
    const std::size_t digits = token.size() - begin;
    RemoveLeadingZeros(token, begin);
    const bool leading_zeros = token.size() - begin < digits && token.compare(begin, token.npos, "0") != 0;
    if (at(pos) == '.') {
      *kind = PythonNumber::kReal;
      token += '.';
      const std::size_t fraction = pos + 1;
      pos = ReadDigits(text, fraction, 10, token);
      if (pos == fraction && digits == 0) return 0;
      if (pos == fraction) token += '0';
    }
    if ((at(pos) | 0x20) == 'e') {
      const std::size_t sign = at(pos + 1) == '+' || at(pos + 1) == '-' ? 1 : 0;
      *kind = PythonNumber::kReal;
      token += 'e';
      token.append(text, pos + 1, sign);
      const std::size_t exponent = pos + 1 + sign;
      pos = ReadDigits(text, exponent, 10, token);
      if (pos == exponent) return 0;
    }
    const bool whole = *kind == PythonNumber::kInteger;
    if ((at(pos) | 0x20) == 'j') {
      *kind = PythonNumber::kImaginary;
      if (whole) token += ".0";
      ++pos;
    } else if (whole && (leading_zeros || token.size() - begin > kMaxPythonIntegerDigits)) {
      return 0;
    }
    if (*kind != PythonNumber::kInteger) {
      const std::string_view real = std::string_view(token).substr(begin);
      if (ClassifyNumber(real) == TokenClass::kNonstandard) token.replace(begin, token.npos, "Infinity");
    }
  }
  return pos < text.size() && ContinuesPythonName(text[pos]) ? 0 : pos;
}

// Skips a backslash and the line break that must follow it; the text must continue after that.
bool PythonCursor::SkipJoint() {
  const std::size_t line_break = PythonLineBreak(text_, pos_ + 1);
  pos_ += 1 + line_break;
  return line_break != 0 && !at_end();
}

// Skips the space at the start of a line like Python's tokenizer. A form feed sets the indentation back to 0.
// If a line is joined to the next one here, the indentation is the position of the first backslash that has
// space before it. RETURNS: false for an indented token outside brackets.
bool PythonCursor::SkipIndentation(bool in_brackets) {
  std::size_t column = 0;
  std::size_t joint_column = 0;
  while (!at_end()) {
    const char c = text_[pos_];
    if (c == '\\') {
      if (joint_column == 0) joint_column = column;
      if (!SkipJoint()) return false;
      continue;
    }
    if (c == '\f') {
      column = 0;
    } else if (c == ' ' || c == '\t') {
      ++column;
    } else {
      break;
    }
    ++pos_;
  }
  const bool empty = at_end() || text_[pos_] == '#' || PythonLineBreak(text_, pos_) != 0;
  return empty || in_brackets || (joint_column == 0 && column == 0);
}

char PythonCursor::Next(bool in_brackets) {
  for (;;) {
    if (line_start_ && !SkipIndentation(in_brackets)) return kBad;
    line_start_ = false;
    if (at_end()) return kEnd;
    const char c = text_[pos_];
    if (const std::size_t line_break = PythonLineBreak(text_, pos_); line_break != 0) {
      pos_ += line_break;
      line_start_ = true;
      if (in_brackets || line_empty_) continue;
      line_empty_ = true;
      return '\n';
    }
    if (c == '#') {
      while (!at_end() && PythonLineBreak(text_, pos_) == 0) ++pos_;
    } else if (c == '\\') {
      if (!SkipJoint()) return kBad;
    } else if (c == ' ' || c == '\t' || c == '\f') {
      ++pos_;
    } else {
      line_empty_ = false;
      return c;
    }
  }
}

}  // namespace leafscore::internal
