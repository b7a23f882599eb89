#include "engine/text/date_scanner.h"

#include "engine/languages/python_text.h"

namespace leafscore::internal {

std::optional<unsigned> DateScanner::TakeName(std::span<const std::string_view> names) {
  constexpr std::size_t kShort = 3;  // letters
  std::size_t letters = 0;
  while (letters < rest_.size() && (rest_[letters] | 0x20) >= 'a' && (rest_[letters] | 0x20) <= 'z')
    ++letters;
  const std::string_view word = rest_.substr(0, letters);
  for (unsigned n = 0; n < names.size(); ++n) {
    if (letters != names[n].size() && (letters != kShort || names[n].size() < kShort)) continue;
    if (!StartsIgnoringCase(word, names[n].substr(0, letters))) continue;
    rest_.remove_prefix(letters);
    return n;
  }
  return std::nullopt;
}

}  // namespace leafscore::internal
