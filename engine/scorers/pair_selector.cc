#include "engine/scorers/pair_selector.h"

#include <algorithm>
#include <charconv>

#include "engine/compact_text.h"
#include "engine/config_json.h"
#include "engine/json_text.h"

namespace leafscore {
namespace {

// Parses one path, or returns nothing when it is malformed.
std::optional<TargetPath> ParsePath(std::string_view text) {
  TargetPath path{std::string(text), {}};
  if (text == "*") return path;
  std::string_view rest = text;
  while (!rest.empty()) {
    TargetPath::Step step;
    if (rest[0] == '[') {
      const char* const end = rest.data() + rest.size();
      const auto [close, error] = std::from_chars(rest.data() + 1, end, step.position);
      if (error != std::errc() || close == end || *close != ']') return std::nullopt;
      rest.remove_prefix(static_cast<std::size_t>(close - rest.data()) + 1);
    } else {
      const std::size_t size = std::min(rest.find_first_of(".[]"), rest.size());
      if (size == 0) return std::nullopt;
      step.key = rest.substr(0, size);
      rest.remove_prefix(size);
    }
    path.steps.push_back(std::move(step));
    if (!rest.empty() && rest[0] == '.') {
      rest.remove_prefix(1);
      if (rest.empty() || rest[0] == '[') return std::nullopt;
    } else if (!rest.empty() && rest[0] != '[') {
      return std::nullopt;
    }
  }
  if (path.steps.empty()) return std::nullopt;
  return path;
}

}  // namespace

ValueRef TargetPath::Resolve(ValueRef root, const ShapeTable& shapes) const {
  const LeafTable& table = *root.table;
  NodeId node = root.node;
  for (const Step& step : steps) {
    if (step.key.empty()) {
      if (table.kind(node) != ValueKind::kArray) return {};
      NodeId element = node + 1;
      for (std::uint32_t i = 0; i < step.position && element != table.end(node); ++i) {
        element = table.end(element);
      }
      if (element == table.end(node)) return {};
      node = element;
    } else {
      if (table.kind(node) != ValueKind::kObject) return {};
      const std::uint32_t member = shapes.FindMember(table.shape(node), step.key);
      if (member == ShapeTable::kNoMember) return {};
      node = table.Child(node, member);
    }
  }
  return {&table, node};
}

std::string TargetPath::JsonPointer() const {
  std::string pointer;
  for (const Step& step : steps) {
    pointer += '/';
    if (step.key.empty()) {
      pointer += std::to_string(step.position);
    } else {
      AppendPointerToken(pointer, step.key);
    }
  }
  return pointer;
}

PairSelectorOptions::PairSelectorOptions(const OptionReader& options) {
  const std::optional<ConfigValue> given = options.GetAny(kTargetOutputKeyOption.name);
  is_list_ = given && given->kind == ConfigValue::Kind::kList;
  std::vector<std::string> texts = options.GetTextList(kTargetOutputKeyOption.name);
  if (!given) texts = {"*"};
  if (texts.empty()) {
    throw options.MakeError(kTargetOutputKeyOption.name, "the list is empty; name at least one path");
  }
  for (const std::string& text : texts) {
    const auto is_this = [&](const TargetPath& path) { return path.text == text; };
    if (std::ranges::any_of(paths_, is_this)) continue;  // an object has a key once
    std::optional<TargetPath> path = ParsePath(text);
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

void PairSelector::Begin(const PairBatch& batch) {
  batch_ = &batch;
  parsed_text_count_ = 0;
  default_expected_ = {};
  if (options_->default_expected_json()) {
    ParsedText& parsed = NewParsedText();
    parsed.text = *options_->default_expected_json();
    default_expected_ = {&parsed.table, Parse(parsed).root};
  }
}

PairSelector::ParsedText& PairSelector::NewParsedText() {
  if (parsed_text_count_ == parsed_texts_.size()) parsed_texts_.push_back(std::make_unique<ParsedText>());
  ParsedText& parsed = *parsed_texts_[parsed_text_count_++];
  parsed.text.clear();
  return parsed;
}

JsonResult PairSelector::Parse(ParsedText& parsed) {
  reader_.Begin(parsed.text, /*lines=*/false, &parsed.table);
  return reader_.Read(0, static_cast<std::uint32_t>(parsed.text.size()));
}

bool PairSelector::Select(std::uint32_t record, bool expected_optional, ScoreColumns& columns) {
  ValueRef expected = batch_->expected_value(record);
  const ValueRef actual = batch_->actual_value(record);
  if (!expected.present()) expected = default_expected_;
  if (!expected.present() && !expected_optional) {
    SetRecordError(record, RejectReason::kMissingExpected, "the record has no expected value", columns);
    return false;
  }
  if (!actual.present()) {
    SetRecordError(record, RejectReason::kMissingActual, "the record has no actual value", columns);
    return false;
  }
  parts_.clear();
  if (options_->whole()) {
    parts_.push_back({expected, actual, options_->paths().data()});
    return true;
  }
  if (expected.present() && IsString(expected.kind())) {
    ParsedText& parsed = NewParsedText();
    AppendStringText(*expected.table, expected.node, parsed.text);
    const JsonResult result = Parse(parsed);
    if (result.root == kNoNode) {
      SetRecordError(record, RejectReason::kInvalidExpectedJson,
                     "with target_output_key, a text as expected value must be JSON, but at its byte " +
                         std::to_string(result.offset) + " " + result.message,
                     columns);
      return false;
    }
    expected = {&parsed.table, result.root};
  }
  for (const TargetPath& path : options_->paths()) {
    SelectedPart part{{}, path.Resolve(actual, *shapes_), &path};
    if (expected.present()) part.expected = path.Resolve(expected, *shapes_);
    const bool expected_missing = expected.present() && !part.expected.present();
    if (expected_missing || !part.actual.present()) {
      SetRecordError(record, RejectReason::kTargetKeyNotFound,
                     "the path \"" + path.text + "\" is missing in " +
                         (expected_missing ? "the expected value" : "the actual value"),
                     columns);
      return false;
    }
    parts_.push_back(part);
  }
  return true;
}

void PairSelector::AppendText(bool expected_side, std::string& out) const {
  if (options_->builds_object()) {
    AppendObject(expected_side, AppendCompactJson, out);
  } else {
    const ValueRef value = Side(parts_[0], expected_side);
    AppendValueText(*value.table, *shapes_, value.node, out);
  }
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
  char separator = '{';
  for (const SelectedPart& part : parts_) {
    const ValueRef value = Side(part, expected_side);
    out += separator;
    separator = ',';
    AppendJsonString(out, part.path->text);
    out += ':';
    append_json(*value.table, *shapes_, value.node, out);
  }
  out += '}';
}

}  // namespace leafscore
