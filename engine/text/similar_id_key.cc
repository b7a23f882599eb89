#include "engine/text/similar_id_key.h"

#include <algorithm>
#include <cstddef>

#include "engine/base/utf8.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

// Blanks, and invisible characters.
constexpr std::string_view kBlanks[] = {" ",
                                        "\t",
                                        "\n",
                                        "\v",
                                        "\f",
                                        "\r",
                                        "\xC2\xA0",       // no-break space
                                        "\xE2\x80\x8B",   // zero-width space
                                        "\xE3\x80\x80",   // ideographic space
                                        "\xEF\xBB\xBF"};  // byte order mark

bool IsIdDigit(char c) { return c >= '0' && c <= '9'; }

// Returns whether digits in this context may have lost or gained leading zeros. Digits of a fraction (1.05,
// or 1,05) may not. Nor may digits before a letter, because they belong to a checksum or another code (f00d).
bool IsWholeNumber(std::string_view before, std::string_view behind) {
  const std::size_t size = before.size();
  const bool is_fraction =
      size >= 2 && (before[size - 1] == '.' || before[size - 1] == ',') && IsIdDigit(before[size - 2]);
  return !is_fraction && (behind.empty() || behind[0] < 'a' || behind[0] > 'z');
}

}  // namespace

std::string SimilarIdKey(std::string_view id) {
  std::string text(id);
  if (FindInvalidUtf8(text) != text.size()) return text;  // such as a lone surrogate
  ToLowerCase(text);
  std::string key;
  for (std::size_t at = 0; at < text.size();) {
    if (IsIdDigit(text[at])) {
      const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
      if (!IsWholeNumber(key, std::string_view(text).substr(end))) {
        key.append(text, at, end - at);
      } else {
        const std::size_t first = std::min(text.find_first_not_of('0', at), end - 1);
        key.append(text, first, end - first);
      }
      at = end;
      continue;
    }
    const std::size_t end = CodePointEnd(text, at);
    const std::string_view code_point = std::string_view(text).substr(at, end - at);
    if (std::ranges::find(kBlanks, code_point) == std::ranges::end(kBlanks)) key += code_point;
    at = end;
  }
  return key;
}

}  // namespace leafscore::internal
