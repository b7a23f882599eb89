// engine/base/field_outcome.h: what became of one field of a record under a scorer that judges fields.
#ifndef LEAFSCORE_ENGINE_BASE_FIELD_OUTCOME_H_
#define LEAFSCORE_ENGINE_BASE_FIELD_OUTCOME_H_

#include <cstdint>

namespace leafscore::internal {

enum class FieldOutcome : std::uint8_t {
  kTrueNegative,   // nothing was expected, and there is nothing
  kTruePositive,   // there is the value that was expected
  kFalsePositive,  // nothing was expected, and there is a value
  kFalseNegative,  // a value was expected, and there is none
  kWrong,          // there is another value: a false positive and a false negative
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_FIELD_OUTCOME_H_
