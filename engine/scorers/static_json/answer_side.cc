#include "engine/scorers/static_json/answer_side.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/json/compact_text.h"
#include "engine/languages/python_text.h"
#include "engine/scorers/static_json/choice_letter.h"
#include "engine/text/answer_scan.h"

namespace leafscore::internal {

void AnswerSide::Read(ValueRef given, const ShapeTable& shapes, AnswerReader& reader) {
  was_text_ = IsString(given.kind());
  is_text_ = false;
  is_blank_ = given.kind() == ValueKind::kNull;
  marks_tuples_ = false;
  value_ = given;
  members_.clear();
  read_.steps = {};
  if (was_text_) {
    given_.clear();
    AppendStringText(*given.table, given.node, given_);
    is_blank_ = StripSpace(given_).empty();
    reader.Read(given_, CountRule::kStated, read_);
    marks_tuples_ = read_.steps.rung == AnswerRung::kPython;
    value_ = {&read_.table, read_.root};
    is_text_ = !value_.present() || IsString(value_.kind());
    text_ = read_.text;
    if (value_.present() && is_text_) {
      string_.clear();
      AppendStringText(read_.table, read_.root, string_);
      text_ = string_;
    }
    if (is_text_) value_ = {};
  }
  is_object_ = value_.present() && value_.kind() == ValueKind::kObject;
  if (!is_object_) return;
  NodeId node = value_.node + 1;
  for (const std::string_view name : shapes.Keys(value_.table->shape(value_.node))) {
    members_.push_back({name, {value_.table, node}});
    node = value_.table->end(node);
  }
}

void AnswerSide::SetMembers(std::vector<Member> members) {
  was_text_ = is_text_ = is_blank_ = marks_tuples_ = false;
  is_object_ = true;
  value_ = {};
  members_ = std::move(members);
  read_.steps = {};
}

bool AnswerSide::ReadChoice() {
  if (!was_text_) return false;
  const auto [content, label, fence] = FindAnswerContent(given_);
  const std::string_view letter = FindChoiceLetter(content);
  if (letter.empty()) return false;
  read_.root = kNoNode;
  read_.text = text_ = letter;
  const auto begin = static_cast<std::uint32_t>(letter.data() - given_.data());
  read_.steps = {AnswerRung::kText,  label, fence,
                 /*balanced=*/false, begin, begin + 1};
  is_text_ = true;
  is_object_ = false;
  value_ = {};
  members_.clear();
  return true;
}

void AnswerSide::Flatten(AnswerFlattener& flattener, FlatAnswer& flat) const {
  if (was_text_) {
    flattener.FlattenRead(read_, flat);
  } else {
    flattener.FlattenValue(value_, FlatKeys::kAnswer, flat);
  }
}

PythonValue AnswerSide::Find(std::string_view name) const {
  const auto found = std::ranges::find(members_, name, &Member::name);
  return AsPython(found == members_.end() ? ValueRef() : found->value);
}

}  // namespace leafscore::internal
