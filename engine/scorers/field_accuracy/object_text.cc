#include "engine/scorers/field_accuracy/object_text.h"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>

#include "engine/json/compact_text.h"
#include "engine/languages/python_text.h"

namespace leafscore::internal {
namespace {

// Returns the outermost {...} in a part of a text; empty if there is none.
std::string_view OutermostBraces(std::string_view part) {
  const std::size_t open = part.find('{');
  const std::size_t close = part.rfind('}');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  return part.substr(open, close + 1 - open);
}

// Returns the content of the first fence. Without a closing fence, it reaches to the end of the text.
std::string_view FirstFence(std::string_view text) {
  constexpr std::string_view kFence = "```";
  const std::size_t open = text.find(kFence);
  if (open == std::string_view::npos) return {};
  text.remove_prefix(open + kFence.size());
  return text.substr(0, text.find(kFence));
}

// Returns a part of a text if the whole part is an array; otherwise, an empty text.
std::string_view WholeArray(std::string_view part) {
  constexpr std::string_view kLanguage = "json";  // the language of a fence
  part = StripSpace(part);
  if (part.starts_with(kLanguage)) part = StripSpace(part.substr(kLanguage.size()));
  return part.starts_with('[') && part.ends_with(']') ? part : std::string_view();
}

}  // namespace

ValueRef ReadObjectText(ValueRef text, bool array_first, ParsedTexts& texts, std::string* fault) {
  ParsedText& parsed = texts.Push();
  AppendStringText(*text.table, text.node, parsed.text);
  const auto read = [&](std::string_view part) -> JsonResult {
    if (part.empty()) return {};
    const auto begin = static_cast<std::size_t>(part.data() - parsed.text.data());
    return texts.Read(parsed, begin, begin + part.size());
  };
  const std::string_view fence = FirstFence(parsed.text);
  const std::string_view array = WholeArray(fence.empty() ? parsed.text : fence);
  const std::string_view braces = OutermostBraces(parsed.text);
  JsonResult result = array_first ? read(array) : JsonResult{};
  if (result.root == kNoNode) {
    result = read(braces);
    *fault = braces.empty() ? "the text contains no {...}"
                            : fmt::format("the outermost {{...}} of the text is not JSON: at byte {}, {}",
                                          result.offset, result.message);
  }
  if (result.root == kNoNode) result = read(OutermostBraces(fence));
  if (result.root == kNoNode && !array_first) result = read(array);
  return {&parsed.table, result.root};
}

}  // namespace leafscore::internal
