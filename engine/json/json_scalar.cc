#include "engine/json/json_scalar.h"

#include <locale.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

// Returns whether a grammatical number without fraction and exponent fits into 64 bits, signed or unsigned.
bool FitsInteger(std::string_view token) {
  constexpr std::size_t kAlwaysFits = 18;  // digits
  if (token.size() <= kAlwaysFits) return true;
  const char* end = token.data() + token.size();
  if (token[0] == '-') {
    std::int64_t value;
    return std::from_chars(token.data(), end, value).ec == std::errc();
  }
  std::uint64_t value;
  return std::from_chars(token.data(), end, value).ec == std::errc();
}

// Returns the code unit of four hexadecimal digits, or -1.
int ParseHex4(std::string_view digits) {
  if (digits.size() < 4) return -1;
  unsigned unit = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + 4, unit, 16);
  return error == std::errc() && end == digits.data() + 4 ? static_cast<int>(unit) : -1;
}

// Returns the low surrogate that is escaped at the start of `rest`, or -1 if there is no escaped one.
int ParseLowSurrogate(std::string_view rest) {
  if (rest.size() < 6 || rest[0] != '\\' || rest[1] != 'u') return -1;
  const int unit = ParseHex4(rest.substr(2));
  return IsLowSurrogate(unit) ? unit : -1;
}

// Returns the character that a letter after a backslash stands for, or 0. (u is followed by digits.)
char CharacterOf(char letter) {
  static constexpr std::array<char, 256> kCharacters = [] {
    std::array<char, 256> characters{};
    characters['"'] = '"';
    characters['\\'] = '\\';
    characters['/'] = '/';
    characters['b'] = '\b';
    characters['f'] = '\f';
    characters['n'] = '\n';
    characters['r'] = '\r';
    characters['t'] = '\t';
    return characters;
  }();
  return kCharacters[static_cast<unsigned char>(letter)];
}

// Returns a word whose lowest set bit is in the first backslash among eight bytes; 0 if there is no
// backslash.
std::uint64_t Backslashes(std::uint64_t bytes) {
  constexpr std::uint64_t kEach = 0x0101010101010101u;
  const std::uint64_t difference = bytes ^ (kEach * '\\');
  return (difference - kEach) & ~difference & (kEach * 0x80);
}

// Returns the offset of the first backslash at or after `at`, or text.size(). In strings that hold JSON,
// backslashes are so close together that calls of memchr would take most of the time.
std::size_t FindBackslash(std::string_view text, std::size_t at) {
  for (; at + 8 <= text.size(); at += 8) {
    const std::uint64_t backslashes = Backslashes(LoadWord64(text.data() + at));
    if (backslashes != 0) return at + static_cast<std::size_t>(std::countr_zero(backslashes) / 8);
  }
  while (at != text.size() && text[at] != '\\') ++at;
  return at;
}

}  // namespace

TokenClass ClassifyNumber(std::string_view token) {
  const char* next = token.data();
  const char* const end = next + token.size();
  if (next != end && *next == '-') ++next;
  if (next == end) return TokenClass::kInvalid;
  if (!IsDigit(*next)) {
    const bool named = token == "NaN" || token == "Infinity" || token == "-Infinity";
    return named ? TokenClass::kNonstandard : TokenClass::kInvalid;
  }
  if (*next++ != '0') {
    while (next != end && IsDigit(*next)) ++next;
  }
  if (next == end) return FitsInteger(token) ? TokenClass::kStandard : TokenClass::kNonstandard;
  bool may_overflow = next - token.data() > std::numeric_limits<double>::max_exponent10;
  if (*next == '.') {
    const char* const fraction = ++next;
    while (next != end && IsDigit(*next)) ++next;
    if (next == fraction) return TokenClass::kInvalid;
  }
  if (next != end && (*next == 'e' || *next == 'E')) {
    may_overflow = true;
    ++next;
    if (next != end && (*next == '+' || *next == '-')) ++next;
    const char* const exponent = next;
    while (next != end && IsDigit(*next)) ++next;
    if (next == exponent) return TokenClass::kInvalid;
  }
  if (next != end) return TokenClass::kInvalid;
  if (!may_overflow) return TokenClass::kStandard;
  return std::isinf(ParseNumber(token)) ? TokenClass::kNonstandard : TokenClass::kStandard;
}

double ParseNumber(std::string_view number) {
  double value = 0;
  if (std::from_chars(number.data(), number.data() + number.size(), value).ec == std::errc()) return value;
  // The number is too large or too small; strtod finds out which. Use a locale of our own, because the
  // program's may have another decimal point.
  static const locale_t c_locale = newlocale(LC_ALL_MASK, "C", locale_t{});
  return strtod_l(std::string(number).c_str(), nullptr, c_locale);
}

bool EqualNumbers(std::string_view first, std::string_view second) {
  if (first == second) return true;
  const double value = ParseNumber(first);
  if (value != ParseNumber(second) || std::isinf(value)) return false;
  constexpr double kFirstOfTwoIntegers = 0x1p53;  // from here on, several integers share a double
  return std::abs(value) < kFirstOfTwoIntegers || !IsIntegerToken(first) || !IsIntegerToken(second);
}

TokenClass ClassifyEscapes(std::string_view inside, std::size_t* fault) {
  TokenClass result = TokenClass::kStandard;
  std::size_t at = FindBackslash(inside, 0);
  while (at != inside.size()) {
    const char kind = at + 1 < inside.size() ? inside[at + 1] : '\0';
    std::size_t length = 2;
    if (kind == 'u') {
      const int unit = ParseHex4(inside.substr(at + 2));
      length = 6;
      const bool paired =
          IsHighSurrogate(unit) && ParseLowSurrogate(inside.substr(std::min(at + 6, inside.size()))) >= 0;
      if (unit < 0) {
        *fault = at;
        return TokenClass::kInvalid;
      }
      if (paired) {
        length = 12;
      } else if ((IsHighSurrogate(unit) || IsLowSurrogate(unit)) && result == TokenClass::kStandard) {
        *fault = at;
        result = TokenClass::kNonstandard;
      }
    } else if (CharacterOf(kind) == '\0') {
      *fault = at;
      return TokenClass::kInvalid;
    }
    at = FindBackslash(inside, at + length);
  }
  return result;
}

void AppendUnescaped(std::string_view inside, std::string& text) {
  constexpr std::uint32_t kReplacementCharacter = 0xfffd;
  const std::size_t begin = text.size();
  text.resize(begin + inside.size());  // an escape is longer than its character
  char* out = text.data() + begin;
  const char* next = inside.data();
  const char* const end = next + inside.size();
  while (next != end) {
    if (*next != '\\') {
      if (end - next < 8) {
        *out++ = *next++;
        continue;
      }
      // Copies eight bytes; only the bytes before the first backslash count.
      const std::uint64_t word = LoadWord64(next);
      std::memcpy(out, &word, 8);
      const std::uint64_t backslashes = Backslashes(word);
      const int plain = backslashes == 0 ? 8 : std::countr_zero(backslashes) / 8;
      next += plain;
      out += plain;
      continue;
    }
    if (next[1] != 'u') {
      *out++ = CharacterOf(next[1]);
      next += 2;
      continue;
    }
    const std::string_view escape(next, static_cast<std::size_t>(end - next));
    const int unit = ParseHex4(escape.substr(2));
    const int low = IsHighSurrogate(unit) ? ParseLowSurrogate(escape.substr(6)) : -1;
    auto code_point = static_cast<std::uint32_t>(unit);
    if (low >= 0) {
      code_point = 0x10000u + (static_cast<std::uint32_t>(unit - 0xd800) << 10) +
                   static_cast<std::uint32_t>(low - 0xdc00);
    } else if (IsHighSurrogate(unit) || IsLowSurrogate(unit)) {
      code_point = kReplacementCharacter;
    }
    out = WriteUtf8(code_point, out);
    next += low >= 0 ? 12 : 6;
  }
  text.resize(static_cast<std::size_t>(out - text.data()));
}

}  // namespace leafscore::internal
