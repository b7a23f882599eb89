// The rules of V8's legacy parser, restated from its behaviour. A text consists of words, numbers, signs and
// other characters. Numbers become parts of the day, the time or the zone, depending on their neighbours. A
// word that is not a month, a zone, AM or PM is skipped before the first number and makes the date invalid
// after it. Other characters are skipped.
#include "engine/languages/javascript_date.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "engine/base/utf8.h"
#include "engine/languages/javascript_text.h"

namespace leafscore::internal {
namespace {

enum class TokenKind : std::uint8_t { kEnd, kNumber, kWord, kSymbol, kSpace, kOther };
enum class WordKind : std::uint8_t { kNone, kMonth, kHalfDay, kZone, kTimeMark };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  int number = 0;          // kNumber: its first nine digits
  std::size_t length = 0;  // kNumber: how many digits it has
  char symbol = 0;         // kSymbol: one of : - + . ( )
  WordKind word = WordKind::kNone;
  int value = 0;  // the word's month, hours to add, or hours from UTC

  bool IsNumberOf(std::size_t digits) const { return kind == TokenKind::kNumber && length == digits; }
  bool Is(char c) const { return kind == TokenKind::kSymbol && symbol == c; }
  bool IsSign() const { return Is('+') || Is('-'); }
  // Z alone is a word with value 0 and one letter.
  bool IsZ() const { return word == WordKind::kZone && length == 1; }
};

struct Keyword {
  std::string_view prefix;
  WordKind kind;
  int value;
};

// Three letters decide; only the names of months may be longer.
constexpr Keyword kKeywords[] = {
    {"jan", WordKind::kMonth, 1},  {"feb", WordKind::kMonth, 2},   {"mar", WordKind::kMonth, 3},
    {"apr", WordKind::kMonth, 4},  {"may", WordKind::kMonth, 5},   {"jun", WordKind::kMonth, 6},
    {"jul", WordKind::kMonth, 7},  {"aug", WordKind::kMonth, 8},   {"sep", WordKind::kMonth, 9},
    {"oct", WordKind::kMonth, 10}, {"nov", WordKind::kMonth, 11},  {"dec", WordKind::kMonth, 12},
    {"am", WordKind::kHalfDay, 0}, {"pm", WordKind::kHalfDay, 12}, {"ut", WordKind::kZone, 0},
    {"utc", WordKind::kZone, 0},   {"z", WordKind::kZone, 0},      {"gmt", WordKind::kZone, 0},
    {"cdt", WordKind::kZone, -5},  {"cst", WordKind::kZone, -6},   {"edt", WordKind::kZone, -4},
    {"est", WordKind::kZone, -5},  {"mdt", WordKind::kZone, -6},   {"mst", WordKind::kZone, -7},
    {"pdt", WordKind::kZone, -7},  {"pst", WordKind::kZone, -8},   {"t", WordKind::kTimeMark, 0},
};

bool IsDigitChar(char c) { return c >= '0' && c <= '9'; }

class DateTokens {
 public:
  explicit DateTokens(std::string_view text) : rest_(text) { peek_ = Scan(); }

  const Token& peek() const { return peek_; }
  Token Next() {
    const Token token = peek_;
    peek_ = Scan();
    return token;
  }
  bool Skip(char symbol) {
    if (!peek_.Is(symbol)) return false;
    Next();
    return true;
  }

 private:
  Token Scan() {
    if (rest_.empty()) return {};
    if (IsDigitChar(rest_[0])) return ScanNumber();
    constexpr std::string_view kSymbols = ":-+.)";
    if (kSymbols.find(rest_[0]) != std::string_view::npos) {
      const Token token{.kind = TokenKind::kSymbol, .symbol = rest_[0]};
      rest_.remove_prefix(1);
      return token;
    }
    if (static_cast<unsigned char>(rest_[0]) >= 'A' && JavaScriptSpaceAt(rest_) == 0) return ScanWord();
    if (const std::size_t space = JavaScriptSpaceAt(rest_); space > 0) {
      do rest_.remove_prefix(JavaScriptSpaceAt(rest_));
      while (JavaScriptSpaceAt(rest_) > 0);
      return {.kind = TokenKind::kSpace};
    }
    if (rest_[0] == '(') {
      SkipParentheses();
    } else {
      rest_.remove_prefix(1);
    }
    return {.kind = TokenKind::kOther};
  }

  Token ScanNumber() {
    Token token{.kind = TokenKind::kNumber};
    std::size_t significant = 0;
    for (; !rest_.empty() && IsDigitChar(rest_[0]); rest_.remove_prefix(1), ++token.length) {
      if (significant == 0 && rest_[0] == '0') continue;
      if (significant++ < 9) token.number = token.number * 10 + (rest_[0] - '0');
    }
    return token;
  }

  Token ScanWord() {
    std::array<char, 3> letters{};
    std::size_t length = 0;
    while (!rest_.empty() && static_cast<unsigned char>(rest_[0]) >= 'A' && JavaScriptSpaceAt(rest_) == 0) {
      const char c = rest_[0];
      if (length < letters.size()) letters[length] = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
      ++length;
      rest_.remove_prefix(CodePointEnd(rest_, 0));
    }
    const std::string_view prefix(letters.data(), std::min(length, letters.size()));
    Token token{.kind = TokenKind::kWord, .length = length};
    for (const Keyword& keyword : kKeywords) {
      if (keyword.prefix != prefix || (length > letters.size() && keyword.kind != WordKind::kMonth)) continue;
      token.word = keyword.kind;
      token.value = keyword.value;
      break;
    }
    return token;
  }

  void SkipParentheses() {
    int open = 0;
    do {
      if (rest_[0] == '(') ++open;
      if (rest_[0] == ')') --open;
      rest_.remove_prefix(1);
    } while (open > 0 && !rest_.empty());
  }

  std::string_view rest_;
  Token peek_;
};

bool IsMonth(int n) { return n >= 1 && n <= 12; }
bool IsDay(int n) { return n >= 1 && n <= 31; }
bool IsHour(int n) { return n >= 0 && n < 24; }
bool IsBelow60(int n) { return n >= 0 && n < 60; }

// The parts of a date as they are read.
class DateParts {
 public:
  // Reads the forms of the standard. RETURNS: false if the text is invalid; else true, with *first the token
  // at which the legacy parser continues, or the end.
  bool ReadStandard(DateTokens& tokens, Token* first);
  bool ReadLegacy(DateTokens& tokens, Token token);
  std::optional<std::chrono::sys_days> Day() const;

 private:
  bool ReadStandardTime(DateTokens& tokens);
  bool ReadNumber(DateTokens& tokens, int n);
  bool ReadWord(const DateTokens& tokens, const Token& word, bool has_number);
  bool ReadOffset(DateTokens& tokens, int sign);

  bool AddDay(int n) {
    if (days_ == day_.size()) return false;
    day_[days_++] = n;
    return true;
  }
  bool AddTime(int n) {
    if (times_ == time_.size()) return false;
    time_[times_++] = n;
    return true;
  }
  bool AddLastTime(int n) {
    const bool added = AddTime(n);
    times_ = time_.size();
    return added;
  }
  bool TimeExpects(int n) const {
    return ((times_ == 1 || times_ == 2) && IsBelow60(n)) || (times_ == 3 && n >= 0 && n < 1000);
  }
  static int Milliseconds(const Token& digits) {
    int number = digits.number;
    if (digits.length == 1) number *= 100;
    if (digits.length == 2) number *= 10;
    for (std::size_t length = digits.length < 9 ? digits.length : 9; length > 3; --length) number /= 10;
    return number;
  }
  bool ReadTimeOfDay(int* milliseconds) const;
  bool ReadDate(int* year, int* month, int* day) const;

  std::array<int, 3> day_{};
  std::size_t days_ = 0;
  bool is_standard_ = false;
  std::optional<int> named_month_;
  std::array<int, 4> time_{};  // hour, minute, second, millisecond
  std::size_t times_ = 0;
  std::optional<int> hour_offset_;
  std::optional<int> zone_sign_;
  std::optional<int> zone_hour_;
  std::optional<int> zone_minute_;
};

bool DateParts::ReadStandard(DateTokens& tokens, Token* first) {
  if (tokens.peek().IsSign()) {
    *first = tokens.Next();
    if (!tokens.peek().IsNumberOf(6) || (first->symbol == '-' && tokens.peek().number == 0)) return true;
    AddDay(tokens.Next().number * (first->symbol == '-' ? -1 : 1));
  } else if (tokens.peek().IsNumberOf(4)) {
    AddDay(tokens.Next().number);
  } else {
    *first = tokens.Next();
    return true;
  }
  for (const auto is_in_range : {IsMonth, IsDay}) {
    if (!tokens.Skip('-')) break;
    if (!tokens.peek().IsNumberOf(2) || !is_in_range(tokens.peek().number)) {
      *first = tokens.Next();
      return true;
    }
    AddDay(tokens.Next().number);
  }
  if (tokens.peek().word == WordKind::kTimeMark) {
    tokens.Next();
    if (!ReadStandardTime(tokens)) return false;
  } else if (tokens.peek().kind != TokenKind::kEnd) {
    *first = tokens.Next();
    return true;
  }
  is_standard_ = true;
  *first = {};
  return true;
}

// Reads hh:mm, then optionally :ss or :ss.sss, then optionally Z, +hh:mm or +hhmm, up to the end of the text.
bool DateParts::ReadStandardTime(DateTokens& tokens) {
  const auto take = [&](int most) {
    const Token token = tokens.Next();
    return token.IsNumberOf(2) && token.number <= most && AddTime(token.number);
  };
  if (!take(24) || !tokens.Skip(':')) return false;
  const int most = time_[0] == 24 ? 0 : 59;
  if (!take(most)) return false;
  if (tokens.Skip(':')) {
    if (!take(most)) return false;
    if (tokens.Skip('.')) {
      const Token fraction = tokens.Next();
      if (fraction.kind != TokenKind::kNumber || (time_[0] == 24 && fraction.number > 0)) return false;
      AddTime(Milliseconds(fraction));
    }
  }
  if (tokens.peek().IsZ()) {
    tokens.Next();
    zone_sign_ = 1;
  } else if (tokens.peek().IsSign()) {
    zone_sign_ = tokens.Next().symbol == '-' ? -1 : 1;
    const Token hours = tokens.Next();
    if (hours.IsNumberOf(4)) {
      zone_hour_ = hours.number / 100;
      zone_minute_ = hours.number % 100;
    } else {
      if (!hours.IsNumberOf(2) || !tokens.Skip(':') || !tokens.peek().IsNumberOf(2)) return false;
      zone_hour_ = hours.number;
      zone_minute_ = tokens.Next().number;
    }
    if (!IsHour(*zone_hour_) || !IsBelow60(*zone_minute_)) return false;
  }
  return tokens.peek().kind == TokenKind::kEnd;
}

bool DateParts::ReadLegacy(DateTokens& tokens, Token token) {
  bool has_number = days_ > 0;
  for (; token.kind != TokenKind::kEnd; token = tokens.Next()) {
    if (token.kind == TokenKind::kNumber) {
      has_number = true;
      if (!ReadNumber(tokens, token.number)) return false;
    } else if (token.kind == TokenKind::kWord) {
      if (!ReadWord(tokens, token, has_number)) return false;
      if (token.word == WordKind::kMonth) tokens.Skip('-');
    } else if (token.IsSign() && (times_ > 0 || (zone_hour_ == 0 && zone_minute_ == 0))) {
      has_number = true;
      if (!ReadOffset(tokens, token.symbol == '-' ? -1 : 1)) return false;
    } else if ((token.IsSign() || token.Is(')')) && has_number) {
      return false;
    }
  }
  return true;
}

bool DateParts::ReadNumber(DateTokens& tokens, int n) {
  if (tokens.Skip(':')) {
    if (tokens.Skip(':')) return times_ == 0 && AddTime(n) && AddTime(0);
    if (!AddTime(n)) return false;
    tokens.Skip('.');
    return true;
  }
  if (tokens.Skip('.') && TimeExpects(n)) {
    AddTime(n);
    if (tokens.peek().kind != TokenKind::kNumber) return false;
    return AddLastTime(Milliseconds(tokens.Next()));
  }
  if (zone_hour_ && !zone_minute_ && IsBelow60(n)) {
    zone_minute_ = n;
    return true;
  }
  if (TimeExpects(n)) {
    AddLastTime(n);
    const Token& next = tokens.peek();
    return next.kind == TokenKind::kEnd || next.kind == TokenKind::kSpace || next.IsZ() || next.IsSign();
  }
  if (!AddDay(n)) return false;
  tokens.Skip('-');
  return true;
}

bool DateParts::ReadWord(const DateTokens& tokens, const Token& word, bool has_number) {
  if (word.word == WordKind::kHalfDay && times_ > 0) {
    hour_offset_ = word.value;
  } else if (word.word == WordKind::kMonth) {
    named_month_ = word.value;
  } else if (word.word == WordKind::kZone && has_number) {
    zone_sign_ = word.value < 0 ? -1 : 1;
    zone_hour_ = word.value < 0 ? -word.value : word.value;
    zone_minute_ = 0;
  } else {
    return !has_number && tokens.peek().kind != TokenKind::kNumber;
  }
  return true;
}

// Reads +h, +hh, +hmm, +hhmm, or +hh: before its minutes.
bool DateParts::ReadOffset(DateTokens& tokens, int sign) {
  zone_sign_ = sign;
  Token hours;
  if (tokens.peek().kind == TokenKind::kNumber) hours = tokens.Next();
  if (tokens.peek().Is(':')) {
    zone_hour_ = hours.number;
    zone_minute_.reset();
  } else if (hours.length == 1 || hours.length == 2) {
    zone_hour_ = hours.number;
    zone_minute_ = 0;
  } else if (hours.length == 3 || hours.length == 4) {
    zone_hour_ = hours.number / 100;
    zone_minute_ = hours.number % 100;
  } else {
    return false;
  }
  return true;
}

bool DateParts::ReadTimeOfDay(int* milliseconds) const {
  auto [hour, minute, second, thousandth] = time_;
  if (hour_offset_) {
    if (hour < 0 || hour > 12) return false;
    hour = hour % 12 + *hour_offset_;
  }
  const bool in_range = IsHour(hour) && IsBelow60(minute) && IsBelow60(second) && thousandth < 1000;
  if (!in_range && (hour != 24 || minute != 0 || second != 0 || thousandth != 0)) return false;
  *milliseconds = ((hour * 60 + minute) * 60 + second) * 1000 + thousandth;
  return true;
}

bool DateParts::ReadDate(int* year, int* month, int* day) const {
  if (days_ == 0) return false;
  std::array<int, 3> n = {1, 1, 1};  // the values of missing parts
  for (std::size_t i = 0; i < days_; ++i) n[i] = day_[i];
  const bool year_first = is_standard_ || !IsDay(n[0]);
  if (named_month_) {
    *month = *named_month_;
    *day = year_first ? n[1] : n[0];
    *year = year_first ? n[0] : n[1];
  } else {
    *year = year_first ? n[0] : n[2];
    *month = year_first ? n[1] : n[0];
    *day = year_first ? n[2] : n[1];
  }
  if (!is_standard_ && *year >= 0 && *year < 50) *year += 2000;
  if (!is_standard_ && *year >= 50 && *year < 100) *year += 1900;
  return IsMonth(*month) && IsDay(*day);
}

std::optional<std::chrono::sys_days> DateParts::Day() const {
  int year = 0;
  int month = 0;
  int day = 0;
  int milliseconds = 0;
  if (!ReadDate(&year, &month, &day) || !ReadTimeOfDay(&milliseconds)) return std::nullopt;
  constexpr std::int64_t kMaxYear = 280'000;  // beyond the range of Date
  if (year > kMaxYear || year < -kMaxYear) return std::nullopt;
  constexpr std::int64_t kMinute = 60'000;
  constexpr std::int64_t kDay = 24 * 60 * kMinute;
  std::int64_t time = JavaScriptDay(year, month - 1, day).time_since_epoch().count() * kDay + milliseconds;
  const std::int64_t offset = std::int64_t{zone_hour_.value_or(0)} * 60 + zone_minute_.value_or(0);
  time -= zone_sign_.value_or(0) * offset * kMinute;
  constexpr std::int64_t kMaxTime = 8'640'000'000'000'000;
  if (time > kMaxTime || time < -kMaxTime) return std::nullopt;
  return std::chrono::floor<std::chrono::days>(
      std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(time)));
}

}  // namespace

std::optional<std::chrono::sys_days> ParseJavaScriptDate(std::string_view text) {
  DateTokens tokens(text);
  DateParts parts;
  Token first;
  if (!parts.ReadStandard(tokens, &first) || !parts.ReadLegacy(tokens, first)) return std::nullopt;
  return parts.Day();
}

std::chrono::sys_days JavaScriptDay(int year, int month, int day) {
  // Follows days_from_civil by Howard Hinnant, as std::chrono::year ends at 32767. Its years begin in March.
  const std::int64_t months = std::int64_t{year} * 12 + month - 2;
  const std::int64_t y = (months >= 0 ? months : months - 11) / 12;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const std::int64_t year_of_era = y - era * 400;
  const std::int64_t day_of_year = (153 * (months - y * 12) + 2) / 5;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  const std::int64_t days = era * 146'097 + day_of_era - 719'468 + day - 1;
  return std::chrono::sys_days(std::chrono::days(static_cast<int>(days)));
}

}  // namespace leafscore::internal
