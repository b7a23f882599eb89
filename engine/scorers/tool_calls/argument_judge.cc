#include "engine/scorers/tool_calls/argument_judge.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/json/compact_text.h"
#include "engine/languages/python_text.h"
#include "engine/match/assignment.h"
#include "engine/match/deep_equal.h"
#include "engine/scorers/field_accuracy/field_values.h"
#include "engine/scorers/tool_calls/call_keys.h"
#include "engine/text/lower_case.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Returns the text of a string in lower case; a single blank replaces each run of white space.
std::string FoldedText(ValueRef string) {
  std::string text;
  AppendStringText(*string.table, string.node, text);
  FoldCase(text);
  std::string folded;
  const std::string_view stripped = StripSpace(text);
  for (std::size_t at = 0; at < stripped.size();) {
    const std::size_t end = SkipSpace(stripped, at);
    if (end != at) {
      folded += ' ';
      at = end;
    } else {
      folded += stripped[at++];
    }
  }
  return folded;
}

}  // namespace

void CallWork::Fail(RejectReason reason, std::string fault) {
  if (has_failed()) return;
  reason_ = reason;
  fault_ = std::move(fault);
}

bool CallWork::Spend(std::uint64_t steps) {
  if (steps <= steps_left_) {
    steps_left_ -= steps;
    return true;
  }
  Fail(RejectReason::kWorkLimit,
       "comparing the arguments of its calls takes too many steps; leave some out with ignore_tools or args: "
       "ignore");
  return false;
}

void ArgumentJudge::BeginBatch() {
  constexpr std::size_t kKeptRegexes = 256;
  if (regexes_.size() > kKeptRegexes) regexes_.clear();
}

bool ArgumentJudge::Matches(const ArgumentField& field, std::span<const ValueRef> accepted, ValueRef expected,
                            ValueRef actual) {
  if (!work_->Spend((BytesOf(expected) + BytesOf(actual)) / 64)) return false;
  switch (field.match) {
    case ArgumentMatch::kFuzzy: {
      std::vector<ValueRef> e = {expected};
      std::vector<ValueRef> a = {actual};
      const bool arrays = IsArray(expected) && IsArray(actual);
      if (arrays) {
        ListChildren(expected, e);
        ListChildren(actual, a);
      }
      const auto similarity = [&](ValueRef left, ValueRef right) {
        expected_text_.clear();
        actual_text_.clear();
        AppendValueText(*left.table, *shapes_, left.node, expected_text_);
        AppendValueText(*right.table, *shapes_, right.node, actual_text_);
        return fuzzy_->Similarity(expected_text_, actual_text_, field.comparison.jaro_winkler);
      };
      const std::size_t longer = std::max(e.size(), a.size());
      const bool all = arrays && field.comparison.any_order && e.size() * a.size() <= kMaxElementPairs.max;
      double sum = 0;
      if (all) {
        std::vector<double> weights;
        for (const ValueRef left : e) {
          for (const ValueRef right : a) weights.push_back(similarity(left, right));
        }
        AssignmentWorkspace workspace;
        const AssignmentResult best = AssignBest(weights, e.size(), a.size(), workspace);
        for (std::size_t i = 0; i < e.size(); ++i) {
          if (best.column_of_row[i] != kUnassigned) sum += weights[i * a.size() + best.column_of_row[i]];
        }
      } else {
        for (std::size_t i = 0; i < std::min(e.size(), a.size()); ++i) sum += similarity(e[i], a[i]);
      }
      return longer == 0 || sum / static_cast<double>(longer) >= field.comparison.threshold;
    }
    case ArgumentMatch::kAnyOf: {
      if (DeepEqual(expected, actual, walker_)) return true;
      return std::ranges::any_of(accepted, [&](ValueRef value) { return DeepEqual(value, actual, walker_); });
    }
    case ArgumentMatch::kRegex: {
      const JavaScriptRegex* const regex = field.regex != nullptr ? field.regex.get() : RegexOf(expected);
      return regex != nullptr && FitsRegex(*regex, actual);
    }
    case ArgumentMatch::kText:
      if (!IsAnyText(expected) || !IsAnyText(actual)) return DeepEqual(expected, actual, walker_);
      return FoldedText(expected) == FoldedText(actual);
    case ArgumentMatch::kPresent:
      return true;
    default:
      return IsHit(fields_comparer_.Compare(field.comparison, expected, actual).verdict);
  }
}

bool ArgumentJudge::FitsPattern(ValueRef pattern, ValueRef actual) {
  const JavaScriptRegex* const regex = RegexOf(pattern);
  return regex != nullptr && FitsRegex(*regex, actual);
}

bool ArgumentJudge::IsNear(ValueRef near, ValueRef actual) {
  std::vector<ValueRef> operands;
  ListChildren(near, operands);
  const std::optional<double> number = FieldNumber(actual, actual_text_);
  const std::optional<double> expected = FieldNumber(operands[0], expected_text_);
  const std::optional<double> difference = FieldNumber(operands[1], expected_text_);
  return number && std::abs(*number - *expected) <= *difference;
}

const JavaScriptRegex* ArgumentJudge::RegexOf(ValueRef pattern) {
  if (!IsAnyText(pattern)) return nullptr;
  std::string text;
  AppendStringText(*pattern.table, pattern.node, text);
  std::unique_ptr<JavaScriptRegex>& regex = regexes_[text];
  if (regex == nullptr) regex = std::make_unique<JavaScriptRegex>(text, "");
  if (regex->state() == JavaScriptRegex::State::kReady) return regex.get();
  work_->Fail(RejectReason::kInvalidExpectedJson,
              "the expected pattern " + QuoteForMessage(text) + " is not supported: " + regex->fault());
  return nullptr;
}

bool ArgumentJudge::FitsRegex(const JavaScriptRegex& regex, ValueRef actual) {
  if (!IsAnyText(actual)) return false;
  std::string text;
  AppendStringText(*actual.table, actual.node, text);
  const JavaScriptRegex::Search search = regex.Test(text, stop_);
  if (search == JavaScriptRegex::Search::kStopped) {
    throw Error(ErrorCode::kInterrupted, "the run was interrupted");
  }
  if (search == JavaScriptRegex::Search::kTooLong) {
    work_->Fail(RejectReason::kWorkLimit,
                "the search for a regular expression takes too many steps; write it without nested repeats");
  }
  return search == JavaScriptRegex::Search::kFound;
}

}  // namespace leafscore::internal
