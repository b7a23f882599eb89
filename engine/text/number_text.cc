#include "engine/text/number_text.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>

#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

bool IsCapital(char c) { return c >= 'A' && c <= 'Z'; }

// The most digits in an exponent, so that adding to it cannot overflow.
constexpr std::size_t kMaxExponentDigits = 6;

// A magnitude, by its lower-case word.
struct Magnitude {
  std::string_view word;
  int power_of_ten;
};
constexpr Magnitude kMagnitudes[] = {
    {"k", 3},  {"thousand", 3}, {"m", 6},  {"mn", 6},  {"mio", 6},       {"million", 6}, {"b", 9},
    {"bn", 9}, {"billion", 9},  {"t", 12}, {"tn", 12}, {"trillion", 12}, {"lakh", 5},    {"crore", 7}};

// The rest of a text, from which both ends are taken.
class Ends {
 public:
  explicit Ends(std::string_view text) : rest_(text) { SkipSpace(); }

  std::string_view rest() const { return rest_; }
  bool empty() const { return rest_.empty(); }

  void SkipSpace() {
    while (TakeFirstIf(u_isUWhiteSpace)) {
    }
    while (TakeLastIf(u_isUWhiteSpace)) {
    }
  }
  bool TakeFirst(std::string_view piece) {
    if (!rest_.starts_with(piece)) return false;
    rest_.remove_prefix(piece.size());
    return true;
  }
  bool TakeLast(std::string_view piece) {
    if (!rest_.ends_with(piece)) return false;
    rest_.remove_suffix(piece.size());
    return true;
  }
  template <class Test>
  bool TakeFirstIf(Test test) {
    if (rest_.empty()) return false;
    std::size_t next = 0;
    UChar32 c;
    U8_NEXT(rest_.data(), next, rest_.size(), c);
    if (c < 0 || !test(c)) return false;
    rest_.remove_prefix(next);
    return true;
  }
  template <class Test>
  bool TakeLastIf(Test test) {
    if (rest_.empty()) return false;
    std::size_t begin = rest_.size() - 1;
    while (begin != 0 && U8_IS_TRAIL(rest_[begin])) --begin;
    std::size_t next = begin;
    UChar32 c;
    U8_NEXT(rest_.data(), next, rest_.size(), c);
    if (c < 0 || !test(c)) return false;
    rest_ = rest_.substr(0, begin);
    return true;
  }

 private:
  std::string_view rest_;
};

bool IsCurrencySymbol(UChar32 c) { return u_charType(c) == U_CURRENCY_SYMBOL; }

bool TakeCurrencyInFront(Ends& text) {
  if (text.TakeFirstIf(IsCurrencySymbol)) return true;
  const std::string_view rest = text.rest();
  if (rest.size() < 4 || !std::ranges::all_of(rest.substr(0, 3), IsCapital)) return false;
  Ends behind(rest.substr(3));
  if (!IsDigit(rest[3]) && behind.rest().size() == rest.size() - 3) return false;
  return text.TakeFirst(rest.substr(0, 3));
}

bool TakeCurrencyBehind(Ends& text) {
  if (text.TakeLastIf(IsCurrencySymbol)) return true;
  const std::string_view rest = text.rest();
  if (rest.size() < 4 || !std::ranges::all_of(rest.substr(rest.size() - 3), IsCapital)) return false;
  const std::string_view before = rest.substr(0, rest.size() - 3);
  if (!IsDigit(before.back()) && Ends(before).rest().size() == before.size()) return false;
  return text.TakeLast(rest.substr(rest.size() - 3));
}

// Takes a magnitude off the end. RETURNS: its power of ten, or 0.
int TakeMagnitude(Ends& text) {
  const std::string_view rest = text.rest();
  std::size_t begin = rest.size();
  while (begin != 0 && ((rest[begin - 1] | 0x20) >= 'a' && (rest[begin - 1] | 0x20) <= 'z')) --begin;
  std::string word(rest.substr(begin));
  for (char& c : word) c = static_cast<char>(c | 0x20);
  const auto found = std::ranges::find(kMagnitudes, word, &Magnitude::word);
  if (found == std::end(kMagnitudes)) return 0;
  text.TakeLast(rest.substr(begin));
  return found->power_of_ten;
}

// Takes the longest matching unit off the end.
void TakeUnit(const std::vector<std::string>& units, Ends& text) {
  std::string_view longest;
  for (const std::string& unit : units) {
    if (unit.size() > longest.size() && text.rest().ends_with(unit)) longest = unit;
  }
  if (!longest.empty()) text.TakeLast(longest);
}

std::string_view TakeAsciiDigits(std::string_view& rest) {
  const auto end = std::ranges::find_if_not(rest, IsDigit);
  const std::string_view digits = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  rest.remove_prefix(digits.size());
  return digits;
}

// Takes digits in groups of three, or in Indian groups, after the first group. RETURNS: false if the groups
// are malformed.
bool TakeGroups(std::string_view& rest, bool decimal_comma, std::string& digits) {
  const std::string_view kSeparators[] = {
      decimal_comma ? "." : ",", "'", "\u2019", "_", " ", "\u00a0", "\u202f", "\u2009"};
  const auto separator =
      std::ranges::find_if(kSeparators, [&](std::string_view s) { return rest.starts_with(s); });
  if (separator == std::end(kSeparators)) return true;
  const std::size_t first = digits.size();
  std::vector<std::size_t> sizes;
  while (rest.starts_with(*separator)) {
    rest.remove_prefix(separator->size());
    const std::string_view group = TakeAsciiDigits(rest);
    sizes.push_back(group.size());
    digits += group;
  }
  const auto all_are = [&](std::size_t size, std::size_t count) {
    return std::all_of(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(count),
                       [&](std::size_t s) { return s == size; });
  };
  if (first == 0 || sizes.back() != 3) return false;
  const bool in_threes = first <= 3 && all_are(3, sizes.size());
  const bool indian = separator == std::begin(kSeparators) && first <= 2 && all_are(2, sizes.size() - 1);
  return in_threes || indian;
}

// Takes an exponent such as e+3, if there is one. RETURNS: nullopt if it is malformed.
std::optional<int> TakeExponent(std::string_view& rest) {
  if (rest.empty() || (rest[0] | 0x20) != 'e') return 0;
  rest.remove_prefix(1);
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  const std::string_view digits = TakeAsciiDigits(rest);
  if (digits.empty() || digits.size() > kMaxExponentDigits) return std::nullopt;
  int exponent = 0;
  for (const char c : digits) exponent = exponent * 10 + (c - '0');
  return negative ? -exponent : exponent;
}

// Appends digits times a power of ten, without insignificant zeros.
void AppendScaled(std::string digits, int power, bool negative, std::string& token) {
  while (power < 0 && digits.size() > 1 && digits.back() == '0') {
    digits.pop_back();
    ++power;
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  if (negative) token += '-';
  constexpr int kMostZeros = 40;  // with more, an exponent is shorter
  if (power >= 0 && power <= kMostZeros) {
    token += digits;
    if (digits != "0") token.append(static_cast<std::size_t>(power), '0');
  } else if (power < 0 && power >= -kMostZeros) {
    const auto behind = static_cast<std::size_t>(-power);
    if (digits.size() <= behind) digits.insert(0, behind + 1 - digits.size(), '0');
    digits.insert(digits.size() - behind, 1, '.');
    token += digits;
  } else {
    token += digits + "e" + fmt::to_string(power);
  }
}

// Reads the digits, the point and the exponent.
bool ReadMagnitude(std::string_view rest, int power, bool negative, bool decimal_comma, std::string& token) {
  std::string digits(TakeAsciiDigits(rest));
  if (!TakeGroups(rest, decimal_comma, digits)) return false;
  if (digits.size() > 1 && digits[0] == '0') return false;
  if (rest.starts_with(decimal_comma ? ',' : '.')) {
    rest.remove_prefix(1);
    const std::string_view fraction = TakeAsciiDigits(rest);
    if (fraction.empty()) return false;
    digits += fraction;
    power -= static_cast<int>(fraction.size());
  }
  if (digits.empty()) return false;
  const std::optional<int> exponent = TakeExponent(rest);
  if (!exponent || !rest.empty()) return false;
  AppendScaled(std::move(digits), power + *exponent, negative, token);
  return true;
}

}  // namespace

bool ReadNumberText(std::string_view whole, const NumberTextRules& rules, std::string& token) {
  constexpr std::string_view kMinusSigns[] = {"-", "\u2212", "\u2013"};
  Ends text(whole);
  int signs = 0;
  bool negative = false;
  if (text.rest().starts_with('(') && text.rest().ends_with(')') && text.rest().size() > 2) {
    text.TakeFirst("(");
    text.TakeLast(")");
    text.SkipSpace();
    ++signs;
    negative = true;
  }
  const auto take_sign = [&] {
    const bool minus =
        std::ranges::any_of(kMinusSigns, [&](std::string_view s) { return text.TakeFirst(s); });
    if (!minus && !text.TakeFirst("+")) return;
    ++signs;
    negative |= minus;
    text.SkipSpace();
  };
  take_sign();
  bool has_currency = TakeCurrencyInFront(text);
  text.SkipSpace();
  if (has_currency) take_sign();
  if (text.TakeLast("-")) {
    ++signs;
    negative = true;
    text.SkipSpace();
  }
  if (!has_currency) has_currency = TakeCurrencyBehind(text);
  text.SkipSpace();
  TakeUnit(rules.units, text);
  text.SkipSpace();
  int power = 0;
  if (rules.magnitudes) power = TakeMagnitude(text);
  text.SkipSpace();
  if (text.TakeLast("%")) {
    if (rules.percent == PercentRule::kRefuse) return false;
    if (rules.percent == PercentRule::kFraction) power -= 2;
    text.SkipSpace();
  }
  return signs <= 1 && ReadMagnitude(text.rest(), power, negative, rules.decimal_comma, token);
}

}  // namespace leafscore::internal
