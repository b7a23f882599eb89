#include "engine/scorers/tool_calls/name_pattern.h"

#include <cstddef>

#include "engine/base/utf8.h"

namespace leafscore::internal {

bool FitsNamePattern(std::string_view name, std::string_view pattern) {
  std::size_t n = 0;
  std::size_t p = 0;
  // If the text after the last * does not match, continue from here. Only the last * can match more text.
  std::size_t star = pattern.npos;
  std::size_t star_end = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_end = n;
    } else if (p < pattern.size() && pattern[p] == '?') {
      n = CodePointEnd(name, n);
      ++p;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++n;
      ++p;
    } else if (star != pattern.npos) {
      star_end = CodePointEnd(name, star_end);
      n = star_end;
      p = star + 1;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace leafscore::internal
