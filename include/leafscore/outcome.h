// leafscore/outcome.h: the outcome of a record under a scorer. The names are part of the output format.
#ifndef LEAFSCORE_OUTCOME_H_
#define LEAFSCORE_OUTCOME_H_

#include <cstdint>
#include <string_view>

#include "leafscore/export.h"

namespace leafscore {

// What became of a record that was asked for, under a scorer. Only kError is not the answer's making.
enum class Outcome : std::uint8_t {
  kScored,
  kUnreadable,  // there is an answer, but it cannot be parsed or lacks what the scorer looks at
  kUnanswered,  // there is no answer
  kError,       // the record, what is expected, the configuration or a judge is at fault
  kNotAsked,    // the record does not ask this scorer, which then counts it nowhere
};

// Why a record is not scored: a closed list, independent of any parser's error codes.
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
  kOverMemoryBudget,  // scoring it takes more than its share of memory_bytes
  // The record was read, but a scorer cannot score it.
  kMissingExpected,
  kMissingActual,
  kTargetKeyNotFound,
  kInvalidExpectedJson,
  kInvalidActualJson,
  kNoGold,
  kNoAnswer,  // to an id of the gold
  // The user's program (code_judge) gave no score.
  kJudgeTimeout,
  kJudgeCrashed,
  kJudgeBadReply,
  kJudgeStopped,  // it had failed too often in a row
  kWorkLimit,     // a string pair is over max_pair_cells, strings take over 4 GiB, or sets over 2^24 steps
  // A model that judges (llm_judge) gave no score; also those of code_judge but kJudgeCrashed.
  kJudgeUnavailable,  // it cannot be reached, or says that it cannot answer
  kJudgeRefused,      // it, or a filter of its service, will not answer
  kJudgeSchema,       // what it wrote is not what it was asked for
  kJudgeTruncated,    // its reply was cut off at the limit of tokens
  kJudgeBudget,       // it was not asked, as a limit of requests or cost was reached
  // Of a test with criteria of its own for each scorer (the option criteria_key), or a scenario.
  kNotAsked,
  kBadCriteria,  // they are missing, not such that the scorer can use them, or name no scorer
  // Of classification.
  kUnknownClass,  // the actual class is none of the classes
  // Of scores that another tool computed (leafscore/converted_scores.h).
  kNoScore,  // the tool has none for the record, or says that the record ended in an error
};

// How much `details` tells about a score.
enum class DetailLevel : std::uint8_t {
  kNone,
  kBasic,   // the scorer's metrics
  kLeaves,  // and how each expected leaf was judged
};

// Returns the name written to outputs, for example "scored".
LEAFSCORE_EXPORT std::string_view OutcomeName(Outcome outcome);
// Returns the name written to outputs, for example "invalid_json".
LEAFSCORE_EXPORT std::string_view RejectReasonName(RejectReason reason);

}  // namespace leafscore

#endif  // LEAFSCORE_OUTCOME_H_
