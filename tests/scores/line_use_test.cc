#include "engine/scores/line_use.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace leafscore::internal {
namespace {

using Numbers = std::vector<std::size_t>;

// Returns the lines that count when they come one after the other; `broken` tells of each whether its record
// could not be read.
Numbers OneByOne(Repeats repeats, const std::vector<bool>& broken) {
  Numbers counted;
  for (std::size_t i = 0; i < broken.size(); ++i) {
    const bool are_broken = !counted.empty() && broken[counted.front()];
    const LineUse use = UseOfLine(repeats, counted.size(), are_broken, broken[i]);
    if (use == LineUse::kAlone) counted.clear();
    if (use != LineUse::kNot) counted.push_back(i);
  }
  return counted;
}

// The rule as the documentation has it, with all lines at hand.
Numbers AllAtOnce(Repeats repeats, const std::vector<bool>& broken) {
  Numbers readable;
  Numbers all;
  for (std::size_t i = 0; i < broken.size(); ++i) {
    all.push_back(i);
    if (!broken[i]) readable.push_back(i);
  }
  const Numbers& chosen = readable.empty() ? all : readable;
  if (repeats == Repeats::kFirst) return {chosen.front()};
  if (repeats == Repeats::kLast) return {chosen.back()};
  return chosen;
}

TEST(LineUse, IsTheRuleForAnyLinesOfAnId) {
  for (const Repeats repeats : {Repeats::kLast, Repeats::kFirst, Repeats::kAll, Repeats::kError}) {
    for (std::size_t size = 1; size <= 6; ++size) {
      for (std::size_t bits = 0; bits < std::size_t{1} << size; ++bits) {
        std::vector<bool> broken;
        for (std::size_t i = 0; i < size; ++i) broken.push_back((bits >> i & 1) != 0);
        EXPECT_EQ(OneByOne(repeats, broken), AllAtOnce(repeats, broken)) << size << ' ' << bits;
      }
    }
  }
}

}  // namespace
}  // namespace leafscore::internal
