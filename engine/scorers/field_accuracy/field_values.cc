#include "engine/scorers/field_accuracy/field_values.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <system_error>

#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"

namespace leafscore::internal {
namespace {

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  const std::size_t begin = text.find_first_not_of(kSpace);
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

// Returns the text of a string without surrounding white space, a view into the value or into `buffer`.
std::string_view TrimmedText(ValueRef string, std::string& buffer) {
  if (string.kind() == ValueKind::kString) return Trimmed(string.table->leaf_token(string.node));
  buffer.clear();
  AppendStringText(*string.table, string.node, buffer);
  return Trimmed(buffer);
}

}  // namespace

std::optional<double> FieldNumber(ValueRef value, std::string& buffer) {
  double number = 0;
  if (value.kind() == ValueKind::kNumber) {
    number = ParseNumber(value.table->leaf_token(value.node));
  } else if (IsString(value.kind())) {
    std::string_view text = TrimmedText(value, buffer);
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    // from_chars would also accept a second sign, inf and nan.
    if (text.empty() || !(text[0] == '.' || (text[0] >= '0' && text[0] <= '9'))) return std::nullopt;
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    if (last != end) return std::nullopt;
    if (error != std::errc()) number = ParseNumber(text);  // out of range: treat it as a JSON number
    if (negative) number = -number;
  } else {
    return std::nullopt;
  }
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<std::chrono::sys_days> FieldDay(ValueRef value, DayMonthOrder order, std::string& buffer) {
  if (!IsString(value.kind())) return std::nullopt;
  return ParseDate(TrimmedText(value, buffer), order);
}

bool IsGiven(ValueRef value, std::string& buffer) {
  if (!value.present() || value.kind() == ValueKind::kNull) return false;
  return !IsString(value.kind()) || !TrimmedText(value, buffer).empty();
}

}  // namespace leafscore::internal
