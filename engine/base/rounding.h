// engine/base/rounding.h: rounding to a few decimals. Stateless.
#ifndef LEAFSCORE_ENGINE_BASE_ROUNDING_H_
#define LEAFSCORE_ENGINE_BASE_ROUNDING_H_

#include <array>
#include <charconv>

namespace leafscore::internal {

// Returns the double nearest to the value rounded to `decimals` decimals. The exact binary value decides, as
// in Python's round. REQUIRES: |value| < 1e60, decimals <= 20.
inline double RoundToDecimals(double value, int decimals) {
  std::array<char, 96> text;
  const char* const end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals).ptr;
  double rounded = 0;
  std::from_chars(text.data(), end, rounded);
  return rounded;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_ROUNDING_H_
