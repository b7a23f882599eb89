// engine/scorers/tool_calls/count_test.h: comparisons of a count with a number. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_COUNT_TEST_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_COUNT_TEST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace leafscore::internal {

enum class CountComparator : std::uint8_t { kEqual, kOther, kLess, kAtMost, kMore, kAtLeast };

// Returns the comparator in a text: = == != < <= > >=.
inline std::optional<CountComparator> CountComparatorOf(std::string_view text) {
  constexpr std::string_view kTexts[] = {"==", "!=", "<", "<=", ">", ">="};
  if (text == "=") text = "==";
  for (std::size_t c = 0; c < std::size(kTexts); ++c) {
    if (text == kTexts[c]) return static_cast<CountComparator>(c);
  }
  return std::nullopt;
}

struct CountTest {
  CountComparator comparator;
  double number;

  bool Holds(double count) const {
    switch (comparator) {
      case CountComparator::kEqual:
        return count == number;
      case CountComparator::kOther:
        return count != number;
      case CountComparator::kLess:
        return count < number;
      case CountComparator::kAtMost:
        return count <= number;
      case CountComparator::kMore:
        return count > number;
      default:
        return count >= number;
    }
  }
};

// Tells whether the tests contradict each other, because the least count is above the greatest count.
inline bool MinIsAboveMax(std::span<const CountTest> tests) {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  for (const CountTest& test : tests) {
    if (test.comparator == CountComparator::kAtLeast) min = std::max(min, test.number);
    if (test.comparator == CountComparator::kAtMost) max = std::min(max, test.number);
  }
  return min > max;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_COUNT_TEST_H_
