// engine/text/number_text.h: numbers as people write them: 1,240.00, $5, (12), 1.5B, 12 %. Stateless.
#ifndef LEAFSCORE_ENGINE_TEXT_NUMBER_TEXT_H_
#define LEAFSCORE_ENGINE_TEXT_NUMBER_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

// What a percent sign behind a number does.
enum class PercentRule : std::uint8_t {
  kDrop,      // 12% is 12
  kFraction,  // 12% is 0.12
  kRefuse,    // 12% is no number
};

struct NumberTextRules {
  PercentRule percent = PercentRule::kDrop;
  bool magnitudes = false;              // k, million, bn, lakh and the like multiply
  std::vector<std::string> units = {};  // words behind the number that are dropped, as written
  bool decimal_comma = false;           // 1.240,5
};

// Reads a text that is a number as a whole, and appends it as a number token of JSON; powers of ten are
// applied to the digits, so that none is lost.
//
// White space may stand around the currency and the sign. The currency, a symbol or three capital letters
// with a space or digit behind them, stands in front or behind and is dropped. The sign is +, -, U+2212 or
// U+2013 in front, - at the end, or parentheses around everything; two signs are no number. Digits stand
// alone or in groups of three, with one kind of separator among , ' ’ _ space U+00A0 U+202F U+2009, or in
// Indian groups (12,34,567). A point has digits behind it. A 0 in front of another digit makes the text an
// identifier. RETURNS: false for another text; `token` is then as it was. REQUIRES: valid UTF-8. COST:
// linear.
bool ReadNumberText(std::string_view text, const NumberTextRules& rules, std::string& token);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_NUMBER_TEXT_H_
