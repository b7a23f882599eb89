#include "engine/scorers/held_json.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/compact_text.h"
#include "engine/languages/python_text.h"
#include "engine/scorers/accepted_values.h"
#include "engine/text/answer_scan.h"

namespace leafscore::internal {
namespace {

bool IsText(ValueRef value) { return value.present() && IsString(value.kind()); }

// A quick check: tells whether a text cannot contain an object or array.
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

bool HeldJsonReader::ReadTexts(ValueRef& expected, ValueRef& actual) {
  const bool is_expected_text = IsText(expected);
  const bool is_actual_text = IsText(actual);
  if (!is_expected_text && !is_actual_text) return false;
  const bool always = parse_texts_ == ParseTexts::kAlways;
  const bool of_two_texts = always || options_->reading() != TextReading::kBesideStructure;
  bool parsed = false;
  bool was_read = false;
  if (parse_texts_ != ParseTexts::kNever) {
    // Read the expected side first, because it decides how two texts are read. Beside an actual value that is
    // not a text, an expected text stays a text, unless all texts are parsed.
    if (is_expected_text && (always || (is_actual_text && of_two_texts))) parsed |= ReadHeldJson(expected);
    std::optional<ValueKind> wanted = options_->wanted();
    if (!wanted && is_actual_text && ExpectsStructure(expected)) wanted = expected.kind();
    if (is_actual_text && (always || wanted)) {
      was_read = ReadHeldJson(actual) || (wanted && ReadAnswerText(*wanted, actual));
      parsed |= was_read;
    }
  }
  counts_.parsed += parsed;
  counts_.as_texts += !parsed && LooksLikeStructure(expected) && LooksLikeStructure(actual);
  return was_read;
}

bool HeldJsonReader::ExpectsStructure(ValueRef expected) const {
  if (!IsStructure(expected) || options_->any_of_key().empty()) return IsStructure(expected);
  std::vector<ValueRef> accepted;
  ListAccepted(expected, *shapes_, options_->any_of_key(), accepted);
  return std::ranges::any_of(accepted, IsStructure);
}

bool HeldJsonReader::IsExpectedKind(ValueRef expected, ValueKind kind) const {
  if (options_->any_of_key().empty()) return expected.kind() == kind;
  std::vector<ValueRef> accepted;
  ListAccepted(expected, *shapes_, options_->any_of_key(), accepted);
  return std::ranges::any_of(
      accepted, [&](ValueRef value) { return !IsContainer(value.kind()) || value.kind() == kind; });
}

bool HeldJsonReader::ReadHeldJson(ValueRef& text) {
  if (IsPlainText(text)) return false;
  ParsedText& parsed = texts_.Push();
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
  texts_.Truncate(texts_.size() - 1);
  return false;
}

bool HeldJsonReader::ReadAnswerText(ValueKind expected, ValueRef& text) {
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
    ParsedText& parsed = texts_.Push();
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
    texts_.Truncate(texts_.size() - 1);
  }
  return false;
}

bool HeldJsonReader::ReadWholeJson(ValueRef& text) {
  if (!IsText(text) || IsPlainText(text)) return false;
  ParsedText& parsed = texts_.Push();
  AppendStringText(*text.table, text.node, parsed.text);
  if (ReadParsed(parsed, text)) return true;
  texts_.Truncate(texts_.size() - 1);
  return false;
}

bool HeldJsonReader::ReadParsed(ParsedText& parsed, ValueRef& text) {
  const ValueRef value{&parsed.table, texts_.Read(parsed).root};
  if (value.node == kNoNode || !IsContainer(value.kind())) return false;
  text = value;
  return true;
}

}  // namespace leafscore::internal
