// ragas' ToolCallAccuracy and ToolCallF1 (ragas 0.4.3).
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/rounding.h"
#include "engine/languages/python_repr.h"
#include "engine/scorers/tool_calls/origins.h"

namespace leafscore::internal {
namespace {

constexpr CallMode kRagasModes[] = {CallMode::kExact, CallMode::kAnyOrder};
constexpr std::string_view kRagasOptions[] = {"duplicates"};

using NamedTexts = std::vector<std::pair<std::string_view, std::string>>;

// Returns the arguments of a call as Python's str() writes them, sorted by their names.
NamedTexts ArgumentTexts(const OriginSides& sides, const ToolCall& call) {
  NamedTexts texts;
  AllMembers(call.arguments, *sides.shapes, [&](std::string_view key, ValueRef value) {
    AppendPythonText(*value.table, *sides.shapes, value.node, texts.emplace_back(key, "").second,
                     PythonNumbers::kAsRead);
    return true;
  });
  std::ranges::sort(texts);
  return texts;
}

struct TextCall {
  std::string_view name;
  NamedTexts arguments;

  auto operator<=>(const TextCall&) const = default;
};

std::vector<TextCall> TextCalls(const OriginSides& sides, std::span<const ToolCall> calls) {
  std::vector<TextCall> texts;
  for (const ToolCall& call : calls) texts.push_back({call.name, ArgumentTexts(sides, call)});
  if (sides.rules->mode == CallMode::kAnyOrder) std::ranges::sort(texts);
  return texts;
}

double Accuracy(const OriginSides& sides) {
  const std::vector<TextCall> expected = TextCalls(sides, sides.expected);
  const std::vector<TextCall> actual = TextCalls(sides, sides.actual);
  if (expected.empty() && actual.empty()) return 1;
  if (expected.empty() || !std::ranges::equal(expected, actual, {}, &TextCall::name, &TextCall::name))
    return 0;
  double sum = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const NamedTexts& wanted = expected[i].arguments;
    const NamedTexts& given = actual[i].arguments;
    if (wanted.empty()) {
      sum += given.empty() ? 1 : 0;
      continue;
    }
    const auto hits = std::ranges::count_if(
        wanted, [&](const auto& text) { return std::ranges::binary_search(given, text); });
    sum += ShareOf(static_cast<std::size_t>(hits), wanted.size());
  }
  return sum / static_cast<double>(expected.size());
}

// Returns the distinct calls of a side.
std::vector<const ToolCall*> SetOf(const OriginSides& sides, std::span<const ToolCall> calls) {
  std::vector<const ToolCall*> set;
  for (const ToolCall& call : calls) {
    const auto equals = [&](const ToolCall* other) {
      if (other->name != call.name) return false;
      const auto has_all = [&](const ToolCall& of, const ToolCall& members) {
        return AllMembers(members.arguments, *sides.shapes, [&](std::string_view key, ValueRef value) {
          const ValueRef given = MemberNamed(of.arguments, key, *sides.shapes);
          return given.present() && sides.PyEqual(value, given);
        });
      };
      return has_all(*other, call) && has_all(call, *other);
    };
    if (std::ranges::none_of(set, equals)) set.push_back(&call);
  }
  return set;
}

double F1OfSets(const OriginSides& sides) {
  constexpr int kDecimals = 4;
  std::vector<ToolCall> all(sides.expected.begin(), sides.expected.end());
  const std::size_t expected = SetOf(sides, sides.expected).size();
  const std::size_t actual = SetOf(sides, sides.actual).size();
  all.insert(all.end(), sides.actual.begin(), sides.actual.end());
  const std::size_t matched = expected + actual - SetOf(sides, all).size();
  if (matched == 0) return 0;
  const double precision = ShareOf(matched, actual);
  const double recall = ShareOf(matched, expected);
  return RoundToDecimals(2 * precision * recall / (precision + recall), kDecimals);
}

OriginScore ScoreRagas(const OriginSides& sides) {
  return {.score = sides.rules->duplicates_once ? F1OfSets(sides) : Accuracy(sides)};
}

}  // namespace

constinit const Origin kRagasOrigin = {kRagasModes, kRagasOptions, false, ScoreRagas};

}  // namespace leafscore::internal
