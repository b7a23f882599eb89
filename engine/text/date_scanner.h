// engine/text/date_scanner.h: takes the parts of a written date off the front of a text. Each Take reports
// whether the part was there. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_TEXT_DATE_SCANNER_H_
#define LEAFSCORE_ENGINE_TEXT_DATE_SCANNER_H_

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "engine/base/utf8.h"

namespace leafscore::internal {

class DateScanner {
 public:
  explicit DateScanner(std::string_view text) : rest_(text) {}

  bool AtEnd() const { return rest_.empty(); }
  bool AtDigit() const { return !rest_.empty() && IsDigit(rest_[0]); }

  bool Take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool TakeSpaces() {
    const std::size_t spaces = std::min(rest_.find_first_not_of(' '), rest_.size());
    rest_.remove_prefix(spaces);
    return spaces > 0;
  }
  // Takes `min` to `max` digits.
  bool TakeNumber(std::size_t min, std::size_t max, unsigned& number) {
    std::size_t digits = 0;
    number = 0;
    for (; digits < std::min(max, rest_.size()) && IsDigit(rest_[digits]); ++digits) {
      number = number * 10 + static_cast<unsigned>(rest_[digits] - '0');
    }
    rest_.remove_prefix(digits);
    return digits >= min;
  }
  bool TakeDigits() {
    const std::size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    rest_.remove_prefix(digits);
    return digits > 0;
  }
  // Takes the letters at the front if they are a name or its first three letters, in upper or lower case.
  // RETURNS: the index of the name. REQUIRES: names in lower case.
  std::optional<unsigned> TakeName(std::span<const std::string_view> names);

 private:
  std::string_view rest_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_DATE_SCANNER_H_
