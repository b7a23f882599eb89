// The Berkeley Function Calling Leaderboard's checker of calls, for its Python categories (bfcl-eval
// 2026.3.23).
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/compact_text.h"
#include "engine/scorers/tool_calls/origins.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr CallMode kBfclModes[] = {CallMode::kAnyOrder};

enum class BfclType : std::uint8_t { kText, kInteger, kFloat, kBoolean, kList, kDict, kOther };

BfclType TypeOf(const OriginSides& sides, ValueRef schema) {
  constexpr std::pair<std::string_view, BfclType> kTypes[] = {
      {"string", BfclType::kText}, {"any", BfclType::kText},     {"integer", BfclType::kInteger},
      {"float", BfclType::kFloat}, {"number", BfclType::kFloat}, {"boolean", BfclType::kBoolean},
      {"array", BfclType::kList},  {"tuple", BfclType::kList},   {"dict", BfclType::kDict},
      {"object", BfclType::kDict}};
  const ValueRef type = MemberNamed(schema, "type", *sides.shapes);
  for (const auto& [name, known] : kTypes) {
    if (IsText(type, name)) return known;
  }
  return BfclType::kOther;
}

// Returns the Python type of a value.
BfclType KindOf(ValueRef value) {
  switch (value.kind()) {
    case ValueKind::kNull:
      return BfclType::kOther;
    case ValueKind::kTrue:
    case ValueKind::kFalse:
      return BfclType::kBoolean;
    case ValueKind::kNumber:
      return IsIntegerToken(value.table->leaf_token(value.node)) ? BfclType::kInteger : BfclType::kFloat;
    case ValueKind::kArray:
      return BfclType::kList;
    case ValueKind::kObject:
      return BfclType::kDict;
    default:
      return BfclType::kText;
  }
}

bool IsEmptyText(ValueRef value) { return IsAnyText(value) && value.table->token(value.node).empty(); }

// Returns a text in lower case, without blanks and , . / - _ * ^, and with " in place of each '.
std::string Standard(ValueRef text) {
  std::string standard;
  AppendStringText(*text.table, text.node, standard);
  std::erase_if(standard,
                [](char c) { return std::string_view(" ,./-_*^").find(c) != std::string_view::npos; });
  ToLowerCase(standard);
  std::ranges::replace(standard, '\'', '"');
  return standard;
}

// Tells whether two values are equal after standardising texts at their top level.
bool EqualStandard(const OriginSides& sides, ValueRef a, ValueRef b) {
  if (IsAnyText(a) && IsAnyText(b)) return Standard(a) == Standard(b);
  return sides.PyEqual(a, b);
}

bool EqualLists(const OriginSides& sides, ValueRef answer, ValueRef list) {
  if (!IsArray(answer)) return false;
  std::vector<ValueRef> wanted;
  std::vector<ValueRef> given;
  ListChildren(answer, wanted);
  ListChildren(list, given);
  return std::ranges::equal(wanted, given,
                            [&](ValueRef a, ValueRef b) { return EqualStandard(sides, a, b); });
}

std::vector<ValueRef> AnswersOf(ValueRef answers) {
  std::vector<ValueRef> listed;
  if (IsArray(answers)) ListChildren(answers, listed);
  return listed;
}

// Tells whether an object has only keys of the answer, each with an accepted value. A key may be missing if
// "" is among its accepted values.
bool FitsDict(const OriginSides& sides, ValueRef answer, ValueRef value) {
  if (!IsObject(answer) || !IsObject(value)) return false;
  const bool known = AllMembers(value, *sides.shapes, [&](std::string_view key, ValueRef given) {
    const ValueRef answers = MemberNamed(answer, key, *sides.shapes);
    if (!answers.present()) return false;
    return std::ranges::any_of(AnswersOf(answers),
                               [&](ValueRef each) { return EqualStandard(sides, each, given); });
  });
  return known && AllMembers(answer, *sides.shapes, [&](std::string_view key, ValueRef answers) {
           return MemberNamed(value, key, *sides.shapes).present() ||
                  std::ranges::any_of(AnswersOf(answers), IsEmptyText);
         });
}

// Tells whether a list of objects matches an answer, by position. The answer "" matches only an empty list.
bool FitsDicts(const OriginSides& sides, ValueRef answer, ValueRef list) {
  std::vector<ValueRef> given;
  ListChildren(list, given);
  if (IsEmptyText(answer)) return given.empty();
  if (!IsArray(answer)) return false;
  std::vector<ValueRef> wanted;
  ListChildren(answer, wanted);
  return std::ranges::equal(wanted, given, [&](ValueRef a, ValueRef b) { return FitsDict(sides, a, b); });
}

bool HasRightType(BfclType type, ValueRef value) {
  const BfclType kind = KindOf(value);
  return kind == type || (type == BfclType::kFloat && kind == BfclType::kInteger);
}

bool FitsParameter(const OriginSides& sides, ValueRef schema, ValueRef value,
                   const std::vector<ValueRef>& answers) {
  const BfclType type = TypeOf(sides, schema);
  const auto first = std::ranges::find_if_not(answers, IsEmptyText);
  const bool has_answers = first != answers.end();
  const bool is_of_their_kind = has_answers && KindOf(*first) == KindOf(value);
  const auto equals_one = [&](ValueRef each) { return sides.PyEqual(each, value); };
  // A value that does not have the parameter's type passes only if it has the type of the answers and equals
  // one of them.
  if (!HasRightType(type, value)) {
    return is_of_their_kind && std::ranges::any_of(answers, equals_one);
  }
  // Equality also decides if the answers have another type than the value, such as the name of a variable.
  const bool is_variable = has_answers && !is_of_their_kind;
  if (is_variable) return std::ranges::any_of(answers, equals_one);
  if (type == BfclType::kList) {
    const ValueRef items = MemberNamed(schema, "items", *sides.shapes);
    if (items.present()) {
      const BfclType of_items = TypeOf(sides, items);
      std::vector<ValueRef> elements;
      ListChildren(value, elements);
      std::vector<ValueRef> wanted;
      if (first != answers.end() && IsArray(*first)) ListChildren(*first, wanted);
      const bool fits = std::ranges::all_of(elements, [&](ValueRef element) {
        return HasRightType(of_items, element) ||
               (!wanted.empty() && KindOf(wanted.front()) == KindOf(element));
      });
      if (!fits) return false;
      if (of_items == BfclType::kDict) {
        return std::ranges::any_of(answers, [&](ValueRef each) { return FitsDicts(sides, each, value); });
      }
    }
    return std::ranges::any_of(answers, [&](ValueRef each) { return EqualLists(sides, each, value); });
  }
  if (type == BfclType::kDict) {
    return std::ranges::any_of(answers, [&](ValueRef each) { return FitsDict(sides, each, value); });
  }
  if (type == BfclType::kText && IsAnyText(value)) {
    return std::ranges::any_of(answers, [&](ValueRef each) { return EqualStandard(sides, each, value); });
  }
  return std::ranges::any_of(answers, equals_one);
}

// Tells whether a call matches an answer {name: {parameter: [answers]}}.
bool FitsAnswer(const OriginSides& sides, std::span<const ValueRef> functions, ValueRef answer,
                const ToolCall& call) {
  const auto& shapes = *sides.shapes;
  if (!IsObject(answer) || shapes.member_count(answer.table->shape(answer.node)) == 0) return false;
  const std::string_view name = shapes.Keys(answer.table->shape(answer.node)).front();
  const ValueRef parameters{answer.table, answer.node + 1};
  const auto function = std::ranges::find_if(
      functions, [&](ValueRef each) { return IsText(MemberNamed(each, "name", shapes), name); });
  if (function == functions.end() || call.name != name || call.bad_arguments) return false;
  const ValueRef schema = MemberNamed(*function, "parameters", shapes);
  const ValueRef properties = MemberNamed(schema, "properties", shapes);
  const ValueRef required = MemberNamed(schema, "required", shapes);
  const bool has_required = !IsArray(required) || ForEachChild(required, [&](ValueRef key) {
    return IsAnyText(key) && MemberNamed(call.arguments, sides.reader->TextOf(key), shapes).present();
  });
  if (!has_required) return false;
  const bool fits = AllMembers(call.arguments, shapes, [&](std::string_view key, ValueRef value) {
    const ValueRef property = MemberNamed(properties, key, shapes);
    const ValueRef answers = MemberNamed(parameters, key, shapes);
    return property.present() && answers.present() &&
           FitsParameter(sides, property, value, AnswersOf(answers));
  });
  return fits && AllMembers(parameters, shapes, [&](std::string_view key, ValueRef answers) {
           return MemberNamed(call.arguments, key, shapes).present() ||
                  std::ranges::any_of(AnswersOf(answers), IsEmptyText);
         });
}

OriginScore ScoreBfcl(const OriginSides& sides) {
  const ValueRef functions = MemberNamed(sides.expected_value, "function", *sides.shapes);
  const ValueRef truth = MemberNamed(sides.expected_value, "ground_truth", *sides.shapes);
  if (!IsArray(functions) || !IsArray(truth)) {
    return {.expected_fault = "give {function: [...], ground_truth: [{name: {parameter: [answers]}}]}"};
  }
  std::vector<ValueRef> described;
  std::vector<ValueRef> answers;
  ListChildren(functions, described);
  ListChildren(truth, answers);
  if (answers.size() != sides.actual.size()) return {};
  const std::size_t found =
      CountGreedily(answers.size(), sides.actual.size(), [&](std::size_t e, std::size_t a) {
        return FitsAnswer(sides, described, answers[e], sides.actual[a]);
      });
  return {.score = found == answers.size() ? 1.0 : 0.0};
}

}  // namespace

constinit const Origin kBfclOrigin = {
    kBfclModes,
    {},
    true,
    ScoreBfcl,
    {.strips_quotes = true, .drops_positional = true, .computes = true, .nests_calls = true}};

}  // namespace leafscore::internal
