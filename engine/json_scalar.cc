#include "engine/json_scalar.h"

#include <locale.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace leafscore {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Tells whether a grammatical number without fraction and exponent fits into 64 bits, signed or unsigned.
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

bool IsHighSurrogate(int unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool IsLowSurrogate(int unit) { return unit >= 0xdc00 && unit < 0xe000; }

// Returns the low surrogate escaped at the start of `rest`, or -1 when something else stands there.
int ParseLowSurrogate(std::string_view rest) {
  if (rest.size() < 6 || rest[0] != '\\' || rest[1] != 'u') return -1;
  const int unit = ParseHex4(rest.substr(2));
  return IsLowSurrogate(unit) ? unit : -1;
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
  return std::isinf(NearestDouble(token)) ? TokenClass::kNonstandard : TokenClass::kStandard;
}

double NearestDouble(std::string_view number) {
  double value = 0;
  if (std::from_chars(number.data(), number.data() + number.size(), value).ec == std::errc()) return value;
  // Too large or too small; strtod tells which, in a locale of ours, as the program's may have another point.
  static const locale_t c_locale = newlocale(LC_ALL_MASK, "C", locale_t{});
  return strtod_l(std::string(number).c_str(), nullptr, c_locale);
}

double ParseNumber(std::string_view token) {
  const double value = NearestDouble(token);
  if (!std::isinf(value) || token.ends_with("Infinity")) return value;
  return std::copysign(std::numeric_limits<double>::max(), value);
}

void AppendUtf8(std::uint32_t code_point, std::string& text) {
  const auto append = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    append(code_point);
  } else if (code_point < 0x800) {
    append(0xc0 | code_point >> 6);
    append(0x80 | (code_point & 0x3f));
  } else if (code_point < 0x10000) {
    append(0xe0 | code_point >> 12);
    append(0x80 | (code_point >> 6 & 0x3f));
    append(0x80 | (code_point & 0x3f));
  } else {
    append(0xf0 | code_point >> 18);
    append(0x80 | (code_point >> 12 & 0x3f));
    append(0x80 | (code_point >> 6 & 0x3f));
    append(0x80 | (code_point & 0x3f));
  }
}

TokenClass ClassifyEscapes(std::string_view inside, std::size_t* fault) {
  TokenClass result = TokenClass::kStandard;
  std::size_t at = inside.find('\\');
  while (at != std::string_view::npos) {
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
    } else if (std::string_view("\"\\/bfnrt").find(kind) == std::string_view::npos) {
      *fault = at;
      return TokenClass::kInvalid;
    }
    at = inside.find('\\', at + length);
  }
  return result;
}

void AppendUnescaped(std::string_view inside, std::string& text) {
  constexpr std::uint32_t kReplacement = 0xfffd;
  while (!inside.empty()) {
    const std::size_t plain = std::min(inside.find('\\'), inside.size());
    text.append(inside.substr(0, plain));
    inside.remove_prefix(plain);
    if (inside.empty()) break;
    const char kind = inside[1];
    std::size_t length = 2;
    switch (kind) {
      case 'b':
        text.push_back('\b');
        break;
      case 'f':
        text.push_back('\f');
        break;
      case 'n':
        text.push_back('\n');
        break;
      case 'r':
        text.push_back('\r');
        break;
      case 't':
        text.push_back('\t');
        break;
      case 'u': {
        const int unit = ParseHex4(inside.substr(2));
        const int low = IsHighSurrogate(unit) ? ParseLowSurrogate(inside.substr(6)) : -1;
        length = low >= 0 ? 12 : 6;
        auto code_point = static_cast<std::uint32_t>(unit);
        if (low >= 0) {
          code_point = 0x10000u + (static_cast<std::uint32_t>(unit - 0xd800) << 10) +
                       static_cast<std::uint32_t>(low - 0xdc00);
        } else if (IsHighSurrogate(unit) || IsLowSurrogate(unit)) {
          code_point = kReplacement;
        }
        AppendUtf8(code_point, text);
        break;
      }
      default:
        text.push_back(kind);
        break;  // " \ /
    }
    inside.remove_prefix(length);
  }
}

}  // namespace leafscore
