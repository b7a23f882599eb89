// engine/base/field_outcome.h: the result for one field of a record under a scorer that compares fields.
#ifndef LEAFSCORE_ENGINE_BASE_FIELD_OUTCOME_H_
#define LEAFSCORE_ENGINE_BASE_FIELD_OUTCOME_H_

#include <cstdint>

namespace leafscore::internal {

enum class FieldOutcome : std::uint8_t {
  kTrueNegative,   // no value expected, no value given
  kTruePositive,   // the expected value
  kFalsePositive,  // a value where no value was expected
  kFalseNegative,  // no value where one was expected
  kWrong,          // another value: counts as a false positive and a false negative
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_FIELD_OUTCOME_H_
