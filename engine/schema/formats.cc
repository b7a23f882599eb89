#include "engine/schema/formats.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/base/utf8.h"
#include "engine/schema/uri.h"

namespace leafscore::internal {
namespace {

bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool IsLetterOrDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Reads a text from the left, part by part. If an expected part is missing, this and all later reads fail.
class PartReader {
 public:
  explicit PartReader(std::string_view text) : text_(text) {}

  bool good() const { return good_; }
  bool at_end() const { return good_ && text_.empty(); }
  char next() const { return text_.empty() ? '\0' : text_[0]; }

  // Reads a number of exactly `count` digits.
  unsigned Digits(std::size_t count) {
    unsigned number = 0;
    good_ = good_ && text_.size() >= count && std::ranges::all_of(text_.substr(0, count), IsDigit);
    if (!good_) return 0;
    for (const char digit : text_.substr(0, count)) number = 10 * number + static_cast<unsigned>(digit - '0');
    text_.remove_prefix(count);
    return number;
  }
  // Reads one of some characters.
  char One(std::string_view characters) {
    good_ = good_ && !text_.empty() && characters.find(text_[0]) != characters.npos;
    if (!good_) return '\0';
    const char c = text_[0];
    text_.remove_prefix(1);
    return c;
  }
  void SkipDigits() {
    good_ = good_ && !text_.empty() && IsDigit(text_[0]);
    while (!text_.empty() && IsDigit(text_[0])) text_.remove_prefix(1);
  }

 private:
  std::string_view text_;
  bool good_ = true;
};

void ReadDay(PartReader& in, bool& is_day) {
  const auto year = static_cast<int>(in.Digits(4));
  in.One("-");
  const unsigned month = in.Digits(2);
  in.One("-");
  const unsigned day = in.Digits(2);
  is_day =
      std::chrono::year_month_day(std::chrono::year(year), std::chrono::month(month), std::chrono::day(day))
          .ok();
}

// A leap second can only be the last second of a day in UTC.
void ReadTime(PartReader& in, bool& is_time) {
  const unsigned hour = in.Digits(2);
  in.One(":");
  const unsigned minute = in.Digits(2);
  in.One(":");
  const unsigned second = in.Digits(2);
  if (in.next() == '.') {
    in.One(".");
    in.SkipDigits();
  }
  const char zone = in.One("zZ+-");
  unsigned zone_hour = 0;
  unsigned zone_minute = 0;
  if (zone == '+' || zone == '-') {
    zone_hour = in.Digits(2);
    in.One(":");
    zone_minute = in.Digits(2);
  }
  is_time = hour < 24 && minute < 60 && second <= 60 && zone_hour < 24 && zone_minute < 60;
  if (second != 60) return;
  constexpr unsigned kDay = 24 * 60;
  const unsigned offset = 60 * zone_hour + zone_minute;
  const unsigned local = 60 * hour + minute;
  const unsigned utc = (local + (zone == '+' ? kDay - offset : offset)) % kDay;
  is_time = is_time && utc == kDay - 1;
}

bool IsDateTimeText(std::string_view text, bool has_date, bool has_time) {
  PartReader in(text);
  bool is_day = true;
  bool is_time = true;
  if (has_date) ReadDay(in, is_day);
  if (has_date && has_time) in.One("tT");
  if (has_time) ReadTime(in, is_time);
  return in.at_end() && is_day && is_time;
}

bool IsIpv4(std::string_view text) {
  for (int part = 0; part < 4; ++part) {
    const std::string_view number = text.substr(0, text.find('.'));
    if (number.empty() || number.size() > 3 || !std::ranges::all_of(number, IsDigit)) return false;
    if (number.size() > 1 && number[0] == '0') return false;
    int value = 0;
    for (const char digit : number) value = 10 * value + (digit - '0');
    if (value > 255) return false;
    const bool has_more = number.size() != text.size();
    if (has_more != (part < 3)) return false;
    text.remove_prefix(number.size() + (has_more ? 1 : 0));
  }
  return true;
}

// Returns the number of 16-bit groups in an IPv6 address, or in the part before or after its "::"; -1 if the
// text is not valid. At the end of the address, an IPv4 address may take the place of two groups.
int CountGroups(std::string_view text, bool is_end) {
  if (text.empty()) return 0;
  int groups = 0;
  for (;;) {
    const std::size_t colon = text.find(':');
    const std::string_view group = text.substr(0, colon);
    const bool is_last = colon == text.npos;
    if (is_last && is_end && group.find('.') != group.npos) return IsIpv4(group) ? groups + 2 : -1;
    if (group.empty() || group.size() > 4 || !std::ranges::all_of(group, IsHexDigit)) return -1;
    ++groups;
    if (is_last) return groups;
    text.remove_prefix(colon + 1);
  }
}

bool IsIpv6(std::string_view text) {
  const std::size_t gap = text.find("::");
  if (gap == text.npos) return CountGroups(text, true) == 8;
  const int left = CountGroups(text.substr(0, gap), false);
  const int right = CountGroups(text.substr(gap + 2), true);
  return left >= 0 && right >= 0 && left + right < 8;
}

bool IsUuid(std::string_view text) {
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  return text.size() == kForm.size() && std::ranges::equal(text, kForm, [](char c, char form) {
           return form == 'x' ? IsHexDigit(c) : c == form;
         });
}

// Accepts labels of letters, digits and inner hyphens.
bool IsDomain(std::string_view text) {
  if (text.size() > 255) return false;
  for (;;) {
    const std::string_view label = text.substr(0, text.find('.'));
    const bool is_label = !label.empty() && label.size() <= 63 && label.front() != '-' &&
                          label.back() != '-' &&
                          std::ranges::all_of(label, [](char c) { return IsLetterOrDigit(c) || c == '-'; });
    if (!is_label || label.size() == text.size()) return is_label;
    text.remove_prefix(label.size() + 1);
  }
}

bool IsAddressLiteral(std::string_view text) {
  constexpr std::string_view kIpv6Tag = "IPv6:";
  return text.starts_with(kIpv6Tag) ? IsIpv6(text.substr(kIpv6Tag.size())) : IsIpv4(text);
}

bool IsQuotedLocalPart(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') return false;
    if (text[i] == '\\' && ++i == text.size()) return false;
    if (text[i] < ' ' || text[i] > '~') return false;
  }
  return true;
}

bool IsDotAtom(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-/=?^_`{|}~.";
  return !text.empty() && text.front() != '.' && text.back() != '.' && text.find("..") == text.npos &&
         std::ranges::all_of(text,
                             [&](char c) { return IsLetterOrDigit(c) || kMarks.find(c) != kMarks.npos; });
}

bool IsEmail(std::string_view text) {
  const std::size_t at = text.rfind('@');
  if (at == text.npos) return false;
  const std::string_view local = text.substr(0, at);
  const std::string_view domain = text.substr(at + 1);
  const bool is_quoted = local.size() >= 2 && local.front() == '"' && local.back() == '"';
  if (is_quoted ? !IsQuotedLocalPart(local.substr(1, local.size() - 2)) : !IsDotAtom(local)) return false;
  if (domain.size() >= 2 && domain.front() == '[' && domain.back() == ']')
    return IsAddressLiteral(domain.substr(1, domain.size() - 2));
  return IsDomain(domain);
}

}  // namespace

std::optional<StringFormat> FindStringFormat(std::string_view name) {
  static constexpr std::pair<std::string_view, StringFormat> kNames[] = {
      {"date", StringFormat::kDate}, {"date-time", StringFormat::kDateTime},
      {"time", StringFormat::kTime}, {"email", StringFormat::kEmail},
      {"uri", StringFormat::kUri},   {"uuid", StringFormat::kUuid},
      {"ipv4", StringFormat::kIpv4}, {"ipv6", StringFormat::kIpv6}};
  for (const auto& [known, format] : kNames) {
    if (known == name) return format;
  }
  return std::nullopt;
}

bool IsFormat(StringFormat format, std::string_view text) {
  switch (format) {
    case StringFormat::kDate:
      return IsDateTimeText(text, /*has_date=*/true, /*has_time=*/false);
    case StringFormat::kDateTime:
      return IsDateTimeText(text, /*has_date=*/true, /*has_time=*/true);
    case StringFormat::kTime:
      return IsDateTimeText(text, /*has_date=*/false, /*has_time=*/true);
    case StringFormat::kEmail:
      return IsEmail(text);
    case StringFormat::kUri:
      return IsUri(text);
    case StringFormat::kUuid:
      return IsUuid(text);
    case StringFormat::kIpv4:
      return IsIpv4(text);
    case StringFormat::kIpv6:
      return IsIpv6(text);
  }
  return false;
}

}  // namespace leafscore::internal
