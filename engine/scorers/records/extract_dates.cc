#include "engine/scorers/records/extract_dates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/languages/python_date.h"
#include "engine/languages/python_text.h"

namespace leafscore::internal {
namespace {

constexpr std::uint32_t kLeastCharacters = 4;
constexpr std::uint32_t kMostCharacters = 50;
constexpr std::size_t kDigitsOfIds = 10;
constexpr int kYearOfRules = 2026;
constexpr int kFirstYear = 1900;
constexpr int kLastYear = 2100;

bool IsAsciiLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Reads the parts of a possible date from the start of a text.
class DateShape {
 public:
  explicit DateShape(std::string_view text) : rest_(text) {}

  // The functions below consume a part of the date and return whether it was there.
  bool Digits(std::size_t least, std::size_t most) {
    const std::size_t digits = Run(IsDigit);
    rest_.remove_prefix(std::min(digits, most));
    return digits >= least;
  }
  bool Word() {
    const std::size_t letters = Run(IsAsciiLetter);
    rest_.remove_prefix(letters);
    return letters != 0;
  }
  bool Is(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool Maybe(char c) {
    Is(c);
    return true;
  }
  bool EndsWord() const {
    return rest_.empty() || !(IsDigit(rest_[0]) || IsAsciiLetter(rest_[0]) || rest_[0] == '_' ||
                              static_cast<unsigned char>(rest_[0]) >= 0x80);
  }

 private:
  std::size_t Run(bool (*belongs)(char)) const {
    return static_cast<std::size_t>(std::ranges::find_if_not(rest_, belongs) - rest_.begin());
  }

  std::string_view rest_;
};

// Returns whether a text begins with a date in numbers whose parts are joined by a separator. `run` is the
// number of digits at the start of the text.
bool BeginsWithNumbers(std::string_view text, std::size_t run, char separator) {
  DateShape date(text);
  date.Digits(1, run);
  if (!date.Is(separator) || !date.Digits(1, 2) || !date.Is(separator)) return false;
  if (separator == '-' && run >= 4 && DateShape(date).Digits(1, 2)) return true;
  DateShape year = date;
  if (year.Digits(4, 4)) return true;
  return date.Digits(2, 2) && date.EndsWord();
}

// Returns whether a text begins with a date such as 5 March 2024.
bool BeginsWithDay(std::string_view text, std::size_t run) {
  DateShape date(text);
  return date.Digits(1, run) && date.Is(' ') && date.Word() && date.Is(' ') && date.Digits(4, 4);
}

// Returns whether a text begins with a date such as March 5, 2024 or Tue. Mar. 5 2024.
bool BeginsWithMonth(std::string_view text) {
  DateShape date(text);
  date.Word();
  DateShape weekday = date;
  const auto ends_with_day = [](DateShape& rest) {
    return rest.Is(' ') && rest.Digits(1, 2) && rest.Maybe(',') && rest.Is(' ') && rest.Digits(4, 4);
  };
  if (ends_with_day(date)) return true;
  return weekday.Maybe('.') && weekday.Is(' ') && weekday.Word() && weekday.Maybe('.') &&
         ends_with_day(weekday);
}

bool LooksLikeDate(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const auto run_of = [&](bool (*belongs)(char)) {
      return static_cast<std::size_t>(std::ranges::find_if_not(rest, belongs) - rest.begin());
    };
    if (const std::size_t digits = run_of(IsDigit); digits != 0) {
      if (BeginsWithNumbers(rest, digits, '-') || BeginsWithNumbers(rest, digits, '/') ||
          BeginsWithDay(rest, digits)) {
        return true;
      }
      at += digits;
    } else if (const std::size_t letters = run_of(IsAsciiLetter); letters != 0) {
      if (BeginsWithMonth(rest)) return true;
      at += letters;
    } else {
      ++at;
    }
  }
  return false;
}

// Returns the length of the longest run of digits.
std::size_t LongestDigits(std::string_view text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = IsDigit(c) ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

// Returns the text with one space after each comma and none before it.
std::string WithPlainCommas(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t after = SkipSpace(text, at);
    if (after < text.size() && text[after] == ',') {
      plain += ", ";
      at = SkipSpace(text, after + 1);
    } else {
      const std::size_t end = after == at ? CodePointEnd(text, at) : after;
      plain += text.substr(at, end - at);
      at = end;
    }
  }
  return plain;
}

// Joins each year that is split like 19 55. RETURNS: whether a digit precedes the first such year.
bool JoinSplitYears(std::string& text) {
  constexpr std::size_t kCentury = 2;
  std::size_t first = std::string::npos;
  for (std::size_t at = 0; at + kCentury < text.size(); ++at) {
    const bool begins_word = at == 0 || !(IsDigit(text[at - 1]) || IsAsciiLetter(text[at - 1]));
    const std::string_view rest = std::string_view(text).substr(at);
    if (!begins_word || !(rest.starts_with("19") || rest.starts_with("20"))) continue;
    const std::size_t year = SkipSpace(text, at + kCentury);
    DateShape shape(std::string_view(text).substr(year));
    if (year == at + kCentury || !shape.Digits(2, 2) || !shape.EndsWord()) continue;
    first = std::min(first, at);
    text.erase(at + kCentury, year - at - kCentury);
  }
  return first != std::string::npos && std::ranges::any_of(text.substr(0, first), IsDigit);
}

}  // namespace

bool ReadExtractDate(std::string_view text, std::string& iso) {
  // A character takes at most four bytes.
  if (text.size() < kLeastCharacters || text.size() > std::size_t{4} * kMostCharacters) return false;
  const std::size_t longest = LongestDigits(text);
  if (longest == 0 || longest == text.size() || longest >= kDigitsOfIds) return false;
  const std::uint32_t characters = CountCodePoints(text);
  if (characters < kLeastCharacters || characters > kMostCharacters) return false;
  const bool has_comma = text.find(',') != std::string_view::npos;
  const std::string plain = has_comma ? WithPlainCommas(text) : std::string();
  const std::string_view probe = has_comma ? plain : text;
  if (!LooksLikeDate(probe)) return false;
  const auto day = ReadPythonDate(probe, kYearOfRules);
  if (!day) return false;
  const int year = static_cast<int>(day->year());
  if (year < kFirstYear || year > kLastYear) return false;
  iso = fmt::format("{:04}-{:02}-{:02}", year, static_cast<unsigned>(day->month()),
                    static_cast<unsigned>(day->day()));
  return true;
}

void AppendLenientDates(std::string_view text, std::vector<std::string>& dates) {
  std::vector<std::string> rewritten = {std::string(text)};
  if (std::string joined(text); JoinSplitYears(joined)) rewritten.push_back(std::move(joined));
  const std::size_t bases = rewritten.size();
  for (std::size_t i = 0; i < bases; ++i) {
    const std::string base(StripSpace(rewritten[i]));
    const std::size_t size = base.size();
    const bool ends_with_two = size > 2 && IsDigit(base[size - 1]) && IsDigit(base[size - 2]) &&
                               std::string_view(" ,/-").find(base[size - 3]) != std::string_view::npos;
    if (!ends_with_two || !std::ranges::any_of(base.begin(), base.end() - 2, IsDigit)) continue;
    for (const std::string_view century : {"19", "20"}) {
      rewritten.push_back(base.substr(0, size - 2) + std::string(century) + base.substr(size - 2));
    }
  }
  std::string iso;
  for (const std::string& candidate : rewritten) {
    if (ReadExtractDate(candidate, iso)) dates.push_back(iso);
  }
}

}  // namespace leafscore::internal
