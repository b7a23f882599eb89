// engine/json/json_scalar.h: the grammar and meaning of JSON strings and numbers, token by token (RFC 8259).
#ifndef LEAFSCORE_ENGINE_JSON_JSON_SCALAR_H_
#define LEAFSCORE_ENGINE_JSON_JSON_SCALAR_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/bytes.h"

namespace leafscore::internal {

// What a scalar token is. Nonstandard ones are what only Python's `json` reads: integers beyond 64 bits,
// reals beyond double range, NaN, Infinity and -Infinity, and strings with lone surrogate escapes.
enum class TokenClass { kInvalid, kStandard, kNonstandard };

// Classifies a number token.
TokenClass ClassifyNumber(std::string_view token);

// Tells whether a number token is certainly standard: up to eight digits and points as in 7, 120.5 or 33.25,
// without a branch on where they are. REQUIRES: eight readable bytes.
inline bool IsPlainNumber(std::string_view token) {
  constexpr std::uint64_t kEach = 0x0101010101010101u;
  if (token.size() > 8) return false;
  // Bytes behind the token count as the digit 0.
  const std::uint64_t mask = FirstBytesMask(static_cast<std::int64_t>(token.size()));
  std::uint64_t word = (LoadWord64(token.data()) & mask) | (kEach * '0' & ~mask);
  // One point inside counts as a digit as well: it differs from '0' in one place of the word only.
  const std::uint64_t from_point = word ^ (kEach * '.');
  const std::uint64_t points =
      ~(((from_point & (kEach * 0x7f)) + kEach * 0x7f) | from_point | (kEach * 0x7f));
  const bool inside = (points & (points - 1)) == 0 && (points & 0x80) == 0 && (points & ~(mask >> 8)) == 0;
  word ^= (points >> 7) * ('.' ^ '0');
  const std::uint64_t digits = (word ^ (kEach * '0')) | ((word + kEach * 6) ^ (kEach * '0'));
  const bool leading_zero = token[0] == '0' && token.size() > 1 && token[1] != '.';
  return inside && !leading_zero && (digits & (kEach * 0xf0)) == 0;
}

// The kinds of number tokens that ClassifyNumber accepts: NaN, Infinity and -Infinity; integers, which have
// neither a point nor an exponent; and reals.
inline bool IsNamedNumber(std::string_view token) { return token.ends_with('N') || token.ends_with('y'); }
inline bool IsIntegerToken(std::string_view token) {
  return std::ranges::none_of(
      token, [](char c) { return c == '.' || c == 'e' || c == 'E' || c == 'N' || c == 'I'; });
}

// Returns the double nearest to a number, infinite beyond the range. REQUIRES: what ClassifyNumber accepts,
// or as C's strtod takes it without space or sign '+'.
double ParseNumber(std::string_view number);

// Tells whether two number tokens that ClassifyNumber accepts are equal: as doubles, but integers only when
// their digits are, and what is beyond the range of double only when it is written alike.
bool EqualNumbers(std::string_view first, std::string_view second);

// Classifies the inside of a string that holds backslashes, and sets *fault to the offset of the first
// escape that is invalid or, for kNonstandard, a lone surrogate.
TokenClass ClassifyEscapes(std::string_view inside, std::size_t* fault);

// Appends the text that the inside of a string stands for, in UTF-8. Lone surrogates become U+FFFD.
// REQUIRES: ClassifyEscapes accepts it.
void AppendUnescaped(std::string_view inside, std::string& text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JSON_JSON_SCALAR_H_
