#include "engine/render/csv.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <system_error>

#include "engine/base/display.h"

namespace leafscore::internal {
namespace {

// Follows OWASP, "CSV Injection". A number is not a formula, whatever its sign. Apostrophes and then a
// formula also count as a formula: the text gets one more apostrophe, so that readers can remove exactly one.
bool LooksLikeFormula(std::string_view text) {
  const std::size_t apostrophes = std::min(text.find_first_not_of('\''), text.size());
  text.remove_prefix(apostrophes);
  if (text.empty() || std::string_view("=+-@\t\r\n").find(text[0]) == std::string_view::npos) return false;
  if (apostrophes > 0) return true;
  const std::string_view number = text.substr(text[0] == '+' || text[0] == '-' ? 1 : 0);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  return error != std::errc() || end != number.data() + number.size() || !std::isdigit(number.front());
}

}  // namespace

void AppendCsvField(std::string& out, std::string_view text, CsvFields fields) {
  std::string plain;
  if (fields == CsvFields::kSafe) text = WithoutControls(text, plain);
  const bool as_text = fields == CsvFields::kSafe && LooksLikeFormula(text);
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    if (as_text) out += '\'';
    out += text;
    return;
  }
  out += '"';
  if (as_text) out += '\'';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace leafscore::internal
