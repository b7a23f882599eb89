// engine/scorers/strict_verdicts.h: the verdicts on keys of strict_json and llm_judge_strict_json, and their
// penalties. Pure functions; any thread may call.
#ifndef LEAFSCORE_ENGINE_SCORERS_STRICT_VERDICTS_H_
#define LEAFSCORE_ENGINE_SCORERS_STRICT_VERDICTS_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace leafscore::internal {

enum Verdict : std::uint8_t { kIdentical, kSimilar, kWrong, kMissing, kExtra };
inline constexpr std::array<std::string_view, 5> kStrictVerdictNames = {"identical", "similar", "wrong",
                                                                        "missing", "extra"};
inline constexpr std::array<std::string_view, 5> kStrictMetricNames = {
    "identical_keys", "similar_keys", "wrong_keys", "missing_keys", "extra_keys"};

// The key that stands for a value without keys. Its address distinguishes it from an actual key "*", so there
// must be only one such object.
inline constexpr char kWholeKeyText[] = "*";
inline constexpr std::string_view kWholeKey = kWholeKeyText;

// Points out of 100, to be divided by the number of expected keys.
inline constexpr std::array<double, 5> kStrictPoints = {0, 50, 100, 100, 10};

// Returns the penalty of a verdict. Without expected keys, an extra key costs all 100 points.
inline double PenaltyOf(Verdict verdict, double expected_keys) {
  return expected_keys > 0 ? kStrictPoints[verdict] / expected_keys : 100;
}

// Returns the score for the sum of all points.
inline double StrictScore(double points, double expected_keys) {
  if (expected_keys > 0) return std::max(0.0, 100 - points / expected_keys) / 100;
  return points > 0 ? 0 : 1;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STRICT_VERDICTS_H_
