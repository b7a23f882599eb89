#include "engine/languages/python_date.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

using DateNames = std::span<const std::string_view>;

constexpr std::string_view kMonthNames[] = {"january",   "february", "march",    "april",
                                            "may",       "june",     "july",     "august",
                                            "september", "october",  "november", "december"};
constexpr std::string_view kDayNames[] = {"monday", "tuesday",  "wednesday", "thursday",
                                          "friday", "saturday", "sunday"};
// Words and characters that may stand anywhere.
constexpr std::string_view kIdleTokens[] = {" ",   ".",  ",", ";", "-",  "/",  "'",  "at", "on",
                                            "and", "ad", "m", "t", "of", "st", "nd", "rd", "th"};
constexpr std::string_view kZonesOfUtc[] = {"UTC", "GMT", "Z", "z"};
constexpr std::size_t kShortName = 3;
constexpr std::size_t kMostTokens = 64;

bool IsDateLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (IsDateLetter(c)) c = static_cast<char>(c | 0x20);
  }
  return lower;
}

bool HasName(DateNames texts, std::string_view text) { return std::ranges::find(texts, text) != texts.end(); }

// Returns the index of a name given in full or by its first three letters.
std::optional<std::size_t> IndexOfName(DateNames names, std::string_view text) {
  const std::string lower = Lower(text);
  const auto is_named = [&](std::string_view name) {
    return name == lower || name.substr(0, kShortName) == lower;
  };
  const auto found = std::ranges::find_if(names, is_named);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::optional<unsigned> MonthOf(std::string_view token) {
  constexpr unsigned kSeptember = 9;
  if (Lower(token) == "sept") return kSeptember;
  const std::optional<std::size_t> index = IndexOfName(kMonthNames, token);
  if (!index) return std::nullopt;
  return static_cast<unsigned>(*index) + 1;
}

bool IsIdle(std::string_view token) { return HasName(kIdleTokens, Lower(token)); }

// Returns 0 for am, 1 for pm.
std::optional<int> HalfOf(std::string_view token) {
  const std::string lower = Lower(token);
  if (lower == "am" || lower == "a") return 0;
  if (lower == "pm" || lower == "p") return 1;
  return std::nullopt;
}

// Splits a text into numbers, words, white space and single characters; fractions of seconds stay with their
// number. RETURNS: no tokens if there are too many.
std::vector<std::string_view> Tokens(std::string_view text) {
  std::vector<std::string_view> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at++;
    const auto take = [&](bool (*belongs)(char)) {
      while (at < text.size() && belongs(text[at])) ++at;
    };
    if (IsDigit(text[begin])) {
      take(IsDigit);
      const bool after_colon = begin != 0 && text[begin - 1] == ':';
      if (after_colon && at + 1 < text.size() && text[at] == '.' && IsDigit(text[at + 1])) {
        ++at;
        take(IsDigit);
      }
    } else if (IsDateLetter(text[begin])) {
      take(IsDateLetter);
    }
    const char c = text[begin];
    const bool is_space = c == ' ' || (c >= '\t' && c <= '\r');
    tokens.push_back(is_space ? std::string_view(" ") : text.substr(begin, at - begin));
    if (tokens.size() > kMostTokens) return {};
  }
  return tokens;
}

class DateReading {
 public:
  explicit DateReading(std::vector<std::string_view> tokens) : tokens_(std::move(tokens)) {}

  // RETURNS: false if a token has no place in a date.
  bool ReadAll();
  std::optional<std::chrono::year_month_day> Day(int this_year) const;

 private:
  static constexpr std::size_t kNowhere = 3;

  // Returns the token `ahead` of the current one; empty behind the last one.
  std::string_view Ahead(std::size_t ahead) const {
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead] : std::string_view();
  }
  bool ReadNumber();
  bool ReadWord();
  bool ReadJoined();
  bool ReadTime();
  bool ReadCompactTime(std::string_view digits);
  bool ReadHalf(int half);
  bool ReadZoneName();
  bool ReadOffset();
  bool AddPart(std::string_view token);
  bool AddNumber(std::string_view digits);
  bool AddMonth(unsigned month);

  std::vector<std::string_view> tokens_;
  std::size_t at_ = 0;
  std::array<unsigned, 3> parts_ = {};  // day, month and year in the order of the text
  std::size_t count_ = 0;
  std::size_t month_at_ = kNowhere;
  std::size_t year_at_ = kNowhere;
  bool has_century_ = false;
  std::optional<unsigned> hour_;
  bool has_half_ = false;
  bool has_zone_ = false;
};

// Returns the value of some digits; a large number for more than nine digits.
unsigned ValueOf(std::string_view digits) {
  constexpr std::size_t kMostDigits = 9;
  if (digits.size() > kMostDigits) return 1'000'000'000;
  unsigned value = 0;
  for (const char digit : digits) value = value * 10 + static_cast<unsigned>(digit - '0');
  return value;
}

bool IsNumber(std::string_view token) { return !token.empty() && std::ranges::all_of(token, IsDigit); }

bool DateReading::AddNumber(std::string_view digits) {
  if (count_ == parts_.size() || !IsNumber(digits)) return false;
  const unsigned value = ValueOf(digits);
  if (digits.size() > 2 || value > 100) {
    has_century_ = true;
    year_at_ = count_;
  }
  parts_[count_++] = value;
  return true;
}

bool DateReading::AddMonth(unsigned month) {
  if (count_ == parts_.size() || month_at_ != kNowhere) return false;
  month_at_ = count_;
  parts_[count_++] = month;
  return true;
}

bool DateReading::AddPart(std::string_view token) {
  if (const std::optional<unsigned> month = MonthOf(token)) return AddMonth(*month);
  return AddNumber(token);
}

// Reads up to three parts joined by -, / or ., such as 01-Jan-01. Each is a number or the name of a month.
bool DateReading::ReadJoined() {
  const std::string_view separator = Ahead(1);
  if (!AddPart(Ahead(0))) return false;
  ++at_;
  if (Ahead(1).empty() || IsIdle(Ahead(1))) return true;
  if (!AddPart(Ahead(1))) return false;
  ++at_;
  if (Ahead(1) != separator) return true;
  if (!AddPart(Ahead(2))) return false;
  at_ += 2;
  return true;
}

// Reads 10:30 and 10:30:15.
bool DateReading::ReadTime() {
  constexpr unsigned kHours = 24;
  constexpr unsigned kSixty = 60;
  const unsigned hour = ValueOf(Ahead(0));
  if (hour >= kHours || !IsNumber(Ahead(2)) || ValueOf(Ahead(2)) >= kSixty) return false;
  hour_ = hour;
  at_ += 2;
  if (Ahead(1) != ":") return true;
  const std::string_view second = Ahead(2).substr(0, Ahead(2).find('.'));
  if (!IsNumber(second) || ValueOf(second) >= kSixty) return false;
  at_ += 2;
  return true;
}

// Reads 10, 1030 or 103015.
bool DateReading::ReadCompactTime(std::string_view digits) {
  constexpr unsigned kLimits[] = {24, 60, 60};
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    if (ValueOf(digits.substr(i, 2)) >= kLimits[i / 2]) return false;
  }
  hour_ = ValueOf(digits.substr(0, 2));
  return true;
}

bool DateReading::ReadHalf(int half) {
  constexpr unsigned kNoon = 12;
  if (!hour_ || *hour_ > kNoon || has_half_) return false;
  if (half == 1 && *hour_ < kNoon) *hour_ += kNoon;
  has_half_ = true;
  return true;
}

bool DateReading::ReadNumber() {
  constexpr std::size_t kDigitsOfTime = 6;
  constexpr std::size_t kDigitsOfDay = 8;
  const std::string_view digits = Ahead(0);
  const std::string_view next = Ahead(1);
  const bool has_day = count_ == parts_.size();
  const bool ends_time = next.empty() || next == " " || HalfOf(next);
  if (has_day && !hour_ && (digits.size() == 2 || digits.size() == 4) && ends_time) {
    return ReadCompactTime(digits);
  }
  if (digits.size() == kDigitsOfTime && count_ != 0) return ReadCompactTime(digits);
  if (digits.size() == kDigitsOfTime) {
    return AddNumber(digits.substr(0, 2)) && AddNumber(digits.substr(2, 2)) && AddNumber(digits.substr(4));
  }
  if (digits.size() == kDigitsOfDay) {
    return AddNumber(digits.substr(0, 4)) && AddNumber(digits.substr(4, 2)) && AddNumber(digits.substr(6));
  }
  if (next == ":") return ReadTime();
  if (next == "-" || next == "/" || next == ".") return ReadJoined();
  if (HalfOf(next) || (next == " " && HalfOf(Ahead(2)))) {
    hour_ = ValueOf(digits);  // checked with its half
    return true;
  }
  return (next.empty() || IsIdle(next)) && AddNumber(digits);
}

bool DateReading::ReadZoneName() {
  constexpr std::size_t kLongestName = 5;
  const std::string_view name = Ahead(0);
  const bool is_upper = std::ranges::all_of(name, [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!hour_ || has_zone_ || name.size() > kLongestName) return false;
  if (!is_upper && !HasName(kZonesOfUtc, name)) return false;
  has_zone_ = true;
  return true;
}

// Reads +05, -0300 or +05:30.
bool DateReading::ReadOffset() {
  const std::string_view digits = Ahead(1);
  if (!IsNumber(digits)) return false;
  has_zone_ = true;
  if (digits.size() != 4 && Ahead(2) == ":") {
    if (!IsNumber(Ahead(3))) return false;
    at_ += 2;
  } else if (digits.size() != 4 && digits.size() > 2) {
    return false;
  }
  ++at_;
  const bool names_zone = Ahead(1) == " " && Ahead(2) == "(" && Ahead(4) == ")" && Ahead(3).size() >= 3;
  if (names_zone) at_ += 4;
  return true;
}

bool DateReading::ReadWord() {
  const std::string_view token = Ahead(0);
  if (IndexOfName(kDayNames, token)) return true;
  if (const std::optional<unsigned> month = MonthOf(token)) {
    return Ahead(1) == "-" || Ahead(1) == "/" ? ReadJoined() : AddMonth(*month);
  }
  if (const std::optional<int> half = HalfOf(token)) return ReadHalf(*half);
  if (ReadZoneName()) return true;
  if (hour_ && (token == "+" || token == "-")) return ReadOffset();
  return IsIdle(token);
}

bool DateReading::ReadAll() {
  for (; at_ < tokens_.size(); ++at_) {
    if (!(IsDigit(Ahead(0)[0]) ? ReadNumber() : ReadWord())) return false;
  }
  return count_ == parts_.size();
}

// Decides which part is the day, the month and the year: by what is known, otherwise by size.
std::optional<std::chrono::year_month_day> DateReading::Day(int this_year) const {
  constexpr unsigned kMostDays = 31;
  constexpr unsigned kMonths = 12;
  const unsigned first = parts_[0];
  const unsigned second = parts_[1];
  std::array<std::size_t, 3> at = {2, 0, 1};  // of year, month and day
  if (year_at_ != kNowhere && month_at_ != kNowhere) {
    at = {year_at_, month_at_, kNowhere - year_at_ - month_at_};
  } else if (month_at_ == 0) {
    at = second > kMostDays ? std::array<std::size_t, 3>{1, 0, 2} : std::array<std::size_t, 3>{2, 0, 1};
  } else if (month_at_ == 1) {
    at = first > kMostDays ? std::array<std::size_t, 3>{0, 1, 2} : std::array<std::size_t, 3>{2, 1, 0};
  } else if (month_at_ == 2) {
    at = second > kMostDays ? std::array<std::size_t, 3>{1, 2, 0} : std::array<std::size_t, 3>{0, 2, 1};
  } else if (first > kMostDays || year_at_ == 0) {
    at = {0, 1, 2};
  } else if (first > kMonths) {
    at = {2, 1, 0};
  }
  if (at[0] == at[1]) return std::nullopt;
  int year = static_cast<int>(std::min(parts_[at[0]], 10'000u));
  if (year < 100 && !has_century_) {
    year += this_year / 100 * 100;
    if (year >= this_year + 50) year -= 100;
    if (year < this_year - 50) year += 100;
  }
  const std::chrono::year_month_day day{std::chrono::year(year), std::chrono::month(parts_[at[1]]),
                                        std::chrono::day(parts_[at[2]])};
  const bool exists = parts_[at[1]] <= kMonths && parts_[at[2]] <= kMostDays && day.ok() && year <= 9999;
  return exists ? std::optional(day) : std::nullopt;
}

}  // namespace

std::optional<std::chrono::year_month_day> ReadPythonDate(std::string_view text, int this_year) {
  DateReading reading(Tokens(text));
  if (!reading.ReadAll()) return std::nullopt;
  return reading.Day(this_year);
}

}  // namespace leafscore::internal
