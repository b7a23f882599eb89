#include "engine/scorers/pair_selector.h"

#include <fmt/format.h>

#include "engine/base/suggest.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_view.h"
#include "engine/json/json_writer.h"
#include "engine/languages/python_repr.h"
#include "engine/scorers/accepted_values.h"

namespace leafscore::internal {
namespace {

std::string MissingPathMessage(const TargetPath& path, std::string_view side) {
  return fmt::format("the path \"{}\" is missing in the {} value", path.text, side);
}

}  // namespace

PairSelector::PairSelector(const PairSelectorOptions* options, WorkerTools tools)
    : options_(options),
      shapes_(tools.shapes),
      held_json_(options, tools),
      unwrapper_(options->unwraps(), tools, options->sought_any_of_key()),
      unexpected_leaves_(tools.shapes) {
  for (const TargetPath& path : options->paths()) {
    expected_followers_.emplace_back(&path, tools.shapes);
    actual_followers_.emplace_back(&path, tools.shapes);
    named_paths_.paths.push_back({path.text, kTargetOutputKeyOption.name});
  }
  if (options->sought_any_of_key().empty()) return;
  any_of_key_.paths.push_back({options->sought_any_of_key(), kAnyOfKeyOption.name});
}

void PairSelector::AppendNamedPaths(std::vector<NamedPaths>& rows) const {
  if (!options_->whole() && options_->selects_expected()) rows.push_back(named_paths_);
  if (!any_of_key_.paths.empty()) {
    rows.push_back({any_of_key_.paths, named_paths_.values, any_of_key_.found, named_paths_.first});
  }
}

bool PairSelector::HasAnyOfKey(ValueRef expected) const {
  const LeafTable& table = *expected.table;
  for (NodeId node = expected.node; node != table.end(expected.node); ++node) {
    const bool has_key =
        table.kind(node) == ValueKind::kObject &&
        shapes_->FindMember(table.shape(node), options_->sought_any_of_key()) != ShapeTable::kNoMember;
    if (has_key) return true;
  }
  return false;
}

void PairSelector::Begin(const PairBatch& batch) {
  batch_ = &batch;
  for (PathFollower& follower : expected_followers_) follower.Reset();
  for (PathFollower& follower : actual_followers_) follower.Reset();
  held_json_.Begin();
  unwrapper_.BeginBatch();
  named_paths_.values = 0;
  named_paths_.found.assign(options_->paths().size(), 0);
  any_of_key_.found.assign(any_of_key_.paths.size(), 0);
  default_expected_ = {};
  if (options_->default_expected_json()) {
    default_expected_ = held_json_.texts().Add(*options_->default_expected_json());
  }
  if (options_->rules() != SelectionRules::kOurs) empty_object_ = held_json_.texts().Add("{}");
}

void PairSelector::SetNoActual(std::uint32_t record, ScoreColumns& columns) const {
  const bool of_calls = selects_calls_field();
  if (of_calls ? batch_->calls_unreadable[record] : batch_->actual_unreadable[record]) {
    return SetUnreadable(record,
                         of_calls ? "the text of the calls cannot be read" : "the actual text cannot be read",
                         columns);
  }
  SetUnscored(record, Outcome::kUnanswered, RejectReason::kMissingActual,
              of_calls ? "the record lacks the calls field " + QuoteForMessage(batch_->calls_field)
                       : "the record has no actual value",
              columns);
}

void PairSelector::Unwrap(ValueRef expected, ValueRef& actual) {
  if (!unwraps() || !IsStructure(expected) || !IsStructure(actual)) return;
  NodeId member = kNoNode;
  unwrapped_ |= unwrapper_.Unwrap(expected, actual, member);
}

bool PairSelector::ApplyRules(std::uint32_t record, ValueRef expected, ValueRef& actual,
                              ScoreColumns& columns) const {
  if (options_->rules() == SelectionRules::kUiPath && expected.present()) {
    const bool fits =
        IsString(expected.kind()) || (options_->selects_expected() && expected.kind() == ValueKind::kObject);
    if (!fits) {
      SetRecordError(record, RejectReason::kBadCriteria,
                     options_->selects_expected() ? "the expected value is neither an object nor a text"
                                                  : "the expected value is not a text",
                     columns);
      return false;
    }
  }
  if (!actual.present()) return true;
  const bool is_empty_text =
      actual.kind() == ValueKind::kString && actual.table->leaf_token(actual.node).empty();
  if (is_empty_text || actual.kind() == ValueKind::kNull) actual = empty_object_;
  return true;
}

void PairSelector::SelectOlder(std::uint32_t record, ValueRef expected, ValueRef actual,
                               ScoreColumns& columns) {
  if (!actual.present()) {
    parts_.push_back(whole_);
    return SetNoActual(record, columns);
  }
  const bool is_equality = options_->rules() == SelectionRules::kUiPathOlderEquality;
  const bool follows =
      !is_equality || (expected.kind() == ValueKind::kObject && actual.kind() == ValueKind::kObject);
  for (std::size_t p = 0; p < options_->paths().size(); ++p) {
    SelectedPart part{expected, actual, &options_->paths()[p]};
    if (follows) {
      part.expected = expected_followers_[p].Follow(expected);
      part.actual = actual_followers_[p].Follow(actual);
      named_paths_.found[p] += part.expected.present();
      if (is_equality && !(part.expected.present() && part.actual.present()))
        part.expected = part.actual = {};
      if (!part.expected.present()) part.expected = empty_object_;
      if (!part.actual.present()) part.actual = empty_object_;
    }
    parts_.push_back(part);
  }
}

void PairSelector::Select(std::uint32_t record, bool expected_optional, ScoreColumns& columns) {
  ValueRef expected = batch_->expected_value(record);
  ValueRef actual = options_->reads_calls() ? batch_->calls_value(record) : batch_->actual_value(record);
  if (!expected.present()) expected = default_expected_;
  unwrapped_.reset();
  const bool reads_texts = options_->reading() != TextReading::kNone;
  answer_was_read_ = reads_texts && held_json_.ReadTexts(expected, actual);
  Unwrap(expected, actual);
  answer_is_of_other_kind_ = reads_texts && actual.present() && held_json_.ExpectsStructure(expected) &&
                             !held_json_.IsExpectedKind(expected, actual.kind());
  if (!expected.present() && !expected_optional) {
    return SetRecordError(record, RejectReason::kMissingExpected, "the record has no expected value",
                          columns);
  }
  const SelectionRules rules = options_->rules();
  if (rules != SelectionRules::kOurs && !ApplyRules(record, expected, actual, columns)) return;
  parts_.clear();
  const bool is_list = rules == SelectionRules::kUiPath && builds_object();  // for two objects, even with "*"
  whole_ = {expected, actual, options_->paths().data()};
  if (options_->whole() && !is_list) {
    CountValue(expected);
    parts_.push_back(whole_);
    if (!actual.present()) SetNoActual(record, columns);
    return;
  }
  if (is_older()) {
    CountValue(expected);
    return SelectOlder(record, expected, actual, columns);
  }
  const bool selects_expected = expected.present() && options_->selects_expected();
  if (selects_expected && IsString(expected.kind())) {
    ParsedText& parsed = held_json_.texts().Push();
    AppendStringText(*expected.table, expected.node, parsed.text);
    const JsonResult result = held_json_.texts().Read(parsed);
    if (result.root == kNoNode) {
      return SetRecordError(record, RejectReason::kInvalidExpectedJson,
                            "with target_output_key, an expected text must be JSON, but at byte " +
                                std::to_string(result.offset) + ", " + result.message,
                            columns);
    }
    expected = {&parsed.table, result.root};
  }
  CountValue(expected);
  if (is_list) {
    if (selects_expected && expected.kind() != ValueKind::kObject) {
      return SetRecordError(record, RejectReason::kTargetKeyNotFound,
                            "with a list of paths, the expected value must be an object", columns);
    }
    if (actual.present() && actual.kind() != ValueKind::kObject) {
      return SetUnscored(record, Outcome::kUnreadable, RejectReason::kTargetKeyNotFound,
                         "with a list of paths, the actual value must be an object", columns);
    }
  }
  const TargetPath* missing = nullptr;
  const TargetPath* missing_expected = nullptr;
  for (std::size_t p = 0; p < options_->paths().size(); ++p) {
    const TargetPath& path = options_->paths()[p];
    SelectedPart part{expected, {}, &path};
    if (selects_expected) {
      part.expected = expected_followers_[p].Follow(expected);
      named_paths_.found[p] += part.expected.present();
      if (!part.expected.present() && missing_expected == nullptr) missing_expected = &path;
    }
    if (actual.present()) {
      part.actual = actual_followers_[p].Follow(actual);
      if (!part.actual.present() && missing == nullptr) missing = &path;
    }
    parts_.push_back(part);
  }
  if (missing_expected != nullptr) {
    SetUnscored(record, Outcome::kError, RejectReason::kTargetKeyNotFound,
                MissingPathMessage(*missing_expected, "expected"), columns);
  } else if (!actual.present()) {
    SetNoActual(record, columns);
  } else if (missing != nullptr) {
    SetUnscored(record, Outcome::kUnreadable, RejectReason::kTargetKeyNotFound,
                MissingPathMessage(*missing, "actual"), columns);
  }
}

double PairSelector::UnexpectedShare() {
  if (options_->reading() == TextReading::kNone || !options_->any_of_key().empty()) return 0;
  const bool reads_texts = options_->reading() == TextReading::kBesideStructure;
  const std::size_t kept_texts = held_json_.texts().size();
  std::uint64_t unexpected = 0;
  std::uint64_t leaves = 0;
  for (const SelectedPart& part : parts_) {
    ValueRef expected = part.expected;
    ValueRef actual = part.actual;
    if (!expected.present() || !actual.present()) continue;
    if (reads_texts) {
      held_json_.ReadWholeJson(expected);
      if (IsStructure(expected)) held_json_.ReadWholeJson(actual);
    }
    unexpected += unexpected_leaves_.Count(expected, actual, reads_texts);
    leaves += actual.table->leaf_count(actual.node);
  }
  held_json_.texts().Truncate(kept_texts);
  return ShareOfLeaves(unexpected, leaves);
}

void PairSelector::AppendText(bool expected_side, TextForm form, std::string& out) const {
  if (!options_->builds_object()) {
    AppendTextOf(Side(parts_[0], expected_side), form, out);
  } else if (form == TextForm::kPython) {
    AppendPythonObject(expected_side, out);
  } else {
    AppendObject(expected_side, AppendCompactJson, out);
  }
}

void PairSelector::AppendLineText(bool expected_side, TextForm form, std::string& out) const {
  const TargetPath& path = options_->paths().front();
  ValueRef value = Side(is_older() ? whole_ : parts_[0], expected_side);
  if (options_->rules() != SelectionRules::kOurs && !options_->whole()) {
    value = MemberOrSelf(value, path);
    if (is_older() && !expected_side) value = MemberOrSelf(value, path);
  }
  if (!is_older()) return AppendTextOf(value, form, out);
  AppendPythonText(*value.table, *shapes_, value.node, out, PythonNumbers::kAsRead);
}

ValueRef PairSelector::MemberOrSelf(ValueRef value, const TargetPath& path) const {
  const JsonView member = JsonView(*value.table, *shapes_, value.node).Member(path.text);
  return member.present() ? ValueRef{value.table, member.node()} : value;
}

void PairSelector::AppendTextOf(ValueRef value, TextForm form, std::string& out) const {
  if (form == TextForm::kPython) return AppendPythonText(*value.table, *shapes_, value.node, out);
  AppendValueText(*value.table, *shapes_, value.node, out);
}

void PairSelector::AppendJson(bool expected_side, std::string& out) const {
  const ValueRef value = Side(parts_[0], expected_side);
  if (!value.present()) {
    out += "null";
  } else if (options_->builds_object()) {
    AppendObject(expected_side, AppendStandardJson, out);
  } else {
    AppendStandardJson(*value.table, *shapes_, value.node, out);
  }
}

void PairSelector::AppendObject(bool expected_side, decltype(&AppendCompactJson) append_json,
                                std::string& out) const {
  JsonWriter json(out, JsonLayout::kCompact);
  json.StartObject();
  for (const SelectedPart& part : parts_) {
    const ValueRef value = Side(part, expected_side);
    append_json(*value.table, *shapes_, value.node, json.Key(part.path->text).RawValue());
  }
  json.EndObject();
}

void PairSelector::AppendPythonObject(bool expected_side, std::string& out) const {
  JsonWriter python(out, JsonLayout::kOneLine);
  std::string key;
  python.StartObject();
  for (const SelectedPart& part : parts_) {
    const ValueRef value = Side(part, expected_side);
    key.clear();
    AppendPythonString(part.path->text, key);
    AppendPythonItem(*value.table, *shapes_, value.node, python.RawKey(key).RawValue());
  }
  python.EndObject();
}

}  // namespace leafscore::internal
