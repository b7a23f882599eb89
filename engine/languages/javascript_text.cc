#include "engine/languages/javascript_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>

#include "engine/base/utf8.h"
#include "engine/json/json_scalar.h"

namespace leafscore::internal {
namespace {

// Beyond ASCII: no-break space, the category Zs, the line and paragraph separators, and the byte order mark.
constexpr std::string_view kWideSpaces[] = {
    "\u00A0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007",
    "\u2008", "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000", "\uFEFF"};

std::size_t DigitsAt(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of("0123456789", at), text.size()) - at;
}

}  // namespace

std::size_t JavaScriptSpaceAt(std::string_view text) {
  if (text.empty()) return 0;
  if (text[0] == ' ' || (text[0] >= '\t' && text[0] <= '\r')) return 1;
  if (static_cast<unsigned char>(text[0]) < 0x80) return 0;
  for (const std::string_view space : kWideSpaces) {
    if (text.starts_with(space)) return space.size();
  }
  return 0;
}

std::string_view JavaScriptTrim(std::string_view text) {
  while (const std::size_t space = JavaScriptSpaceAt(text)) text.remove_prefix(space);
  while (!text.empty()) {
    const std::size_t last = CodePointBegin(text, text.size() - 1);
    if (JavaScriptSpaceAt(text.substr(last)) == 0) break;
    text = text.substr(0, last);
  }
  return text;
}

double JavaScriptParseFloat(std::string_view text) {
  text = JavaScriptTrim(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with("Infinity")) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return negative ? -kInfinity : kInfinity;
  }
  std::size_t end = DigitsAt(text, 0);
  const std::size_t whole = end;
  std::size_t fraction = 0;
  if (end < text.size() && text[end] == '.') {
    fraction = DigitsAt(text, end + 1);
    if (whole + fraction > 0) end += 1 + fraction;
  }
  if (whole + fraction == 0) return std::numeric_limits<double>::quiet_NaN();
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const std::size_t sign = end + 1 < text.size() && (text[end + 1] == '+' || text[end + 1] == '-') ? 1 : 0;
    const std::size_t digits = DigitsAt(text, std::min(end + 1 + sign, text.size()));
    if (digits > 0) end += 1 + sign + digits;
  }
  const double number = ParseNumber(text.substr(0, end));
  return negative ? -number : number;
}

std::string JavaScriptNumberText(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  if (number == 0) return "0";
  char buffer[64];
  const auto written = std::to_chars(std::begin(buffer), std::end(buffer), std::abs(number),
                                     std::chars_format::scientific);  // the fewest digits, as 1.25e-07
  std::string digits(std::begin(buffer), written.ptr);
  const std::size_t mark = digits.find('e');
  const int point = std::stoi(digits.substr(mark + 1)) + 1;  // digits before the point
  digits.resize(mark);
  std::erase(digits, '.');
  const auto size = static_cast<int>(digits.size());
  std::string text;
  if (size <= point && point <= 21) {
    text = digits + std::string(static_cast<std::size_t>(point - size), '0');
  } else if (0 < point && point <= 21) {
    text = digits.insert(static_cast<std::size_t>(point), 1, '.');
  } else if (-6 < point && point <= 0) {
    text = "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  } else {
    if (size > 1) digits.insert(1, 1, '.');
    text = fmt::format("{}e{:+}", digits, point - 1);
  }
  return number < 0 ? "-" + text : text;
}

}  // namespace leafscore::internal
