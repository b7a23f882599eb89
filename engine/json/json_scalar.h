// engine/json/json_scalar.h: the grammar and meaning of JSON strings and numbers, token by token (RFC 8259).
#ifndef LEAFSCORE_ENGINE_JSON_JSON_SCALAR_H_
#define LEAFSCORE_ENGINE_JSON_JSON_SCALAR_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/bytes.h"

namespace leafscore::internal {

// The class of a scalar token. Nonstandard tokens are those that only Python's `json` reads: integers beyond
// 64 bits, reals beyond double range, NaN, Infinity and -Infinity, and strings with lone surrogate escapes.
enum class TokenClass { kInvalid, kStandard, kNonstandard };

// Classifies a number token.
TokenClass ClassifyNumber(std::string_view token);

// Returns true for common number tokens that are standard: at most eight characters, which are digits and at
// most one point, such as 7, 120.5 or 33.25.
// REQUIRES: eight readable bytes.
inline bool IsPlainNumber(std::string_view token) {
  constexpr std::uint64_t kEach = 0x0101010101010101u;
  const std::size_t size = token.size();
  if (size > 8) return false;
  // Sets the high bit of each byte that is not a digit. A carry can only come from such a byte, and at worst
  // it also sets the high bit of later bytes.
  const std::uint64_t value = LoadWord64(token.data()) ^ (kEach * '0');
  std::uint64_t others = ((value + kEach * (0x80 - 10)) | value) & (kEach * 0x80);
  others &= FirstBytesMask(static_cast<std::int64_t>(size));
  const bool zero_first = token[0] == '0';
  if (others == 0) return !zero_first || size == 1;
  const auto whole = static_cast<std::size_t>(std::countr_zero(others)) / 8;  // leading digits
  const bool alone = (others & (others - 1)) == 0;
  return alone && token[whole] == '.' && whole != 0 && whole != size - 1 && (!zero_first || whole == 1);
}

// The three kinds of number tokens that ClassifyNumber accepts: NaN, Infinity and -Infinity; integers, which
// have neither a point nor an exponent; and reals.
inline bool IsNamedNumber(std::string_view token) { return token.ends_with('N') || token.ends_with('y'); }
inline bool IsIntegerToken(std::string_view token) {
  return std::ranges::none_of(
      token, [](char c) { return c == '.' || c == 'e' || c == 'E' || c == 'N' || c == 'I'; });
}

// Returns the double nearest to a number; infinite beyond the range of double.
// REQUIRES: ClassifyNumber accepts the text, or C's strtod accepts it and it begins neither with a space nor
//           with a '+'.
double ParseNumber(std::string_view number);

// Returns whether two number tokens that ClassifyNumber accepts are equal. Two integers are compared exactly;
// NaN, and numbers beyond the range of double, by their spelling; all other numbers as doubles.
bool EqualNumbers(std::string_view first, std::string_view second);

// Classifies the content of a string token with backslashes. Sets *fault to the offset of the first invalid
// escape or, for kNonstandard, of the first lone surrogate.
TokenClass ClassifyEscapes(std::string_view inside, std::size_t* fault);

// Appends the text of a string token's content, with escapes resolved, as UTF-8. Lone surrogates become
// U+FFFD.
// REQUIRES: ClassifyEscapes accepts the content.
void AppendUnescaped(std::string_view inside, std::string& text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JSON_JSON_SCALAR_H_
