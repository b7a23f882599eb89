#include "engine/scorers/records/omni_key.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/json/json_scalar.h"
#include "engine/languages/python_repr.h"
#include "engine/languages/python_text.h"
#include "engine/text/lower_case.h"
#include "engine/text/normaliser.h"

namespace leafscore::internal {
namespace {

// A decimal number: digits without leading zeros, times ten to the power of the exponent.
struct PointNumber {
  bool negative = false;
  std::string digits;
  int exponent = 0;
};

constexpr int kMaxExponent = 100;
constexpr int kFractionDigits = 7;
constexpr std::uint32_t kMaxDateCharacters = 34;

std::string Without(std::string_view text, std::string_view characters) {
  std::string kept(text);
  std::erase_if(kept, [&](char c) { return characters.find(c) != std::string_view::npos; });
  return kept;
}

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// Takes the sign off a number: - or + before it, - behind it, or parentheses around it. RETURNS: whether the
// number is negative.
bool TakeSign(std::string& number) {
  bool negative = false;
  std::string_view rest = StripSpace(number);
  if (rest.size() >= 2 && rest.front() == '(' && rest.back() == ')') {
    negative = true;
    rest = StripSpace(rest.substr(1, rest.size() - 2));
  }
  std::string plain(rest);
  for (const std::string_view dash : {"\u2212", "\u2013"}) ReplaceAll(plain, dash, "-");
  rest = plain;
  if (rest.ends_with('-')) {
    negative = !negative;
    rest = StripSpace(rest.substr(0, rest.size() - 1));
  }
  while (rest.starts_with('-') || rest.starts_with('+')) {
    negative ^= rest.front() == '-';
    rest = StripSpace(rest.substr(1));
  }
  number = std::string(rest);
  return negative;
}

// Takes the digits off the front of a text.
std::string_view TakeDigitRun(std::string_view& text) {
  const std::string_view digits = text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
  text.remove_prefix(digits.size());
  return digits;
}

// Reads a number with a decimal point. A text without a point may be an identifier as well as a number.
std::optional<PointNumber> ReadPointNumber(std::string_view text) {
  std::string plain(text);
  PointNumber number;
  number.negative = TakeSign(plain);
  plain = Without(plain, ",$% ");
  if (plain.find('.') == std::string::npos) return std::nullopt;
  plain = Without(StripSpace(plain), "_");
  std::string_view rest = plain;
  if (rest.starts_with('-') || rest.starts_with('+')) return std::nullopt;
  const std::string_view whole = TakeDigitRun(rest);
  if (!rest.starts_with('.')) return std::nullopt;
  rest.remove_prefix(1);
  const std::string_view fraction = TakeDigitRun(rest);
  if (whole.empty() && fraction.empty()) return std::nullopt;
  if (!rest.empty()) {
    if (rest.front() != 'e' && rest.front() != 'E') return std::nullopt;
    rest.remove_prefix(1);
    const bool is_small = rest.starts_with('-');
    if (is_small || rest.starts_with('+')) rest.remove_prefix(1);
    const std::string_view power = TakeDigitRun(rest);
    constexpr std::size_t kLongestPower = 6;
    if (power.empty() || power.size() > kLongestPower || !rest.empty()) return std::nullopt;
    for (const char digit : power) number.exponent = number.exponent * 10 + (digit - '0');
    if (is_small) number.exponent = -number.exponent;
  }
  number.exponent -= static_cast<int>(fraction.size());
  number.digits = std::string(whole) + std::string(fraction);
  number.digits.erase(0, std::min(number.digits.find_first_not_of('0'), number.digits.size() - 1));
  const int adjusted = number.exponent + static_cast<int>(number.digits.size()) - 1;
  if (adjusted < -kMaxExponent || adjusted > kMaxExponent) return std::nullopt;
  return number;
}

// Rounds a fraction to seven digits after its leading zeros, half to even.
void RoundFraction(PointNumber& number) {
  if (number.exponent >= 0) return;
  const auto width = static_cast<std::size_t>(-number.exponent);
  std::string& digits = number.digits;
  if (digits.size() <= width) digits.insert(0, width + 1 - digits.size(), '0');
  const std::size_t whole = digits.size() - width;
  const std::size_t zeros = std::min(digits.find_first_not_of('0', whole), digits.size()) - whole;
  const std::size_t kept = kFractionDigits + zeros;
  if (zeros == width || kept >= width) return;
  const std::string_view cut = std::string_view(digits).substr(whole + kept);
  const bool is_half = cut[0] == '5' && cut.find_first_not_of('0', 1) == std::string_view::npos;
  const bool is_odd = (digits[whole + kept - 1] - '0') % 2 != 0;
  const bool up = cut[0] > '5' || (cut[0] == '5' && (!is_half || is_odd));
  digits.resize(whole + kept);
  number.exponent = -static_cast<int>(kept);
  if (!up) return;
  std::size_t at = digits.size();
  while (at > 0 && digits[at - 1] == '9') digits[--at] = '0';
  if (at == 0) {
    digits.insert(0, 1, '1');
  } else {
    ++digits[at - 1];
  }
}

// Returns the plain digits of a number, without zeros at the end of a fraction.
std::string PlainText(PointNumber number) {
  std::string& digits = number.digits;
  if (number.exponent >= 0) {
    if (digits != "0") digits.append(static_cast<std::size_t>(number.exponent), '0');
  } else {
    const auto width = static_cast<std::size_t>(-number.exponent);
    if (digits.size() <= width) digits.insert(0, width + 1 - digits.size(), '0');
    digits.insert(digits.size() - width, 1, '.');
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) digits.pop_back();
  }
  const bool is_zero = digits.find_first_not_of("0.") == std::string::npos;
  return (number.negative && !is_zero ? "-" : "") + digits;
}

// The moment that a text states, in a format of Python's strptime.
struct Moment {
  int year = 0;
  unsigned month = 1;
  unsigned day = 1;
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 0;
  unsigned micros = 0;

  bool is_midnight() const { return hour == 0 && minute == 0 && second == 0 && micros == 0; }
  std::string Day() const { return fmt::format("{:04}-{:02}-{:02}", year, month, day); }
};

constexpr std::string_view kDateFormats[] = {"%Y-%m-%d",  "%m/%d/%Y", "%m-%d-%Y", "%d/%m/%Y", "%B %d, %Y",
                                             "%b %d, %Y", "%d %B %Y", "%d-%b-%Y", "%d%b%Y",   "%m/%d/%y",
                                             "%Y/%m/%d",  "%d.%m.%Y", "%m.%d.%Y", "%b %d %Y", "%B %d %Y"};
constexpr std::string_view kTimeFormats[] = {
    "%Y-%m-%dT%H:%M:%S",    "%Y-%m-%d %H:%M:%S",    "%Y-%m-%dT%H:%M:%S%z",    "%Y-%m-%d %H:%M:%S%z",
    "%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%d %H:%M:%S.%f", "%Y-%m-%dT%H:%M:%S.%f%z", "%Y-%m-%d %H:%M:%S.%f%z",
    "%Y-%m-%dT%H:%M",       "%Y-%m-%d %H:%M"};
constexpr std::string_view kMonthsInFull[] = {"january",   "february", "march",    "april",
                                              "may",       "june",     "july",     "august",
                                              "september", "october",  "november", "december"};

// Reads a text by one format. Each step removes the part that it reads from the front.
class FormatReader {
 public:
  explicit FormatReader(std::string_view text) : rest_(text) {}

  bool Read(std::string_view format, Moment& moment) {
    for (std::size_t i = 0; i < format.size(); ++i) {
      const bool is_part = format[i] == '%';
      if (!(is_part ? TakePart(format[++i], moment) : TakeCharacter(format[i]))) return false;
    }
    return rest_.empty();
  }

 private:
  bool TakeCharacter(char c) {
    if (c == ' ') {
      const std::size_t spaces = SkipSpace(rest_, 0);
      rest_.remove_prefix(spaces);
      return spaces != 0;
    }
    if (rest_.empty() || (rest_[0] != c && (rest_[0] & ~0x20) != c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Takes a number of two digits if it is in the range, else a single digit.
  bool TakeNumber(unsigned least, unsigned most, unsigned& number) {
    if (rest_.empty() || !IsDigit(rest_[0])) return false;
    number = static_cast<unsigned>(rest_[0] - '0');
    const bool has_two = rest_.size() > 1 && IsDigit(rest_[1]);
    const unsigned both = has_two ? number * 10 + static_cast<unsigned>(rest_[1] - '0') : most + 1;
    const bool takes_two = both >= least && both <= most;
    if (takes_two) number = both;
    rest_.remove_prefix(takes_two ? 2 : 1);
    return number >= least;
  }
  bool TakeDigits(std::size_t count, unsigned& number) {
    number = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (i >= rest_.size() || !IsDigit(rest_[i])) return false;
      number = number * 10 + static_cast<unsigned>(rest_[i] - '0');
    }
    rest_.remove_prefix(count);
    return true;
  }
  bool TakeMonth(bool in_full, unsigned& month) {
    constexpr std::size_t kShort = 3;
    for (month = 1; month <= std::size(kMonthsInFull); ++month) {
      const std::string_view name =
          kMonthsInFull[month - 1].substr(0, in_full ? std::string_view::npos : kShort);
      if (!StartsIgnoringCase(rest_, name)) continue;
      rest_.remove_prefix(name.size());
      return true;
    }
    return false;
  }
  bool TakeFraction(unsigned& micros) {
    constexpr std::size_t kMostDigits = 6;
    std::size_t digits = 0;
    micros = 0;
    for (; digits < kMostDigits && digits < rest_.size() && IsDigit(rest_[digits]); ++digits) {
      micros = micros * 10 + static_cast<unsigned>(rest_[digits] - '0');
    }
    rest_.remove_prefix(digits);
    for (std::size_t i = digits; i < kMostDigits; ++i) micros *= 10;
    return digits != 0;
  }
  // Takes Z or an offset: +05:30, -0800, +05:30:15.
  bool TakeZone() {
    if (rest_.starts_with('Z')) {
      rest_.remove_prefix(1);
      return true;
    }
    if (!rest_.starts_with('+') && !rest_.starts_with('-')) return false;
    rest_.remove_prefix(1);
    constexpr unsigned kSixty = 60;
    unsigned number = 0;
    if (!TakeDigits(2, number)) return false;
    for (int part = 0; part < 2; ++part) {
      if (part == 1 && rest_.empty()) return true;
      if (rest_.starts_with(':')) rest_.remove_prefix(1);
      if (!TakeDigits(2, number) || number >= kSixty) return false;
    }
    return true;
  }
  bool TakePart(char part, Moment& moment) {
    constexpr unsigned kFirstOfLastCentury = 69;
    unsigned year = 0;
    switch (part) {
      case 'Y':
        if (!TakeDigits(4, year)) return false;
        moment.year = static_cast<int>(year);
        return true;
      case 'y':
        if (!TakeDigits(2, year)) return false;
        moment.year = static_cast<int>(year) + (year < kFirstOfLastCentury ? 2000 : 1900);
        return true;
      case 'm':
        return TakeNumber(1, 12, moment.month);
      case 'd':
        if (rest_.starts_with(' ')) rest_.remove_prefix(1);
        return TakeNumber(1, 31, moment.day);
      case 'B':
      case 'b':
        return TakeMonth(part == 'B', moment.month);
      case 'H':
        return TakeNumber(0, 23, moment.hour);
      case 'M':
        return TakeNumber(0, 59, moment.minute);
      case 'S':
        return TakeNumber(0, 59, moment.second);
      case 'f':
        return TakeFraction(moment.micros);
      default:
        return TakeZone();
    }
  }

  std::string_view rest_;
};

std::optional<Moment> ReadMoment(std::string_view text, std::span<const std::string_view> formats) {
  for (const std::string_view format : formats) {
    Moment moment;
    if (!FormatReader(text).Read(format, moment)) continue;
    const std::chrono::year_month_day day(std::chrono::year(moment.year), std::chrono::month(moment.month),
                                          std::chrono::day(moment.day));
    if (day.ok() && moment.year >= 1) return moment;
  }
  return std::nullopt;
}

// Returns the form of a text that is a day or a time; empty if the text is neither.
std::string MomentKey(std::string_view text) {
  text = StripSpace(text);
  // A character takes at most four bytes.
  if (text.size() > std::size_t{4} * kMaxDateCharacters || std::ranges::none_of(text, IsDigit)) return {};
  if (CountCodePoints(text) > kMaxDateCharacters) return {};
  if (const std::optional<Moment> day = ReadMoment(text, kDateFormats)) return "#d" + day->Day();
  const std::optional<Moment> time = ReadMoment(text, kTimeFormats);
  if (!time) return {};
  if (time->is_midnight()) return "#d" + time->Day();
  return fmt::format("#t{}T{:02}:{:02}:{:02}.{:06}", time->Day(), time->hour, time->minute, time->second,
                     time->micros);
}

// The steps that change a text, in their order.

void DropMarks(std::string& text) {
  ToCompatibleForm(text);
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    UChar32 c;
    U8_NEXT(text.data(), at, text.size(), c);
    if (u_getCombiningClass(c) == 0 && u_charType(c) != U_FORMAT_CHAR) kept.append(text, begin, at - begin);
  }
  ReplaceAll(kept, "\u03bc", "u");
  text = std::move(kept);
}

// Returns the end of a mark such as [1] or [ a ] that begins at `at`, possibly after spaces. Returns `at` if
// there is no mark.
std::size_t EndOfFootnote(std::string_view text, std::size_t at) {
  std::size_t end = SkipSpace(text, at);
  if (end == text.size() || text[end] != '[') return at;
  end = SkipSpace(text, end + 1);
  const std::size_t begin = end;
  while (end < text.size() && end - begin < 2 && IsDigit(text[end])) ++end;
  if (end == begin && end < text.size() && text[end] >= 'a' && text[end] <= 'z') ++end;
  if (end == begin) return at;
  end = SkipSpace(text, end);
  return end < text.size() && text[end] == ']' ? end + 1 : at;
}

void DropFootnotes(std::string& text) {
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = EndOfFootnote(text, at);
    const std::size_t next = end == at ? CodePointEnd(text, at) : end;
    if (end == at) kept.append(text, at, next - at);
    at = next;
  }
  if (!StripSpace(kept).empty()) text = std::move(kept);
}

void PlainTypography(std::string& text) {
  constexpr std::pair<std::string_view, std::string_view> kPlain[] = {
      {"\u2019", "'"},  {"\u2018", "'"}, {"\u201c", "\""}, {"\u201d", "\""}, {"\u201a", ","},
      {"\u201e", "\""}, {"\u2032", "'"}, {"\u2033", "\""}, {"\u2013", "-"},  {"\u2014", "-"},
      {"\u2010", "-"},  {"\u2011", "-"}, {"\u2212", "-"},  {"\u2015", "-"},  {"\u2044", "/"}};
  for (const auto& [from, to] : kPlain) ReplaceAll(text, from, to);
}

void DropBullet(std::string& text) {
  for (const std::string_view bullet :
       {"\u2022", "\u2023", "\u25e6", "\u25aa", "\u25b6", "\u2219", "\u25cf", "\u25a0"}) {
    if (!text.starts_with(bullet)) continue;
    const bool ends = text.size() == bullet.size() || SkipSpace(text, bullet.size()) != bullet.size();
    if (ends) text.erase(0, bullet.size());
    return;
  }
}

// Returns the form of a number without an exponent; empty if the text is not such a number. Only a number
// with a plus sign may have leading zeros.
std::string NumberKey(std::string_view text) {
  const std::string plain = Without(text, ",$%");
  const std::string_view number = StripSpace(plain);
  std::string_view rest = number;
  if (rest.starts_with('+') || rest.starts_with('-')) rest.remove_prefix(1);
  const std::string_view whole = TakeDigitRun(rest);
  if (whole.empty()) return {};
  if (!rest.empty()) {
    if (rest[0] != '.') return {};
    rest.remove_prefix(1);
    if (TakeDigitRun(rest).empty() || !rest.empty()) return {};
  }
  if (whole.size() > 1 && whole[0] == '0' && number[0] != '+') return {};
  const double value = ParseNumber(number[0] == '+' ? number.substr(1) : number);
  std::string key;
  if (std::isinf(value)) {
    constexpr std::size_t kKept = 64;
    key = text.substr(0, kKept);
  } else if (value == std::floor(value)) {
    key = fmt::format("{:.0f}", value == 0 ? 0 : value);
  } else {
    AppendPythonReal(value, key);
  }
  return key;
}

bool IsDashes(std::string_view text) {
  bool has_dash = false;
  for (std::size_t at = SkipSpace(text, 0); at < text.size(); at = SkipSpace(text, at + 1)) {
    if (text[at] != '-') return false;
    has_dash = true;
  }
  return has_dash;
}

// Drops white space, commas, hyphens and points. If exactly one point is between digits, it is kept.
void DropPunctuation(std::string& text) {
  std::size_t points = 0;
  std::size_t point = std::string::npos;
  for (std::size_t at = 1; at + 1 < text.size(); ++at) {
    if (text[at] != '.' || !IsDigit(text[at - 1]) || !IsDigit(text[at + 1])) continue;
    ++points;
    point = at;
  }
  std::string kept;
  for (std::size_t at = SkipSpace(text, 0); at < text.size();) {
    const std::size_t end = CodePointEnd(text, at);
    const bool is_dropped =
        text[at] == ',' || text[at] == '-' || (text[at] == '.' && (points != 1 || at != point));
    if (!is_dropped) kept.append(text, at, end - at);
    at = SkipSpace(text, end);
  }
  text = std::move(kept);
}

void DropBrackets(std::string& text) {
  constexpr std::string_view kQuotes = "\"'";
  const std::size_t first = text.find_first_not_of(kQuotes);
  if (first == std::string::npos) {
    text.clear();
    return;
  }
  text = Without(std::string_view(text).substr(first, text.find_last_not_of(kQuotes) + 1 - first), "()/");
}

std::string TextKey(std::string_view value) {
  std::string text(StripSpace(value));
  ToLowerCase(text);
  DropMarks(text);
  DropFootnotes(text);
  PlainTypography(text);
  DropBullet(text);
  if (std::string number = NumberKey(text); !number.empty()) return number;
  if (IsDashes(text)) return "#ph_dash";
  DropPunctuation(text);
  DropBrackets(text);
  return text;
}

}  // namespace

std::string OmniKey(std::string_view text, bool is_boolean) {
  std::string key;
  if (is_boolean) return TextKey(text);
  if (std::optional<PointNumber> number = ReadPointNumber(text)) {
    RoundFraction(*number);
    key = TextKey(PlainText(*std::move(number)));
  } else {
    key = MomentKey(text);
    if (key.empty()) key = TextKey(text);
  }
  if (!key.empty()) return key;
  // The form of a value must not be empty.
  std::string lower(StripSpace(text));
  ToLowerCase(lower);
  for (std::size_t at = 0; at < lower.size();) {
    const std::size_t end = CodePointEnd(lower, at);
    key.append(lower, at, end - at);
    at = SkipSpace(lower, end);
  }
  return key;
}

}  // namespace leafscore::internal
