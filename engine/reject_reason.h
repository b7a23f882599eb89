// engine/reject_reason.h: the closed list of reasons why a record is not scored.
// The names are part of the output format; they do not depend on a parser's error codes.
#ifndef LEAFSCORE_ENGINE_REJECT_REASON_H_
#define LEAFSCORE_ENGINE_REJECT_REASON_H_

#include <cstdint>
#include <string_view>

namespace leafscore {

enum class RejectReason : std::uint8_t {
  kNone,
  // The record could not be read.
  kInvalidJson,
  kInvalidUtf8,
  kTooDeep,
  kLineTooLong,
  kNotAnObject,
  kNonstandardJson,
  kTruncatedInput,
  // The record was read, but a scorer cannot score it.
  kMissingExpected,
  kMissingActual,
  kTargetKeyNotFound,
  kInvalidExpectedJson,
};

// Returns the name written to outputs, for example "invalid_json".
std::string_view RejectReasonName(RejectReason reason);

}  // namespace leafscore

#endif  // LEAFSCORE_ENGINE_REJECT_REASON_H_
