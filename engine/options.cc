#include "engine/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>
#include <utility>

#include "engine/suggest.h"

namespace leafscore {
namespace {

using Kind = ConfigValue::Kind;

// YAML 1.2.2, 10.3.2 (core schema). A number outside the range of double is none.
std::optional<double> ParseNumber(std::string_view text) {
  for (const auto& [prefix, base] : {std::pair{"0x", 16}, std::pair{"0o", 8}}) {
    if (!text.starts_with(prefix)) continue;
    std::uint64_t integer = 0;
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), integer, base);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return static_cast<double>(integer);
  }
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  if (text == ".inf" || text == ".Inf" || text == ".INF") {
    number = std::numeric_limits<double>::infinity();
  } else {
    // from_chars would also take a second sign, inf and nan.
    if (text.empty() || !(text[0] == '.' || (text[0] >= '0' && text[0] <= '9'))) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  }
  return negative ? -number : number;
}

std::string NumberRange(double min, double max) {
  if (std::isinf(min) && std::isinf(max)) return "a number";
  if (std::isinf(max)) return fmt::format("a number of at least {}", min);
  if (std::isinf(min)) return fmt::format("a number of at most {}", max);
  return fmt::format("a number from {} to {}", min, max);
}

std::string Describe(const ConfigValue& value) {
  switch (value.kind) {
    case Kind::kNull:
      return "nothing";
    case Kind::kScalar:
      return (value.quoted ? "the quoted text " : "") + QuoteForMessage(value.scalar);
    case Kind::kList:
      return "a list";
    case Kind::kMap:
      return "a map";
  }
  return "";
}

}  // namespace

OptionReader::OptionReader(const ConfigValue& map, std::span<const OptionSpec> specs, std::string owner,
                           std::string source_name)
    : map_(map), specs_(specs), owner_(std::move(owner)), source_name_(std::move(source_name)) {
  std::vector<std::string_view> names;
  for (const OptionSpec& spec : specs_) names.push_back(spec.name);
  for (const ConfigMember& member : map_.members) {
    if (std::find(names.begin(), names.end(), member.key) == names.end()) {
      throw ConfigError(source_name_, member.line,
                        owner_ + ": " + UnknownNameMessage("option", member.key, names));
    }
  }
}

bool OptionReader::GetBool(std::string_view name, bool fallback) const {
  const ConfigMember* member = Find(name);
  if (member == nullptr) return fallback;
  const ConfigValue& value = member->value;
  if (value.kind == Kind::kScalar && !value.quoted) {
    const std::string_view text = value.scalar;
    if (text == "true" || text == "True" || text == "TRUE") return true;
    if (text == "false" || text == "False" || text == "FALSE") return false;
  }
  throw WrongValue(*member, value, "true or false");
}

double OptionReader::GetNumber(std::string_view name, double fallback, double min, double max) const {
  const ConfigMember* member = Find(name);
  if (member == nullptr) return fallback;
  const ConfigValue& value = member->value;
  if (value.kind == Kind::kScalar && !value.quoted) {
    const std::optional<double> number = ParseNumber(value.scalar);
    if (number && *number >= min && *number <= max) return *number;
  }
  throw WrongValue(*member, value, NumberRange(min, max));
}

std::string OptionReader::GetText(std::string_view name, std::string fallback) const {
  const ConfigMember* member = Find(name);
  if (member == nullptr) return fallback;
  if (member->value.kind != Kind::kScalar) throw WrongValue(*member, member->value, "text");
  return member->value.scalar;
}

std::size_t OptionReader::GetChoice(std::string_view name, std::size_t fallback,
                                    std::span<const std::string_view> choices) const {
  const ConfigMember* member = Find(name);
  if (member == nullptr) return fallback;
  const std::string text = GetText(name, "");
  const auto choice = std::find(choices.begin(), choices.end(), text);
  if (choice == choices.end()) throw MakeError(name, UnknownNameMessage("value", text, choices));
  return static_cast<std::size_t>(choice - choices.begin());
}

std::vector<std::string> OptionReader::GetTextList(std::string_view name) const {
  const ConfigMember* member = Find(name);
  if (member == nullptr) return {};
  const ConfigValue& value = member->value;
  if (value.kind == Kind::kScalar) return {value.scalar};
  if (value.kind != Kind::kList) throw WrongValue(*member, value, "text or a list of texts");
  std::vector<std::string> texts;
  for (const ConfigValue& item : value.items) {
    if (item.kind != Kind::kScalar) throw WrongValue(*member, item, "text or a list of texts");
    texts.push_back(item.scalar);
  }
  return texts;
}

std::optional<ConfigValue> OptionReader::GetAny(std::string_view name) const {
  const ConfigMember* member = Find(name);
  return member == nullptr ? std::nullopt : std::optional(member->value);
}

const ConfigMember* OptionReader::Find(std::string_view name) const {
  const auto has_name = [name](const OptionSpec& spec) { return spec.name == name; };
  if (std::none_of(specs_.begin(), specs_.end(), has_name)) {
    throw Error(ErrorCode::kInternal, fmt::format("{}: option \"{}\" is not declared", owner_, name));
  }
  return map_.Find(name);
}

Error OptionReader::MakeError(std::string_view name, std::string_view message) const {
  const ConfigMember* member = Find(name);
  return ConfigError(source_name_, member->line, fmt::format("{}: option \"{}\": {}", owner_, name, message));
}

Error OptionReader::WrongValue(const ConfigMember& member, const ConfigValue& value,
                               std::string_view expected) const {
  const bool is_item = &value != &member.value;
  return ConfigError(source_name_, is_item ? value.line : member.line,
                     fmt::format("{}: option \"{}\" must be {}, but {} {}", owner_, member.key, expected,
                                 is_item ? "an item is" : "it is", Describe(value)));
}

}  // namespace leafscore
