// engine/scorers/asserts/assert_judge.h: judges one answer after another by the asserts of its test.
// THREADS: one at a time; each batch owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_ASSERTS_ASSERT_JUDGE_H_
#define LEAFSCORE_ENGINE_SCORERS_ASSERTS_ASSERT_JUDGE_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/distance/string_pairs.h"
#include "engine/match/pair_batch.h"
#include "engine/process/child_process.h"
#include "engine/scorers/asserts/assert_list.h"
#include "engine/scorers/asserts/script_judge.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/scorer.h"
#include "engine/scorers/tool_calls/call_reader.h"

namespace leafscore::internal {

struct AssertResult {
  double score = 0;
  bool passed = false;
  std::string reason = {};  // why it missed, or the message of a script
  std::string checks_json = {};
  std::string details_json = {};
  std::vector<AssertResult> children = {};  // of a set, in the order of its members
};

// The input of asserts.
struct AssertedAnswer {
  std::string_view text;
  ValueRef value;                 // the same as a value, or absent
  std::optional<ValueRef> calls;  // the messages, spans or calls of its run; not set: they are in the answer
  ValueRef expected;              // the test's expected_output, or absent
  ScriptTest test;
};

// Why a record has no score.
struct AssertFailure {
  RejectReason reason;
  std::string message;
};

class AssertJudge {
 public:
  // `failures_in_a_row` counts the failures of scripts over all workers.
  AssertJudge(WorkerTools tools, TurnLimits limits, std::atomic<std::uint64_t>* failures_in_a_row);

  // ERRORS: Error(kInterrupted) if the run was stopped.
  void CheckNotStopped() const;

  // Forgets the asserts that were judged; they may then be destroyed.
  void Forget() { field_batches_.clear(); }

  // REQUIRES: the data to which the answer refers outlives its use.
  void SetAnswer(const AssertedAnswer& answer);

  // RETURNS: the result, before `negate`; meaningless if failure() is set.
  // ERRORS: Error(kInterrupted) if the run was stopped during a long search or script.
  AssertResult Judge(const Assert& assert);
  const std::optional<AssertFailure>& failure() const { return failure_; }

 private:
  AssertResult JudgeTexts(const Assert& assert);
  AssertResult JudgeRegex(const Assert& assert);
  AssertResult JudgeJson();
  AssertResult JudgeFields(const Assert& assert);
  AssertResult JudgeScript(const Assert& assert);
  AssertResult JudgeSet(const Assert& assert);
  AssertResult JudgeTrajectory(const TrajectoryAssert& assert);
  const std::string& LowerText();

  WorkerTools tools_;
  TurnLimits limits_;
  std::atomic<std::uint64_t>* failures_in_a_row_;
  ParsedTexts texts_;
  CallReading call_reading_{.reads_call_text = false};  // a text is not a trace
  CallReader calls_;
  std::optional<CallList> read_calls_;  // read from the answer; not set: not read yet
  std::optional<AssertedAnswer> answer_;
  std::optional<std::string> lower_text_;
  std::optional<AssertFailure> failure_;
  std::map<const Assert*, std::unique_ptr<ScorerBatch>> field_batches_;
  PairBatch pair_;
  StringPairs no_strings_;
};

// Returns the member of an object, or an absent value.
ValueRef MemberOf(ValueRef object, std::string_view key, const ShapeTable& shapes);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_ASSERTS_ASSERT_JUDGE_H_
