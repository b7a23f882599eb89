#include "leafscore/outcome.h"

namespace leafscore {

std::string_view OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kScored:
      return "scored";
    case Outcome::kUnreadable:
      return "unreadable";
    case Outcome::kUnanswered:
      return "unanswered";
    case Outcome::kError:
      return "error";
    case Outcome::kNotAsked:
      return "not_asked";
  }
  return "unknown";
}

std::string_view RejectReasonName(RejectReason reason) {
  switch (reason) {
    case RejectReason::kNone:
      return "none";
    case RejectReason::kInvalidJson:
      return "invalid_json";
    case RejectReason::kInvalidUtf8:
      return "invalid_utf8";
    case RejectReason::kTooDeep:
      return "too_deep";
    case RejectReason::kLineTooLong:
      return "line_too_long";
    case RejectReason::kNotAnObject:
      return "not_an_object";
    case RejectReason::kNonstandardJson:
      return "nonstandard_json";
    case RejectReason::kTruncatedInput:
      return "truncated_input";
    case RejectReason::kInvalidRow:
      return "invalid_row";
    case RejectReason::kOverMemoryBudget:
      return "over_memory_budget";
    case RejectReason::kMissingExpected:
      return "missing_expected";
    case RejectReason::kMissingActual:
      return "missing_actual";
    case RejectReason::kTargetKeyNotFound:
      return "target_key_not_found";
    case RejectReason::kInvalidExpectedJson:
      return "invalid_expected_json";
    case RejectReason::kJudgeTimeout:
      return "judge_timeout";
    case RejectReason::kJudgeCrashed:
      return "judge_crashed";
    case RejectReason::kJudgeBadReply:
      return "judge_bad_reply";
    case RejectReason::kJudgeStopped:
      return "judge_stopped";
    case RejectReason::kInvalidActualJson:
      return "invalid_actual_json";
    case RejectReason::kNoGold:
      return "no_gold";
    case RejectReason::kNoAnswer:
      return "no_answer";
    case RejectReason::kWorkLimit:
      return "work_limit";
    case RejectReason::kJudgeUnavailable:
      return "judge_unavailable";
    case RejectReason::kJudgeRefused:
      return "judge_refused";
    case RejectReason::kJudgeSchema:
      return "judge_schema";
    case RejectReason::kJudgeTruncated:
      return "judge_truncated";
    case RejectReason::kJudgeBudget:
      return "judge_budget";
    case RejectReason::kNoBaseAnswer:
      return "no_base_answer";
    case RejectReason::kNotAsked:
      return "not_asked";
    case RejectReason::kBadCriteria:
      return "bad_criteria";
    case RejectReason::kUnknownClass:
      return "unknown_class";
    case RejectReason::kNoScore:
      return "no_score";
  }
  return "unknown";
}

std::string_view AnswerCauseName(AnswerCause cause) {
  switch (cause) {
    case AnswerCause::kNoValue:
      return "no_value";
    case AnswerCause::kEmpty:
      return "empty";
    case AnswerCause::kRefusal:
      return "refusal";
    case AnswerCause::kFailure:
      return "failure";
    case AnswerCause::kCutOff:
      return "cut_off";
    case AnswerCause::kProse:
      return "prose";
    case AnswerCause::kMalformed:
      return "malformed";
    case AnswerCause::kJsonText:
      return "json_text";
    case AnswerCause::kFenced:
      return "fenced";
    case AnswerCause::kInProse:
      return "in_prose";
    case AnswerCause::kPythonLiteral:
      return "python_literal";
    case AnswerCause::kWrapped:
      return "wrapped";
    case AnswerCause::kListOfOne:
      return "list_of_one";
    case AnswerCause::kOtherKind:
      return "other_kind";
    case AnswerCause::kKeyNames:
      return "key_names";
    case AnswerCause::kNestedText:
      return "nested_text";
    case AnswerCause::kNumberForm:
      return "number_form";
    case AnswerCause::kDateForm:
      return "date_form";
    case AnswerCause::kLetterCase:
      return "letter_case";
    case AnswerCause::kReordered:
      return "reordered";
    case AnswerCause::kMissing:
      return "missing";
    case AnswerCause::kExtra:
      return "extra";
    case AnswerCause::kNearMiss:
      return "near_miss";
    case AnswerCause::kSwapped:
      return "swapped";
    case AnswerCause::kDuplicate:
      return "duplicate";
  }
  return "unknown";
}

}  // namespace leafscore
