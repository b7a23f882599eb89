#include "engine/scorers/asserts/assert_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/languages/javascript_text.h"
#include "engine/scorers/field_accuracy/rules_2026_07.h"
#include "engine/text/lower_case.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

AssertResult Judged(bool passed, std::string reason_of_miss) {
  if (passed) return {.score = 1, .passed = true};
  return {.reason = std::move(reason_of_miss)};
}

// If a value is a list of messages, returns the content of the assistant's last message; otherwise the value
// itself.
ValueRef ContentOf(ValueRef value, const ShapeTable& shapes) {
  if (!value.present() || value.kind() != ValueKind::kArray) return value;
  std::vector<ValueRef> messages;
  ListChildren(value, messages);
  if (messages.empty()) return value;
  ValueRef content;
  for (const ValueRef message : messages) {
    const ValueRef role = MemberOf(message, "role", shapes);
    if (!role.present() || !IsString(role.kind())) return value;
    std::string text;
    AppendStringText(*role.table, role.node, text);
    if (text == "assistant") content = MemberOf(message, "content", shapes);
  }
  return content;
}

}  // namespace

ValueRef MemberOf(ValueRef object, std::string_view key, const ShapeTable& shapes) {
  if (!object.present() || object.kind() != ValueKind::kObject) return {};
  const std::uint32_t position = shapes.FindMember(object.table->shape(object.node), key);
  if (position == ShapeTable::kNoMember) return {};
  return {object.table, object.table->Child(object.node, position)};
}

AssertJudge::AssertJudge(WorkerTools tools, TurnLimits limits, std::atomic<std::uint64_t>* failures_in_a_row)
    : tools_(tools),
      limits_(limits),
      failures_in_a_row_(failures_in_a_row),
      texts_(tools),
      calls_(&call_reading_, tools) {
  limits_.stop = tools.stop;
  tools_.details = DetailLevel::kNone;  // the members' details
}

void AssertJudge::CheckNotStopped() const {
  if (tools_.stop != nullptr && *tools_.stop) throw Error(ErrorCode::kInterrupted, "the run was interrupted");
}

void AssertJudge::SetAnswer(const AssertedAnswer& answer) {
  answer_.emplace(answer);
  lower_text_.reset();
  failure_.reset();
  texts_.Truncate(0);
  read_calls_.reset();
  if (answer_->value.present()) return;
  ParsedText& parsed = texts_.Push();
  parsed.text = answer.text;
  answer_->value = {&parsed.table, texts_.Read(parsed).root};
}

AssertResult AssertJudge::Judge(const Assert& assert) {
  switch (assert.kind) {
    case AssertKind::kRegex:
      return JudgeRegex(assert);
    case AssertKind::kIsJson:
      return JudgeJson();
    case AssertKind::kFieldAccuracy:
      return JudgeFields(assert);
    case AssertKind::kScript:
      return JudgeScript(assert);
    case AssertKind::kSet:
      return JudgeSet(assert);
    case AssertKind::kUnavailable:
      return {.reason = assert.reason};
    case AssertKind::kTrajectory:
      return JudgeTrajectory(assert.trajectory);
    default:
      return JudgeTexts(assert);
  }
}

AssertResult AssertJudge::JudgeTexts(const Assert& assert) {
  const std::string_view text = assert.ignore_case ? LowerText() : answer_->text;
  const std::string& value = assert.values[0];
  const auto is_in_text = [&](const std::string& each) { return ContainsText(text, each); };
  switch (assert.kind) {
    case AssertKind::kContainsAny:
      return Judged(std::ranges::any_of(assert.values, is_in_text),
                    fmt::format("none of the {} texts is in the answer", assert.values.size()));
    case AssertKind::kContainsAll: {
      const auto missing = std::ranges::find_if_not(assert.values, is_in_text);
      if (missing == assert.values.end()) return Judged(true, {});
      return Judged(false, QuoteForMessage(*missing) + " is not in the answer");
    }
    case AssertKind::kStartsWith:
      return Judged(JavaScriptTrim(text).starts_with(value),
                    "the answer does not start with " + QuoteForMessage(value));
    case AssertKind::kEndsWith:
      return Judged(JavaScriptTrim(text).ends_with(value),
                    "the answer does not end with " + QuoteForMessage(value));
    case AssertKind::kEquals:
      return Judged(JavaScriptTrim(text) == value, "the answer is not " + QuoteForMessage(value));
    default:
      return Judged(is_in_text(value), QuoteForMessage(value) + " is not in the answer");
  }
}

AssertResult AssertJudge::JudgeRegex(const Assert& assert) {
  if (assert.regex->state() != JavaScriptRegex::State::kReady) {
    return Judged(false, "the regular expression is invalid: " + assert.regex->fault());
  }
  const JavaScriptRegex::Search search = assert.regex->Test(answer_->text, tools_.stop);
  if (search == JavaScriptRegex::Search::kStopped) CheckNotStopped();
  if (search == JavaScriptRegex::Search::kTooLong) {
    failure_ = {
        RejectReason::kWorkLimit,
        fmt::format("the search for {} takes too many steps; write the pattern without nested repeats",
                    QuoteForMessage(assert.values[0]))};
  }
  return Judged(search == JavaScriptRegex::Search::kFound,
                "nothing in the answer matches " + QuoteForMessage(assert.values[0]));
}

AssertResult AssertJudge::JudgeJson() {
  ParsedText& parsed = texts_.Push();
  parsed.text = answer_->text;
  const JsonResult result = ReadJavaScriptJson(parsed, 0, parsed.text.size(), texts_);
  if (result.root != kNoNode) return Judged(true, {});
  return Judged(false, fmt::format("the answer is not JSON: at byte {}, {}", result.offset, result.message));
}

AssertResult AssertJudge::JudgeFields(const Assert& assert) {
  const ValueRef expected = ContentOf(answer_->expected, *tools_.shapes);
  if (!expected.present() || expected.kind() == ValueKind::kNull) {
    return Judged(false, "the test has no expected_output to take the fields from");
  }
  std::unique_ptr<ScorerBatch>& batch = field_batches_[&assert];
  if (batch == nullptr) batch = assert.fields->NewBatch(tools_);
  pair_.expected_table = expected.table;
  pair_.expected = {expected.node};
  pair_.actual_table = answer_->value.table;
  pair_.actual = {answer_->value.node};
  pair_.reject = {RejectReason::kNone};
  pair_.actual_unreadable = {false};
  no_strings_.Clear();
  batch->Match(pair_, no_strings_);
  batch->Reduce(no_strings_);
  const ScoreColumns& columns = batch->columns();
  if (columns.outcome[0] != Outcome::kScored) {
    return Judged(false, columns.errors.empty() ? "" : columns.errors[0].message);
  }
  AssertResult result{.score = columns.score[0], .passed = columns.passed[0] == 1};
  std::vector<std::string> misses;
  batch->AppendTexts(0, /*misses*/ 1, misses);
  if (!misses.empty()) result.reason = fmt::format("missed: {}", fmt::join(misses, ", "));
  return result;
}

AssertResult AssertJudge::JudgeScript(const Assert& assert) {
  CheckNotStopped();
  if (*failures_in_a_row_ >= kMaxJudgeFailures.default_value) {
    failure_ = {RejectReason::kJudgeStopped, fmt::format("no more scripts are run after {} failures in a row",
                                                         kMaxJudgeFailures.default_value)};
    return {};
  }
  AssertFailure failure{};
  std::optional<ScriptVerdict> verdict =
      RunScript(*assert.script, limits_, answer_->text, answer_->test, &failure.reason, &failure.message);
  if (!verdict) {
    ++*failures_in_a_row_;
    failure_ = std::move(failure);
    return {};
  }
  *failures_in_a_row_ = 0;
  return {.score = verdict->score,
          .passed = verdict->passed,
          .reason = std::move(verdict->reason),
          .checks_json = std::move(verdict->checks_json),
          .details_json = std::move(verdict->details_json)};
}

AssertResult AssertJudge::JudgeSet(const Assert& assert) {
  AssertResult result;
  double sum = 0;
  double weights = 0;
  bool all_pass = true;
  for (const Assert& member : assert.members) {
    result.children.push_back(Judge(member));
    if (failure_) return result;
    const AssertResult& child = result.children.back();
    sum += child.score * member.weight;
    weights += member.weight;
    all_pass &= child.passed || member.weight == 0;
  }
  result.score = weights > 0 ? sum / weights : 0;
  result.passed = assert.threshold ? result.score >= *assert.threshold : all_pass;
  return result;
}

AssertResult AssertJudge::JudgeTrajectory(const TrajectoryAssert& assert) {
  if (!assert.fault.empty()) return Judged(false, assert.fault);
  if (!read_calls_) {
    calls_.Begin();
    const ValueRef run = answer_->calls.value_or(answer_->value);
    if (!run.present()) return Judged(false, "the record has no tool calls");
    calls_.Read(run, read_calls_.emplace());
  }
  if (!read_calls_->readable()) return Judged(false, "the answer: " + read_calls_->fault);
  return Judged(PassesTrajectory(assert, read_calls_->calls, calls_),
                "the tool calls do not satisfy the assert");
}

const std::string& AssertJudge::LowerText() {
  if (!lower_text_) {
    lower_text_.emplace(answer_->text);
    ToLowerCase(*lower_text_);
  }
  return *lower_text_;
}

}  // namespace leafscore::internal
