#include "engine/import/config_yaml.h"

#include <algorithm>
#include <string_view>

#include "engine/json/json_text.h"

namespace leafscore::internal {
namespace {

using Kind = ConfigValue::Kind;

// Returns whether a text is a plain scalar: letters, digits and characters without a meaning in YAML.
bool IsPlainWord(std::string_view text) {
  const auto is_letter = [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; };
  return !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || c == '/';
  });
}

// Returns whether a text is a word that some version of YAML takes for null or a bool.
bool IsReserved(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; });
  for (const std::string_view word : {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}) {
    if (lower == word) return true;
  }
  return false;
}

void AppendText(const std::string& text, std::string& out) {
  if (IsPlainWord(text) && !IsReserved(text)) {
    out += text;
  } else {
    AppendJsonString(out, text);
  }
}

bool IsFlat(const ConfigValue& value) { return value.kind != Kind::kList && value.kind != Kind::kMap; }

bool HoldsOnlyFlat(const ConfigValue& value) {
  return std::ranges::all_of(value.items, IsFlat) &&
         std::ranges::all_of(value.members, [](const ConfigMember& member) { return IsFlat(member.value); });
}

void AppendOnLine(const ConfigValue& value, std::string& out) {
  switch (value.kind) {
    case Kind::kNull:
      out += "null";
      break;
    case Kind::kScalar:
      if (value.quoted) {
        AppendText(value.scalar, out);
      } else {
        out += value.scalar;
      }
      break;
    case Kind::kList:
      out += '[';
      for (const ConfigValue& item : value.items) {
        if (&item != &value.items.front()) out += ", ";
        AppendOnLine(item, out);
      }
      out += ']';
      break;
    case Kind::kMap:
      out += '{';
      for (const ConfigMember& member : value.members) {
        if (&member != &value.members.front()) out += ", ";
        AppendText(member.key, out);
        out += ": ";
        AppendOnLine(member.value, out);
      }
      out += '}';
      break;
  }
}

bool IsBlock(const ConfigValue& value, bool top) {
  if (IsFlat(value) || (value.items.empty() && value.members.empty())) return false;
  return top || !HoldsOnlyFlat(value);
}

void AppendBlock(const ConfigValue& value, std::size_t indent, bool in_item, std::string& out);

// Appends the value of a key.
void AppendValue(const ConfigValue& value, std::size_t indent, std::string& out) {
  if (IsBlock(value, /*top=*/false)) {
    out += '\n';
    AppendBlock(value, indent, /*in_item=*/false, out);
  } else {
    out += ' ';
    AppendOnLine(value, out);
    out += '\n';
  }
}

// Appends a block; in an item of a list, its first line follows the dash.
void AppendBlock(const ConfigValue& value, std::size_t indent, bool in_item, std::string& out) {
  bool first = in_item;
  const auto begin_line = [&] {
    if (!first) out.append(indent, ' ');
    first = false;
  };
  for (const ConfigMember& member : value.members) {
    begin_line();
    AppendText(member.key, out);
    out += ':';
    AppendValue(member.value, indent + 2, out);
  }
  for (const ConfigValue& item : value.items) {
    begin_line();
    out += "- ";
    if (IsBlock(item, /*top=*/item.kind == Kind::kMap && indent <= 2)) {  // a scorer: a line for each option
      AppendBlock(item, indent + 2, /*in_item=*/true, out);
    } else {
      AppendOnLine(item, out);
      out += '\n';
    }
  }
}

}  // namespace

std::string ConfigAsYaml(const ConfigValue& value) {
  std::string out;
  if (IsBlock(value, /*top=*/true)) {
    AppendBlock(value, 0, /*in_item=*/false, out);
  } else {
    AppendOnLine(value, out);
    out += '\n';
  }
  return out;
}

}  // namespace leafscore::internal
