// engine/scorers/tool_calls/count_test.h: comparisons of a count with a number. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_COUNT_TEST_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_COUNT_TEST_H_

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace leafscore::internal {

enum class CountComparator : std::uint8_t { kEqual, kOther, kLess, kAtMost, kMore, kAtLeast };

// Returns the comparator of a text: = == != < <= > >=.
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

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_COUNT_TEST_H_
