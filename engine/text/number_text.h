// engine/text/number_text.h: reads numbers as people write them: 1,240.00, $5, (12), 1.5B, 12 %. Stateless.
#ifndef LEAFSCORE_ENGINE_TEXT_NUMBER_TEXT_H_
#define LEAFSCORE_ENGINE_TEXT_NUMBER_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

// The effect of a percent sign after a number.
enum class PercentRule : std::uint8_t {
  kDrop,      // 12% is 12
  kFraction,  // 12% is 0.12
  kRefuse,    // 12% is not a number
};

struct NumberTextRules {
  PercentRule percent = PercentRule::kDrop;
  bool magnitudes = false;              // k, million, bn, lakh and the like multiply
  std::vector<std::string> units = {};  // words after the number that are dropped, as spelled
  bool decimal_comma = false;           // 1.240,5
};

// Reads a text that, as a whole, is a number, and appends it as a JSON number token; powers of ten are
// applied to the digits, so that no digit is lost.
//
// White space may surround the currency and the sign. The currency (a symbol, or three capital letters next
// to a space or digit) may be before or after the number and is dropped. The sign is +, -, U+2212 or U+2013
// before the number, - after it, or parentheses around everything; a text with two signs is not a number.
// Digits may be grouped by three, with one kind of separator among , ' ’ _ space U+00A0 U+202F U+2009, or in
// Indian groups (12,34,567). A point is followed by digits. A text whose whole part begins with 0 and has
// more digits is an identifier, not a number.
// RETURNS: false for another text; `token` is then unchanged. REQUIRES: valid UTF-8. COST: linear.
bool ReadNumberText(std::string_view text, const NumberTextRules& rules, std::string& token);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_NUMBER_TEXT_H_
