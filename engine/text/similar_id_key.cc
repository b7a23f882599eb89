#include "engine/text/similar_id_key.h"

#include <algorithm>
#include <cstddef>

#include "engine/base/utf8.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

// Blanks, and what shows as nothing.
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

}  // namespace

std::string SimilarIdKey(std::string_view id) {
  std::string text(id);
  if (FindInvalidUtf8(text) != text.size()) return text;  // as a lone surrogate is
  ToLowerCase(text);
  std::string key;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = CodePointEnd(text, at);
    const std::string_view code_point = std::string_view(text).substr(at, end - at);
    at = end;
    if (std::ranges::find(kBlanks, code_point) != std::ranges::end(kBlanks)) continue;
    if (IsIdDigit(code_point[0])) {
      // The digits so far are a lone zero that leads this one.
      const std::size_t size = key.size();
      const bool after_zero = size != 0 && key[size - 1] == '0' && (size == 1 || !IsIdDigit(key[size - 2]));
      const bool is_fraction = after_zero && size >= 3 && key[size - 2] == '.' && IsIdDigit(key[size - 3]);
      if (after_zero && !is_fraction) key.pop_back();
    }
    key += code_point;
  }
  return key;
}

}  // namespace leafscore::internal
