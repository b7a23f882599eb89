// UiPath's four evaluators of tool calls (uipath 2.14.44): order, counts, arguments and outputs.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/limits.h"
#include "engine/base/text_map.h"
#include "engine/json/compact_text.h"
#include "engine/languages/python_repr.h"
#include "engine/languages/python_text.h"
#include "engine/scorers/field_accuracy/field_values.h"
#include "engine/scorers/tool_calls/count_test.h"
#include "engine/scorers/tool_calls/origins.h"

namespace leafscore::internal {
namespace {

constexpr CallMode kUiPathModes[] = {CallMode::kInOrder, CallMode::kCounts, CallMode::kSuperset};
constexpr std::string_view kUiPathOptions[] = {"args", "output", "aggregation"};

// Replaces runs of white space in a name by _, drops all other characters except letters, digits, _ and -,
// and cuts the name to 64 characters.
std::string Sanitised(std::string_view name) {
  constexpr std::size_t kMost = 64;
  std::string joined;
  const std::string_view stripped = StripSpace(name);
  for (std::size_t at = 0; at < stripped.size();) {
    const std::size_t end = SkipSpace(stripped, at);
    joined += end != at ? '_' : stripped[at];
    at = end != at ? end : at + 1;
  }
  std::erase_if(joined, [](char c) {
    return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
             c == '-');
  });
  joined.resize(std::min(joined.size(), kMost));
  return joined;
}

// The names of both sides, each sanitised once.
class ToolNames {
 public:
  explicit ToolNames(const OriginSides& sides) : sides_(sides) {
    for (const ToolCall& call : sides.expected) expected_.push_back(Sanitised(call.name));
    for (const ToolCall& call : sides.actual) actual_.push_back(Sanitised(call.name));
  }

  // Tells whether an actual call uses the same tool as an expected call.
  bool Same(std::size_t e, std::size_t a) const {
    const ToolCall& expected = sides_.expected[e];
    const ToolCall& actual = sides_.actual[a];
    if (actual.tool_id.empty()) return expected_[e] == actual_[a];
    return actual.tool_id == (expected.tool_id.empty() ? expected.name : expected.tool_id);
  }

 private:
  const OriginSides& sides_;
  std::vector<std::string> expected_;
  std::vector<std::string> actual_;
};

OriginScore ScoreOrder(const OriginSides& sides, const ToolNames& names) {
  const auto& e = sides.expected;
  const auto& a = sides.actual;
  OriginScore result;
  if (sides.rules->all_or_nothing) {
    bool equal = e.size() == a.size();
    for (std::size_t i = 0; i < e.size() && equal; ++i) equal = names.Same(i, i);
    if (!equal) return result;
    result.score = 1;
    for (const ToolCall& call : e) result.lcs.emplace_back(call.name);
    return result;
  }
  const std::size_t width = a.size() + 1;
  static_assert(kMaxToolCalls.max <= std::numeric_limits<std::uint16_t>::max());
  std::vector<std::uint16_t> lengths((e.size() + 1) * width, 0);
  for (std::size_t i = 1; i <= e.size(); ++i) {
    for (std::size_t j = 1; j <= a.size(); ++j) {
      const std::uint16_t longest = std::max(lengths[(i - 1) * width + j], lengths[i * width + j - 1]);
      lengths[i * width + j] = names.Same(i - 1, j - 1)
                                   ? static_cast<std::uint16_t>(lengths[(i - 1) * width + j - 1] + 1)
                                   : longest;
    }
  }
  for (std::size_t i = e.size(), j = a.size(); i != 0 && j != 0;) {
    if (names.Same(i - 1, j - 1)) {
      result.lcs.emplace_back(e[i - 1].name);
      --i;
      --j;
    } else if (lengths[i * width + j - 1] > lengths[(i - 1) * width + j]) {
      --j;
    } else {
      --i;
    }
  }
  std::ranges::reverse(result.lcs);
  result.score = ShareOf(lengths.back(), e.size());
  return result;
}

OriginScore ScoreCounts(const OriginSides& sides) {
  OriginScore result;
  std::size_t entries = 0;
  std::size_t held = 0;
  std::string buffer;
  TextMap<std::string_view, std::size_t> counts;  // by tool_id, else name
  for (const ToolCall& call : sides.actual) ++counts[call.tool_id.empty() ? call.name : call.tool_id];
  const auto count_of = [&](std::string_view name) {
    const auto found = counts.find(name);
    return found == counts.end() ? 0 : found->second;
  };
  const bool is_map =
      AllMembers(sides.expected_value, *sides.shapes, [&](std::string_view name, ValueRef asked) {
        std::vector<ValueRef> items;
        if (IsArray(asked)) ListChildren(asked, items);
        const bool is_pair = items.size() == 2 && IsAnyText(items[0]);
        const auto comparator =
            is_pair ? CountComparatorOf(sides.reader->TextOf(items[0])) : std::optional<CountComparator>();
        const auto number = is_pair ? FieldNumber(items[1], buffer) : std::optional<double>();
        if (!comparator || !number) {
          result.expected_fault = "a count is a comparator and a number, as in [\">=\", 1]";
          return false;
        }
        auto count = count_of(name);
        if (count == 0) count = count_of(Sanitised(name));
        ++entries;
        held += CountTest{*comparator, *number}.Holds(static_cast<double>(count));
        return true;
      });
  if (!is_map) return result;
  if (entries == 0 || sides.actual.empty()) {
    result.score = entries == 0 && sides.actual.empty() ? 1 : 0;
  } else {
    result.score = sides.rules->all_or_nothing ? held == entries : ShareOf(held, entries);
  }
  return result;
}

// Returns the text of a call's output as the evaluator sees it. For a span, this is the member `content` of
// its output value.
std::string OutputText(const OriginSides& sides, const ToolCall& call) {
  ValueRef output = call.output;
  if (!output.present()) return "";
  const bool is_span = MemberNamed(call.source, "attributes", *sides.shapes).present();
  if (is_span) {
    ValueRef read = output;
    if (IsAnyText(output)) read = sides.reader->ReadJson(sides.reader->TextOf(output));
    if (!IsObject(read)) return IsAnyText(output) ? std::string(sides.reader->TextOf(output)) : "";
    output = MemberNamed(read, "content", *sides.shapes);
    if (!output.present()) return "";
  }
  const ValueKind kind = output.kind();
  const bool is_empty = IsContainer(kind) && output.table->end(output.node) == output.node + 1;
  const bool is_zero = kind == ValueKind::kNumber && ParseNumber(output.table->leaf_token(output.node)) == 0;
  std::string text;
  if (kind == ValueKind::kNull || kind == ValueKind::kFalse || is_empty || is_zero) return text;
  AppendPythonText(*output.table, *sides.shapes, output.node, text, PythonNumbers::kAsRead);
  return text;
}

OriginScore ScoreArguments(const OriginSides& sides, const ToolNames& names) {
  const auto& e = sides.expected;
  const std::size_t found = CountGreedily(e.size(), sides.actual.size(), [&](std::size_t i, std::size_t j) {
    return names.Same(i, j) &&
           AllMembers(e[i].arguments, *sides.shapes, [&](std::string_view key, ValueRef value) {
             const ValueRef given = MemberNamed(sides.actual[j].arguments, key, *sides.shapes);
             return given.present() && sides.PyEqual(value, given);
           });
  });
  const double score = ShareOf(found, e.size());
  return {.score = sides.rules->all_or_nothing && found != e.size() ? 0 : score};
}

OriginScore ScoreOutputs(const OriginSides& sides, const ToolNames& names) {
  const auto& e = sides.expected;
  bool fails = false;
  std::vector<std::string> wanted(e.size());
  for (std::size_t i = 0; i < e.size(); ++i) {
    if (IsAnyText(e[i].output)) AppendStringText(*e[i].output.table, e[i].output.node, wanted[i]);
  }
  std::vector<std::string> outputs;
  for (const ToolCall& call : sides.actual) outputs.push_back(OutputText(sides, call));
  const std::size_t found = CountGreedily(e.size(), sides.actual.size(), [&](std::size_t i, std::size_t j) {
    if (!names.Same(i, j)) return false;
    const bool equal = wanted[i] == outputs[j];
    fails |= !equal;  // a free call with that name precedes the match
    return equal;
  });
  const bool all = found == e.size() && !fails;
  return {.score = sides.rules->all_or_nothing ? (all ? 1.0 : 0.0) : ShareOf(found, e.size())};
}

OriginScore ScoreUiPath(const OriginSides& sides) {
  if (sides.rules->mode == CallMode::kCounts) {
    if (!IsObject(sides.expected_value)) {
      return {.expected_fault = "give a map from tools to counts, such as {\"search\": [\">=\", 1]}"};
    }
    return ScoreCounts(sides);
  }
  if (sides.expected.empty() || sides.actual.empty()) {
    return {.score = sides.expected.empty() && sides.actual.empty() ? 1.0 : 0.0};
  }
  const ToolNames names(sides);
  if (sides.rules->mode == CallMode::kInOrder) return ScoreOrder(sides, names);
  return sides.rules->of_all.compares_output ? ScoreOutputs(sides, names) : ScoreArguments(sides, names);
}

}  // namespace

constinit const Origin kUiPathOrigin = {kUiPathModes, kUiPathOptions, false, ScoreUiPath};

}  // namespace leafscore::internal
