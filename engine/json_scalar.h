// engine/json_scalar.h: the grammar and meaning of JSON strings and numbers, token by token (RFC 8259).
#ifndef LEAFSCORE_ENGINE_JSON_SCALAR_H_
#define LEAFSCORE_ENGINE_JSON_SCALAR_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace leafscore {

// What a scalar token is. Nonstandard ones are what only Python's `json` reads: integers beyond 64 bits,
// reals beyond double range, NaN, Infinity and -Infinity, and strings with lone surrogate escapes.
enum class TokenClass { kInvalid, kStandard, kNonstandard };

// Classifies a number token.
TokenClass ClassifyNumber(std::string_view token);

// Returns the value of a number token that ClassifyNumber accepts: the nearest double; reals and integers
// beyond the double range become the largest finite double of their sign.
double ParseNumber(std::string_view token);

// Classifies the inside of a string that holds backslashes, and sets *fault to the offset of the first
// escape that is invalid or, for kNonstandard, a lone surrogate.
TokenClass ClassifyEscapes(std::string_view inside, std::size_t* fault);

// Appends the text that the inside of a string stands for, in UTF-8. Lone surrogates become U+FFFD.
// REQUIRES: ClassifyEscapes accepts it.
void AppendUnescaped(std::string_view inside, std::string& text);

}  // namespace leafscore

#endif  // LEAFSCORE_ENGINE_JSON_SCALAR_H_
