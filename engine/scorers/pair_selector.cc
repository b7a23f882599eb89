#include "engine/scorers/pair_selector.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/choices.h"
#include "engine/base/suggest.h"
#include "engine/config/config_json.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_view.h"
#include "engine/json/json_writer.h"
#include "engine/languages/python_repr.h"
#include "engine/languages/python_text.h"
#include "engine/scorers/accepted_values.h"
#include "engine/text/answer_scan.h"

namespace leafscore::internal {
namespace {

std::string MissingPathMessage(const TargetPath& path, std::string_view side) {
  return fmt::format("the path \"{}\" is missing in the {} value", path.text, side);
}

bool IsText(ValueRef value) { return value.present() && IsString(value.kind()); }
bool IsStructure(ValueRef value) { return value.present() && IsContainer(value.kind()); }

// Tells with a quick check that a text contains no object or array.
bool IsPlainText(ValueRef text) {
  return text.table->token(text.node).find_first_of("{[") == std::string_view::npos;
}

// Tells whether a value is an object or array, or a text that begins like one.
bool LooksLikeStructure(ValueRef value) {
  if (!IsText(value)) return IsStructure(value);
  std::string_view token = value.table->token(value.node);
  while (!token.empty()) {
    if (token[0] == ' ') {
      token.remove_prefix(1);
    } else if (token.starts_with("\\n") || token.starts_with("\\r") || token.starts_with("\\t")) {
      token.remove_prefix(2);
    } else {
      return token[0] == '{' || token[0] == '[';
    }
  }
  return false;
}

}  // namespace

TextForm ReadTextForm(const OptionReader& options) {
  constexpr std::string_view kForms[] = {"json", "python"};
  return options.GetChoice(kTextOfOption.name, 0, kForms) == 1 ? TextForm::kPython : TextForm::kCompactJson;
}

PairSelectorOptions::PairSelectorOptions(const OptionReader& options, SelectedSides sides,
                                         SelectionRules rules)
    : sides_(sides), rules_(rules) {
  const std::optional<ConfigValue> given = options.GetAny(kTargetOutputKeyOption.name);
  is_list_ = given && given->kind == ConfigValue::Kind::kList;
  std::vector<std::string> texts = options.GetTextList(kTargetOutputKeyOption.name);
  if (!given) texts = {"*"};
  if (!is_list_) options.Note(kTargetOutputKeyOption.name, TextValue(texts.front()));
  if (texts.empty()) {
    throw options.MakeError(kTargetOutputKeyOption.name, "the list is empty; name at least one path");
  }
  for (const std::string& text : texts) {
    const auto is_this = [&](const TargetPath& path) { return path.text == text; };
    if (std::ranges::any_of(paths_, is_this)) continue;  // an object has each key once
    std::optional<TargetPath> path = TargetPath::Parse(text);
    if (!path) {
      throw options.MakeError(kTargetOutputKeyOption.name, "\"" + text +
                                                               "\" is not a path; write it like a.b[0].c, or "
                                                               "\"*\" for the whole value");
    }
    paths_.push_back(*std::move(path));
  }
  if (const std::optional<ConfigValue> value = options.GetAny(kDefaultExpectedOption.name)) {
    default_expected_json_.emplace();
    AppendConfigAsJson(*value, *default_expected_json_);
  }
}

void PairSelectorOptions::ReadParseTexts(const OptionReader& options) {
  std::vector<std::string_view> names;
  for (const auto& choice : kParseTextsChoices) names.push_back(choice.name);
  if (options.GetAny(kParseTextsOption.name)) {
    parse_texts_ = kParseTextsChoices[options.GetChoice(kParseTextsOption.name, 0, names)].choice;
  }
}

void PairSelectorOptions::ReadUnwraps(const OptionReader& options, bool is_seed) {
  if (!is_seed && options.Has(kUnwrapOption.name)) {
    throw options.MakeError(kUnwrapOption.name,
                            "this revision compares answers as they are; leave the option out");
  }
  unwraps_ = ReadUnwrap(options, kWholeEnvelopeNames, {});
}

PairSelectorOptions PairSelectorOptions::OfStructure(const OptionReader& options, SelectionRules rules) {
  PairSelectorOptions selection(options, SelectedSides::kBoth, rules);
  selection.reading_ = TextReading::kStructure;
  if (rules != SelectionRules::kOurs) selection.parse_texts_ = ParseTexts::kNever;
  selection.ReadParseTexts(options);
  return selection;
}

PairSelectorOptions PairSelectorOptions::OfAnswersAlone(const OptionReader& options,
                                                        std::optional<ValueKind> wanted) {
  PairSelectorOptions selection(options, SelectedSides::kActual);
  selection.reading_ = TextReading::kAnswer;
  selection.ReadParseTexts(options);
  selection.wanted_ = wanted;
  return selection;
}

PairSelectorOptions PairSelectorOptions::OfAnswers(const OptionReader& options) {
  PairSelectorOptions selection = OfStructure(options);
  selection.reading_ = TextReading::kAnswer;
  return selection;
}

PairSelector::PairSelector(const PairSelectorOptions* options, WorkerTools tools)
    : options_(options),
      shapes_(tools.shapes),
      parse_texts_(options->parse_texts(tools.parse_texts)),
      unwrapper_(options->unwraps(), tools, options->sought_any_of_key()),
      unexpected_leaves_(tools.shapes),
      parsed_texts_(tools),
      answer_reader_(tools.shapes, tools.json.max_depth) {
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
  parsed_texts_.Truncate(0);
  unwrapper_.BeginBatch();
  json_in_texts_ = {};
  named_paths_.values = 0;
  named_paths_.found.assign(options_->paths().size(), 0);
  any_of_key_.found.assign(any_of_key_.paths.size(), 0);
  default_expected_ = {};
  if (options_->default_expected_json()) {
    ParsedText& parsed = parsed_texts_.Push();
    parsed.text = *options_->default_expected_json();
    default_expected_ = {&parsed.table, parsed_texts_.Read(parsed).root};
  }
  if (options_->rules() != SelectionRules::kOurs) {
    ParsedText& parsed = parsed_texts_.Push();
    parsed.text = "{}";
    empty_object_ = {&parsed.table, parsed_texts_.Read(parsed).root};
  }
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

void PairSelector::ReadTexts(ValueRef& expected, ValueRef& actual) {
  const bool is_expected_text = IsText(expected);
  const bool is_actual_text = IsText(actual);
  if (is_expected_text || is_actual_text) {
    const bool always = parse_texts_ == ParseTexts::kAlways;
    const bool of_two_texts = always || options_->reading() != TextReading::kBesideStructure;
    bool parsed = false;
    if (parse_texts_ != ParseTexts::kNever) {
      // Read the expected side first, because it decides how two texts are read. If the actual value is an
      // object, an expected text stays a text.
      if (is_expected_text && (always || (is_actual_text && of_two_texts))) parsed |= ReadHeldJson(expected);
      std::optional<ValueKind> wanted = options_->wanted();
      if (!wanted && is_actual_text && ExpectsStructure(expected)) wanted = expected.kind();
      if (is_actual_text && (always || wanted)) {
        parsed |= answer_was_read_ = ReadHeldJson(actual) || (wanted && ReadAnswerText(*wanted, actual));
      }
    }
    json_in_texts_.parsed += parsed;
    json_in_texts_.as_texts += !parsed && LooksLikeStructure(expected) && LooksLikeStructure(actual);
  }
}

void PairSelector::Unwrap(ValueRef expected, ValueRef& actual) {
  if (!unwraps() || !IsStructure(expected) || !IsStructure(actual)) return;
  NodeId member = kNoNode;
  unwrapped_ |= unwrapper_.Unwrap(expected, actual, member);
}

bool PairSelector::ExpectsStructure(ValueRef expected) const {
  if (!IsStructure(expected) || options_->any_of_key().empty()) return IsStructure(expected);
  std::vector<ValueRef> accepted;
  ListAccepted(expected, *shapes_, options_->any_of_key(), accepted);
  return std::ranges::any_of(accepted, IsStructure);
}

bool PairSelector::IsExpectedKind(ValueRef expected, ValueKind kind) const {
  if (options_->any_of_key().empty()) return expected.kind() == kind;
  std::vector<ValueRef> accepted;
  ListAccepted(expected, *shapes_, options_->any_of_key(), accepted);
  return std::ranges::any_of(
      accepted, [&](ValueRef value) { return !IsContainer(value.kind()) || value.kind() == kind; });
}

bool PairSelector::ReadHeldJson(ValueRef& text) {
  if (IsPlainText(text)) return false;
  ParsedText& parsed = parsed_texts_.Push();
  AppendStringText(*text.table, text.node, parsed.text);
  // Strings in the JSON may contain labels and fences themselves, so remove each only if necessary.
  if (ReadParsed(parsed, text)) return true;
  for (const auto& inner : {SkipAnswerLabel, FenceContent}) {
    const std::string_view whole = StripSpace(parsed.text);
    const std::string_view held = inner(whole);
    if (held.size() == whole.size()) continue;
    parsed.text = std::string(held);
    if (ReadParsed(parsed, text)) return true;
  }
  parsed_texts_.Truncate(parsed_texts_.size() - 1);
  return false;
}

bool PairSelector::ReadAnswerText(ValueKind expected, ValueRef& text) {
  const bool reads_prose = options_->reading() == TextReading::kAnswer || parse_texts_ == ParseTexts::kProse;
  if (!reads_prose || IsPlainText(text)) return false;
  std::string whole;
  AppendStringText(*text.table, text.node, whole);
  const std::string_view content = SkipAnswerLabel(StripSpace(whole));
  std::vector<std::string_view> stretches =
      FindOuterBrackets(content, expected == ValueKind::kObject ? '{' : '[');
  const std::string_view fence = FenceContent(content);
  const auto holds_fence = [&](std::string_view stretch) {
    return stretch.data() < fence.data() && fence.data() < stretch.data() + stretch.size();
  };
  const bool has_fence = fence.size() != content.size() && std::ranges::none_of(stretches, holds_fence);
  if (has_fence) {
    const std::vector<std::string_view> fenced =
        FindOuterBrackets(fence, expected == ValueKind::kObject ? '{' : '[');
    stretches.insert(stretches.begin(), fenced.begin(),
                     fenced.end());  // the others only if these are not JSON
  }
  for (const std::string_view stretch : stretches) {
    ParsedText& parsed = parsed_texts_.Push();
    parsed.text = std::string(stretch);
    if (ReadParsed(parsed, text)) return true;
    answer_reader_.Read(stretch, CountRule::kNone, read_answer_);
    const bool is_structure =
        read_answer_.root != kNoNode && IsContainer(read_answer_.table.kind(read_answer_.root));
    if (is_structure) {
      parsed.text.clear();
      AppendCompactJson(read_answer_.table, *shapes_, read_answer_.root, parsed.text);
      if (ReadParsed(parsed, text)) return true;
    }
    parsed_texts_.Truncate(parsed_texts_.size() - 1);
  }
  return false;
}

bool PairSelector::ReadWholeJson(ValueRef& text) {
  if (!IsText(text) || IsPlainText(text)) return false;
  ParsedText& parsed = parsed_texts_.Push();
  AppendStringText(*text.table, text.node, parsed.text);
  if (ReadParsed(parsed, text)) return true;
  parsed_texts_.Truncate(parsed_texts_.size() - 1);
  return false;
}

bool PairSelector::ReadParsed(ParsedText& parsed, ValueRef& text) {
  const ValueRef value{&parsed.table, parsed_texts_.Read(parsed).root};
  if (value.node == kNoNode || !IsContainer(value.kind())) return false;
  text = value;
  return true;
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
  answer_was_read_ = answer_is_of_other_kind_ = false;
  unwrapped_.reset();
  const bool reads_texts = options_->reading() != TextReading::kNone;
  if (reads_texts) ReadTexts(expected, actual);
  Unwrap(expected, actual);
  if (reads_texts && actual.present() && ExpectsStructure(expected)) {
    answer_is_of_other_kind_ = !IsExpectedKind(expected, actual.kind());
  }
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
    ParsedText& parsed = parsed_texts_.Push();
    AppendStringText(*expected.table, expected.node, parsed.text);
    const JsonResult result = parsed_texts_.Read(parsed);
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
  const std::size_t kept_texts = parsed_texts_.size();
  std::uint64_t unexpected = 0;
  std::uint64_t leaves = 0;
  for (const SelectedPart& part : parts_) {
    ValueRef expected = part.expected;
    ValueRef actual = part.actual;
    if (!expected.present() || !actual.present()) continue;
    if (reads_texts) {
      ReadWholeJson(expected);
      if (IsStructure(expected)) ReadWholeJson(actual);
    }
    unexpected += unexpected_leaves_.Count(expected, actual, reads_texts);
    leaves += actual.table->leaf_count(actual.node);
  }
  parsed_texts_.Truncate(kept_texts);
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
