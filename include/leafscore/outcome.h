// leafscore/outcome.h: the outcome of a record under a scorer, and what is wrong with an answer. The names
// are part of the output format.
//
//   assert(leafscore::OutcomeName(leafscore::Outcome::kUnanswered) == "unanswered");
//   assert(leafscore::RejectReasonName(leafscore::RejectReason::kTooDeep) == "too_deep");
//   assert(leafscore::AnswerCauseName(leafscore::AnswerCause::kCutOff) == "cut_off");
#ifndef LEAFSCORE_OUTCOME_H_
#define LEAFSCORE_OUTCOME_H_

#include <cstdint>
#include <string_view>

#include "leafscore/export.h"

namespace leafscore {

// The outcome of a record under a scorer. The answer is to blame for all but kError.
enum class Outcome : std::uint8_t {
  kScored,
  kUnreadable,  // the answer cannot be parsed, or lacks the part that the scorer looks at
  kUnanswered,  // there is no answer
  kError,       // the record, its expected value, the configuration or a judge is at fault
  kNotAsked,    // the record does not ask this scorer, which leaves it out of all counts
};

// The reason why a record has no score: a closed list, independent of any parser's error codes.
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
  kInvalidRow,        // of a table
  kOverMemoryBudget,  // scoring it would take more than its share of memory_bytes
  // The record was read, but a scorer cannot score it.
  kMissingExpected,
  kMissingActual,
  kTargetKeyNotFound,
  kInvalidExpectedJson,
  kInvalidActualJson,
  kNoGold,
  kNoAnswer,  // an id of the gold has no answer
  // The program of a code_judge gave no score.
  kJudgeTimeout,
  kJudgeCrashed,
  kJudgeBadReply,
  kJudgeStopped,  // it had failed too often in a row
  kWorkLimit,     // a string pair exceeds max_pair_cells, strings exceed 4 GiB, or sets exceed 2^24 steps
  // A model that judges (llm_judge) gave no score. It may have the reasons of a code_judge, too, except
  // kJudgeCrashed.
  kJudgeUnavailable,  // it cannot be reached, or says that it cannot answer
  kJudgeRefused,      // it, or a filter of its service, refuses to answer
  kJudgeSchema,       // its reply does not have the form that was asked for
  kJudgeTruncated,    // its reply was cut off at the limit of tokens
  kJudgeBudget,       // it was not asked, because a limit of requests or cost was reached
  // A test with criteria for each scorer (the option criteria_key), or a scenario:
  kNotAsked,
  kBadCriteria,  // the criteria are missing, name no scorer, or are useless to this scorer
  // Classification:
  kUnknownClass,  // the actual class is not in the list of classes
  // Scores that another tool computed (leafscore/converted_scores.h):
  kNoScore,  // the tool has no score for the record, or says that the record ended in an error
};

// What is wrong with an answer that earned less than half of what it could, by the rules of docs/causes.md.
enum class AnswerCause : std::uint8_t {
  kNoValue,        // null or absent
  kEmpty,          // an empty text, object or array
  kRefusal,        // the model declined
  kFailure,        // the message of a service or a program that failed
  kCutOff,         // it ends in the middle
  kProse,          // a text without JSON
  kMalformed,      // it looks like JSON, but no reader accepts it
  kJsonText,       // JSON in a string, which the scorer did not read
  kFenced,         // JSON between code fences, which the scorer did not read
  kInProse,        // the answer stands in a longer text
  kPythonLiteral,  // written as Python prints values
  kWrapped,        // below one key, or in an object with others
  kListOfOne,      // in an array of its own
  kOtherKind,      // an object, array or value where another one is expected
  kKeyNames,       // keys in another case, or with other separators
  kNestedText,     // an object or array within the answer is a text
  kNumberForm,     // numbers as texts, or written in another way
  kDateForm,       // the right days, written in another way
  kLetterCase,     // texts that differ only in case, spaces or punctuation
  kReordered,      // the right elements, in another order
  kMissing,        // expected leaves are missing
  kExtra,          // most of its leaves are not expected
  kNearMiss,       // all is right but one leaf
};
inline constexpr std::uint32_t kAnswerCauses = 23;

// The level of detail of a score.
enum class DetailLevel : std::uint8_t {
  kNone,
  kBasic,   // the scorer's metrics
  kLeaves,  // the metrics, and the judgement of each expected leaf
};

// Returns the name in outputs, for example "scored".
LEAFSCORE_EXPORT std::string_view OutcomeName(Outcome outcome);
// Returns the name in outputs, for example "invalid_json".
LEAFSCORE_EXPORT std::string_view RejectReasonName(RejectReason reason);

// Returns the name in outputs, for example "cut_off".
LEAFSCORE_EXPORT std::string_view AnswerCauseName(AnswerCause cause);

}  // namespace leafscore

#endif  // LEAFSCORE_OUTCOME_H_
