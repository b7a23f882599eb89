// leafscore/outcome.h: the outcomes of records under a scorer, the reasons for missing scores, and the faults
// of answers. Their names are part of the output format.
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

// The outcome of a record under a scorer. Except for kError and kNotAsked, the outcome is due to the answer.
enum class Outcome : std::uint8_t {
  kScored,
  kUnreadable,  // the answer cannot be parsed, or lacks the part that the scorer looks at
  kUnanswered,  // there is no answer
  kError,       // the record, its expected value, the configuration or a judge is at fault
  kNotAsked,    // the record does not ask this scorer, and is in none of its counts
};

// The reason why a record has no score. The list is closed and does not depend on the error codes of a
// parser.
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
  kInvalidRow,        // a row of a table cannot be read
  kOverMemoryBudget,  // scoring the record would take more than its share of memory_bytes
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
  kJudgeStopped,  // the program was no longer run, after too many failures in a row
  kWorkLimit,     // a string pair exceeds max_pair_cells, strings exceed 4 GiB, or sets exceed 2^24 steps
  // A model that judges (llm_judge) gave no score. The reasons of a code_judge also apply, except
  // kJudgeCrashed.
  kJudgeUnavailable,  // the service cannot be reached, or says that it cannot answer
  kJudgeRefused,      // the model, or a filter of its service, refuses to answer
  kJudgeSchema,       // the reply does not have the form that was asked for
  kJudgeTruncated,    // the reply was cut off at the limit of tokens
  kJudgeBudget,       // the model was not asked, because a limit of requests or cost was reached
  kNoBaseAnswer,      // the file of answers to compare with has none for this record
  // A test with criteria for each scorer (the option criteria_key), or a scenario:
  kNotAsked,     // the record does not ask this scorer
  kBadCriteria,  // the criteria are missing, name no scorer, or do not suit this scorer
  // Classification:
  kUnknownClass,  // the actual class is not in the list of classes
  // Scores that another tool computed (leafscore/converted_scores.h):
  kNoScore,  // the tool has no score for the record, or says that the record ended in an error
};

// A fault of an answer that earned less than half of the points it could earn, by the rules of
// docs/causes.md.
enum class AnswerCause : std::uint8_t {
  kNoValue,        // null or absent
  kEmpty,          // an empty text, object or array
  kRefusal,        // the model declined
  kFailure,        // the error message of a service or a program
  kCutOff,         // the answer ends in the middle
  kProse,          // a text without JSON
  kMalformed,      // the answer looks like JSON, but no reader accepts it
  kJsonText,       // JSON in a string, which the scorer did not read
  kFenced,         // JSON between code fences, which the scorer did not read
  kInProse,        // the answer is part of a longer text
  kPythonLiteral,  // the answer is written as Python prints values
  kWrapped,        // the answer is below one key, or in an object with other values
  kListOfOne,      // the answer is the only element of an array
  kOtherKind,      // an object, array or value where another kind is expected
  kKeyNames,       // keys in another case, or with other separators
  kNestedText,     // an object or array within the answer is a text
  kNumberForm,     // numbers as texts, or written in another way
  kDateForm,       // the right days, written in another way
  kLetterCase,     // texts that differ only in case, spaces or punctuation
  kReordered,      // the right elements, in another order
  kMissing,        // expected leaves are missing
  kExtra,          // most leaves of the answer are not expected
  kNearMiss,       // everything but one leaf is right
  // Known at the end of a run, so only its report has them:
  kSwapped,    // the answer is the gold of another record
  kDuplicate,  // several other records have the same answer
};
inline constexpr std::uint32_t kAnswerCauses = 25;

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
