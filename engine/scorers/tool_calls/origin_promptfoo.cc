// promptfoo's assertion tool-call-f1 (2026).
#include <algorithm>
#include <set>
#include <string_view>

#include "engine/languages/javascript_text.h"
#include "engine/scorers/tool_calls/origins.h"

namespace leafscore::internal {
namespace {

constexpr CallMode kPromptfooModes[] = {CallMode::kAnyOrder};
constexpr std::string_view kPromptfooOptions[] = {"args", "duplicates"};

OriginScore ScorePromptfoo(const OriginSides& sides) {
  constexpr std::string_view kFault = "give a list of names, or a text of names with commas";
  std::set<std::string_view> expected;
  const auto add = [&](std::string_view name) {
    name = JavaScriptTrim(name);
    if (!name.empty()) expected.insert(name);
  };
  bool known = true;
  if (IsAnyText(sides.expected_value)) {
    std::string_view names = sides.reader->TextOf(sides.expected_value);
    for (;;) {
      const std::size_t comma = names.find(',');
      add(names.substr(0, comma));
      if (comma == names.npos) break;
      names.remove_prefix(comma + 1);
    }
  } else {
    known = IsArray(sides.expected_value) && ForEachChild(sides.expected_value, [&](ValueRef name) {
              if (IsAnyText(name)) add(sides.reader->TextOf(name));
              return IsAnyText(name);
            });
  }
  if (!known || expected.empty()) return {.expected_fault = std::string(kFault)};
  std::set<std::string_view> actual;
  for (const ToolCall& call : sides.actual) actual.insert(call.name);
  const auto matched = static_cast<std::size_t>(
      std::ranges::count_if(actual, [&](std::string_view name) { return expected.contains(name); }));
  return {.score = ShareOf(2 * matched, expected.size() + actual.size())};
}

}  // namespace

constinit const Origin kPromptfooOrigin = {kPromptfooModes, kPromptfooOptions, true, ScorePromptfoo};

}  // namespace leafscore::internal
