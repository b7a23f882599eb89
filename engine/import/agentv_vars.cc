#include "engine/import/agentv_vars.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "engine/base/limits.h"
#include "engine/import/agentv_parts.h"
#include "engine/import/config_maker.h"
#include "engine/languages/javascript_text.h"

namespace leafscore::internal {
namespace {

using Kind = ConfigValue::Kind;

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

// Returns the text of a value in a template.
std::string TextOf(const ConfigValue& value) {
  if (const std::optional<bool> truth = AsBool(value)) return *truth ? "true" : "false";
  if (const std::optional<double> number = AsNumber(value)) return JavaScriptNumberText(*number);
  if (value.kind == Kind::kScalar) return value.scalar;
  if (value.kind == Kind::kMap) return "[object Object]";
  std::string text;
  for (const ConfigValue& item : value.items) {
    if (&item != value.items.data()) text += ',';
    text += TextOf(item);
  }
  return text;
}

// Returns whether a variable stands for several tests, one for each of its elements.
bool IsListOfTests(const ConfigValue& value) {
  return value.kind == Kind::kList && (value.items.empty() || IsText(value.items[0]));
}

// Returns whether an expression is a plain name, or a path of members.
bool IsPlainName(std::string_view name) {
  return !name.empty() && !name.starts_with('.') && !name.ends_with('.') &&
         !(name[0] >= '0' && name[0] <= '9') &&
         std::ranges::all_of(name, [](char c) { return IsNameCharacter(c) || c == '.'; });
}

// Returns the variable that a plain name denotes, with or without `vars.` before it; null if there is none.
const ConfigValue* FindVariable(std::string_view name, const ConfigValue& vars) {
  constexpr std::string_view kAll = "vars.";
  if (name.starts_with(kAll)) name.remove_prefix(kAll.size());
  const ConfigValue* value = &vars;
  while (value != nullptr && !name.empty()) {
    const std::string_view step = name.substr(0, name.find('.'));
    name.remove_prefix(std::min(step.size() + 1, name.size()));
    value = FindValue(*value, step);
  }
  return value;
}

// Appends the text of the variable that a plain name denotes. RETURNS: false for any other expression.
bool AppendVariable(std::string_view name, const ConfigValue& vars, std::string& text) {
  if (!IsPlainName(name)) return false;
  if (const ConfigValue* const value = FindVariable(name, vars)) text += TextOf(*value);
  return true;
}

// Returns the variable if the text consists only of its name; else null.
const ConfigValue* WholeVariable(std::string_view text, const ConfigValue& vars) {
  text = JavaScriptTrim(text);
  if (!text.starts_with("{{") || !text.ends_with("}}") || text.size() < 5) return nullptr;
  const std::string_view name = JavaScriptTrim(text.substr(2, text.size() - 4));
  return IsPlainName(name) ? FindVariable(name, vars) : nullptr;
}

}  // namespace

std::string FillText(std::string_view text, const ConfigValue& vars, bool* unfilled) {
  std::string filled;
  if (text.find("{%") != text.npos || text.find("{#") != text.npos) *unfilled = true;
  while (!text.empty()) {
    const std::size_t open = text.find("{{");
    filled += text.substr(0, open);
    if (open == text.npos) break;
    text.remove_prefix(open);
    const std::size_t close = text.find("}}");
    if (close == text.npos) {
      filled += text;
      break;
    }
    if (!AppendVariable(JavaScriptTrim(text.substr(2, close - 2)), vars, filled)) {
      filled += text.substr(0, close + 2);
      *unfilled = true;
    }
    if (filled.size() > kMaxSuiteBytes.default_value) throw SuiteTooLarge();
    text.remove_prefix(close + 2);
  }
  return filled;
}

void FillValue(const ConfigValue& vars, ConfigValue& value, bool* unfilled) {
  if (value.kind == Kind::kScalar && value.scalar.find('{') != std::string::npos) {
    if (const ConfigValue* const whole = WholeVariable(value.scalar, vars)) {
      const int line = value.line;
      value = ConfigValue(*whole);
      value.line = line;
      return;
    }
    value.scalar = FillText(value.scalar, vars, unfilled);
    value.quoted = true;  // the result of filling in is a text
  }
  for (ConfigValue& item : value.items) FillValue(vars, item, unfilled);
  for (ConfigMember& member : value.members) FillValue(vars, member.value, unfilled);
}

ConfigValue MergeMaps(const ConfigValue* below, const ConfigValue* own) {
  ConfigValue merged = below != nullptr && below->kind == Kind::kMap ? *below : MakeMap();
  if (own == nullptr || own->kind != Kind::kMap) return merged;
  for (const ConfigMember& member : own->members) {
    const auto same = std::ranges::find(merged.members, member.key, &ConfigMember::key);
    if (same == merged.members.end()) {
      merged.members.push_back(member);
    } else {
      *same = member;
    }
  }
  return merged;
}

std::uint64_t CountCombinations(const ConfigValue& vars) {
  std::uint64_t count = 1;
  for (const ConfigMember& member : vars.members) {
    if (IsListOfTests(member.value)) {
      count = std::min<std::uint64_t>(count * member.value.items.size(), kMaxSuiteTests.default_value + 1);
    }
  }
  return count;
}

ConfigValue Combination(const ConfigValue& vars, std::uint64_t number) {
  ConfigValue set = MakeMap(vars.line);
  for (std::size_t m = vars.members.size(); m-- > 0;) {
    const ConfigMember& member = vars.members[m];
    if (IsListOfTests(member.value)) {
      const std::size_t size = member.value.items.size();
      set.members.push_back({member.key, member.line, member.value.items[number % size]});
      number /= size;
    } else {
      set.members.push_back(member);
    }
  }
  std::ranges::reverse(set.members);
  return set;
}

}  // namespace leafscore::internal
