#include "engine/scorers/field_accuracy/object_text.h"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>

#include "engine/json/compact_text.h"

namespace leafscore::internal {
namespace {

// Returns the outermost {...} of a part of a text, empty when there is none.
std::string_view OutermostBraces(std::string_view part) {
  const std::size_t open = part.find('{');
  const std::size_t close = part.rfind('}');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  return part.substr(open, close + 1 - open);
}

// Returns what the first fence holds; one that is not closed goes on to the end.
std::string_view FirstFence(std::string_view text) {
  constexpr std::string_view kFence = "```";
  const std::size_t open = text.find(kFence);
  if (open == std::string_view::npos) return {};
  text.remove_prefix(open + kFence.size());
  return text.substr(0, text.find(kFence));
}

}  // namespace

ValueRef ReadObjectText(ValueRef text, ParsedTexts& texts, std::string* fault) {
  ParsedText& parsed = texts.Push();
  AppendStringText(*text.table, text.node, parsed.text);
  const auto read = [&](std::string_view part) -> JsonResult {
    const auto begin = static_cast<std::size_t>(part.data() - parsed.text.data());
    return texts.Read(parsed, begin, begin + part.size());
  };
  const std::string_view braces = OutermostBraces(parsed.text);
  if (braces.empty()) {
    *fault = "the text holds no {...}";
    return {};
  }
  JsonResult result = read(braces);
  if (result.root == kNoNode) {
    *fault = fmt::format("the outermost {{...}} of the text is not JSON: at byte {} {}", result.offset,
                         result.message);
    const std::string_view fenced = OutermostBraces(FirstFence(parsed.text));
    if (fenced.empty()) return {};
    result = read(fenced);
  }
  return {&parsed.table, result.root};
}

}  // namespace leafscore::internal
