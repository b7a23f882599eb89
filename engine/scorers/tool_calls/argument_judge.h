// engine/scorers/tool_calls/argument_judge.h: judges one argument: whether an actual value fits an expected
// value by the rule of a field. Each record has a limited number of steps for this.
// THREADS: one at a time; each worker owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_ARGUMENT_JUDGE_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_ARGUMENT_JUDGE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "engine/base/text_map.h"
#include "engine/match/pair_walker.h"
#include "engine/scorers/field_accuracy/field_comparer.h"
#include "engine/scorers/scorer.h"
#include "engine/scorers/tool_calls/call_rules.h"
#include "engine/scorers/tool_calls/fuzzy_texts.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

// The work on the arguments of a record, and the first reason why the record has no score.
class CallWork {
 public:
  void Begin(std::uint64_t steps) {
    steps_left_ = steps;
    reason_ = RejectReason::kNone;
    fault_.clear();
  }

  // Takes some of the steps. RETURNS: false if too few are left; this is then the reason.
  bool Spend(std::uint64_t steps);
  // Sets the reason, unless there is one.
  void Fail(RejectReason reason, std::string fault);

  bool has_failed() const { return reason_ != RejectReason::kNone; }
  RejectReason reason() const { return reason_; }
  const std::string& fault() const { return fault_; }

 private:
  std::uint64_t steps_left_ = 0;
  RejectReason reason_ = RejectReason::kNone;
  std::string fault_;
};

// ERRORS: Error(kInterrupted) if the run is stopped during a long search for a pattern.
class ArgumentJudge {
 public:
  // REQUIRES: `fuzzy` and `work` outlive this.
  ArgumentJudge(WorkerTools tools, FuzzyTexts* fuzzy, CallWork* work)
      : shapes_(tools.shapes),
        stop_(tools.stop),
        fuzzy_(fuzzy),
        work_(work),
        walker_(tools.shapes),
        fields_comparer_(tools.shapes) {}

  void BeginBatch();

  // Returns whether two values match by a field; `accepted` are the other values that the field accepts.
  bool Matches(const ArgumentField& field, std::span<const ValueRef> accepted, ValueRef expected,
               ValueRef actual);

  // Returns whether a text fits a pattern that is an expected value.
  bool FitsPattern(ValueRef pattern, ValueRef actual);

  // Returns whether a value is a number near the expected one. `near` is a list of the expected number and
  // the largest difference.
  bool IsNear(ValueRef near, ValueRef actual);

 private:
  bool FitsRegex(const JavaScriptRegex& regex, ValueRef actual);
  const JavaScriptRegex* RegexOf(ValueRef pattern);

  const ShapeTable* shapes_;
  const std::atomic<bool>* stop_;
  FuzzyTexts* fuzzy_;
  CallWork* work_;
  PairWalker walker_;
  FieldComparer fields_comparer_;
  TextMap<std::string, std::unique_ptr<JavaScriptRegex>> regexes_;
  std::string expected_text_;
  std::string actual_text_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_ARGUMENT_JUDGE_H_
