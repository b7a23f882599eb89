#include "engine/config/scorer_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/config/config_parser.h"
#include "engine/config/options.h"

namespace leafscore::internal {
namespace {

// Returns the end of the quoted text that begins at `begin`: its closing quote, or the end of `text`. In
// double quotes, a backslash escapes the next character; in single quotes, a quote is written twice.
std::size_t EndOfQuoted(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    const bool is_doubled = quote == '\'' && text.substr(i).starts_with("''");
    if (is_doubled || (text[i] == '\\' && quote == '"')) {
      ++i;
    } else if (text[i] == quote) {
      return i;
    }
  }
  return text.size();
}

Error ScorerTextError(std::string_view type, std::string_view problem) {
  return Error(ErrorCode::kUsage, fmt::format("scorer {}: {}", QuoteForMessage(type), problem));
}

// Returns the size of the value that `text` begins with, up to the first comma outside quotes and brackets.
// ERRORS: Error(kUsage) if a bracket or a quote is not closed, or a comment would begin.
std::size_t SizeOfValue(std::string_view type, std::string_view option, std::string_view text) {
  const auto refuse = [&](std::string_view what, std::string_view remedy) {
    throw ScorerTextError(type, fmt::format("{} in option {} {}", what, QuoteForMessage(option), remedy));
  };
  constexpr std::string_view kNotClosed = "is not closed; put a text that has one in quotes";
  constexpr std::string_view kBeforeScalar = "[{,:";
  std::size_t depth = 0;
  bool begins_scalar = true;  // so that a quote opens a quoted text, and is not an apostrophe
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (begins_scalar && (c == '"' || c == '\'')) {
      i = EndOfQuoted(text, i);
      if (i >= text.size()) refuse("a bracket or quote", kNotClosed);
      begins_scalar = false;
      continue;
    }
    if (c == ',' && depth == 0) return i;
    if (c == '#' && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\t')) {
      refuse("the #", "would begin a comment, which ends the value; put a text that has one in quotes");
    }
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth != 0) --depth;
    if (c != ' ') begins_scalar = kBeforeScalar.find(c) != std::string_view::npos;
  }
  if (depth != 0) refuse("a bracket or quote", kNotClosed);
  return text.size();
}

std::string_view WithoutOuterBlanks(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// Sets all lines to 0, because they are not lines of a file.
void ClearLines(ConfigValue& value) {
  value.line = 0;
  for (ConfigValue& item : value.items) ClearLines(item);
  for (ConfigMember& member : value.members) {
    member.line = 0;
    ClearLines(member.value);
  }
}

// Reads a value as the only member of a map, so that it is read as YAML even if it begins with { or [.
ConfigValue ReadOptionValue(std::string_view type, std::string_view option, std::string_view text) {
  const std::string source =
      fmt::format("scorer {}: option {}", QuoteForMessage(type), QuoteForMessage(option));
  ConfigValue map = ParseConfig(fmt::format("value: {}", text), source);
  if (map.members.size() != 1) throw Error(ErrorCode::kUsage, source + " has more than one line");
  ConfigValue value = std::move(map.members.front().value);
  ClearLines(value);
  return value;
}

// Says what to do about an option without a value. Such an option may be the rest of a list that was written
// without brackets.
std::string LacksValue(const std::string& option, const ConfigMember* before) {
  std::string sentence =
      fmt::format("option {} has no value; write {}=VALUE", QuoteForMessage(option), option);
  if (before != nullptr && before->value.kind == ConfigValue::Kind::kScalar) {
    sentence += fmt::format(", or {}=[{},{}] if it belongs to the list before it", before->key,
                            before->value.scalar, option);
  }
  return sentence;
}

// Reads OPTION=VALUE from the front of `rest`, and removes it together with the comma after it. `before` is
// the previous option, or null.
ConfigMember TakeOption(std::string_view type, const ConfigMember* before, std::string_view& rest) {
  const std::size_t end_of_name = rest.find_first_of("=,");
  const std::string option(WithoutOuterBlanks(rest.substr(0, end_of_name)));
  if (end_of_name == std::string_view::npos || rest[end_of_name] == ',') {
    throw ScorerTextError(type, option.empty()
                                    ? "an option is missing; write OPTION=VALUE, separated by commas"
                                    : LacksValue(option, before));
  }
  if (option.empty()) throw ScorerTextError(type, "there is no option before the =; write OPTION=VALUE");
  rest.remove_prefix(end_of_name + 1);
  const std::size_t size = SizeOfValue(type, option, rest);
  ConfigMember member{option, 0, ReadOptionValue(type, option, rest.substr(0, size))};
  const bool is_last = size == rest.size();
  rest.remove_prefix(is_last ? size : size + 1);
  if (!is_last && rest.empty()) throw ScorerTextError(type, "there is no option behind the last comma");
  return member;
}

}  // namespace

ScorerSpec ReadScorerText(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string type(text.substr(0, colon));
  ConfigValue entry;
  entry.kind = ConfigValue::Kind::kMap;
  entry.line = 0;
  entry.members.push_back({"type", 0, TextValue(type)});
  entry.members.back().value.line = 0;
  if (colon == std::string_view::npos) return ReadScorerSpec(entry, "--scorer");
  std::string_view rest = text.substr(colon + 1);
  if (rest.empty()) throw ScorerTextError(type, "there is no option behind the colon");
  while (!rest.empty()) {
    const bool is_first = entry.members.size() == 1;  // besides the type
    ConfigMember option = TakeOption(type, is_first ? nullptr : &entry.members.back(), rest);
    if (entry.Find(option.key) != nullptr) {
      throw ScorerTextError(type, option.key == "type"
                                      ? "the type is given before the colon"
                                      : fmt::format("option {} is given twice", QuoteForMessage(option.key)));
    }
    entry.members.push_back(std::move(option));
  }
  return ReadScorerSpec(entry, "--scorer");
}

}  // namespace leafscore::internal
