#include "engine/import/uipath_members.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace leafscore::internal {
namespace {

using Kind = ConfigValue::Kind;

std::string SnakeCase(std::string_view camel) {
  std::string snake;
  for (const char c : camel) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (is_upper) snake += '_';
    snake += is_upper ? static_cast<char>(c | 0x20) : c;
  }
  return snake;
}

std::string LowerAscii(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  return text;
}

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

}  // namespace

void UiPathMembers::Refuse(int line, std::string_view message) const {
  throw ConfigError(file_, line, fmt::format("{}: {}", owner_, message));
}

void UiPathMembers::RefuseType(std::string_view name, std::string_view wanted) const {
  Refuse(FindMember(name)->line, fmt::format("\"{}\" must be {}", name, wanted));
}

const ConfigMember* UiPathMembers::FindMember(std::string_view name) const {
  const ConfigMember* const camel = map_.Find(name);
  return camel != nullptr ? camel : map_.Find(SnakeCase(name));
}

const ConfigValue* UiPathMembers::Find(std::string_view name) const {
  const ConfigMember* const member = FindMember(name);
  return member == nullptr ? nullptr : &member->value;
}

bool UiPathMembers::Has(std::string_view name) const {
  const ConfigValue* const value = Find(name);
  return value != nullptr && value->kind != Kind::kNull;
}

std::optional<std::string> UiPathMembers::Text(std::string_view name) const {
  const ConfigValue* const value = Find(name);
  if (value == nullptr) return std::nullopt;
  if (value->kind != Kind::kScalar || !value->quoted) RefuseType(name, "text");
  return value->scalar;
}

std::string UiPathMembers::RequiredText(std::string_view name) const {
  std::optional<std::string> text = Text(name);
  if (!text) Refuse(map_.line, fmt::format("\"{}\" is missing", name));
  return *std::move(text);
}

std::optional<bool> UiPathMembers::Bool(std::string_view name) const {
  const ConfigValue* const value = Find(name);
  if (value == nullptr) return std::nullopt;
  if (value->kind == Kind::kScalar) {
    const std::string word = LowerAscii(value->scalar);
    if (IsOneOf(word, {"true", "1", "1.0"})) return true;
    if (IsOneOf(word, {"false", "0", "0.0"})) return false;
    if (value->quoted && IsOneOf(word, {"yes", "y", "on", "t"})) return true;
    if (value->quoted && IsOneOf(word, {"no", "n", "off", "f"})) return false;
  }
  RefuseType(name, "true or false");
}

std::optional<double> UiPathMembers::Number(std::string_view name) const {
  const ConfigValue* const value = Find(name);
  if (value == nullptr) return std::nullopt;
  if (value->kind == Kind::kScalar) {
    if (!value->quoted && value->scalar == "true") return 1;
    if (!value->quoted && value->scalar == "false") return 0;
    double number = 0;
    const char* const end = value->scalar.data() + value->scalar.size();
    const auto [rest, error] = std::from_chars(value->scalar.data(), end, number);
    if (error == std::errc() && rest == end && std::isfinite(number)) return number;
  }
  RefuseType(name, "a number");
}

std::optional<std::vector<std::string>> UiPathMembers::Texts(std::string_view name) const {
  const ConfigValue* const value = Find(name);
  if (value == nullptr) return std::nullopt;
  std::vector<std::string> texts;
  for (const ConfigValue& item : value->items) {
    if (item.kind != Kind::kScalar || !item.quoted) RefuseType(name, "a list of texts");
    texts.push_back(item.scalar);
  }
  if (value->kind != Kind::kList) RefuseType(name, "a list of texts");
  return texts;
}

std::string UiPathMembers::Word(std::string_view name, const std::vector<std::string_view>& words) const {
  const std::optional<std::string> word = Text(name);
  if (!word && FindMember(name) == nullptr) return std::string(words.front());
  if (!word || std::ranges::find(words, *word) == words.end()) {
    RefuseType(name, fmt::format("one of {}", fmt::join(words, ", ")));
  }
  return *word;
}

std::vector<const ConfigMember*> UiPathMembers::Others(const std::vector<std::string_view>& names) const {
  std::vector<const ConfigMember*> others;
  for (const ConfigMember& member : map_.members) {
    const bool is_named = std::ranges::any_of(
        names, [&](std::string_view name) { return member.key == name || member.key == SnakeCase(name); });
    if (!is_named) others.push_back(&member);
  }
  return others;
}

}  // namespace leafscore::internal
