// tests/repeat.h: long texts for tests.
#ifndef LEAFSCORE_TESTS_REPEAT_H_
#define LEAFSCORE_TESTS_REPEAT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace leafscore::internal {

inline std::string Repeat(std::string_view unit, std::size_t count) {
  std::string text;
  text.reserve(unit.size() * count);
  for (std::size_t i = 0; i < count; ++i) text += unit;
  return text;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_REPEAT_H_
