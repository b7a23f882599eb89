#include "engine/config/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "engine/base/suggest.h"

namespace leafscore::internal {
namespace {

using Kind = ConfigValue::Kind;

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

// Returns a bool or a number.
ConfigValue PlainValue(std::string text) {
  ConfigValue value = TextValue(std::move(text));
  value.quoted = false;
  return value;
}

}  // namespace

ConfigValue TextValue(std::string text) {
  ConfigValue value;
  value.kind = Kind::kScalar;
  value.quoted = true;
  value.scalar = std::move(text);
  return value;
}

OptionReader::OptionReader(const ConfigValue& map, std::span<const OptionSpec> specs, std::string owner,
                           std::string source_name)
    : map_(map), specs_(specs), owner_(std::move(owner)), source_name_(std::move(source_name)) {
  read_.kind = Kind::kMap;
  if (Declares(kRestOfOptions)) return;
  std::vector<std::string_view> names;
  for (const OptionSpec& spec : specs_) names.push_back(spec.name);
  for (const ConfigMember& member : map_.members) {
    if (!Declares(member.key)) {
      throw ConfigError(source_name_, member.line,
                        owner_ + ": " + UnknownNameMessage("option", member.key, names), member.key);
    }
  }
}

bool OptionReader::GetBool(std::string_view name, bool fallback) const {
  const ConfigMember* member = Find(name);
  const std::optional<bool> boolean = member == nullptr ? fallback : AsBool(member->value);
  if (!boolean) throw WrongValue(*member, member->value, "true or false");
  Note(name, PlainValue(*boolean ? "true" : "false"));
  return *boolean;
}

double OptionReader::GetNumber(std::string_view name, double fallback, double min, double max) const {
  const ConfigMember* member = Find(name);
  const std::optional<double> number = member == nullptr ? fallback : AsNumber(member->value);
  if (member != nullptr && !(number && *number >= min && *number <= max)) {
    throw WrongValue(*member, member->value, NumberRange(min, max));
  }
  Note(name, PlainValue(fmt::format("{}", *number)));
  return *number;
}

std::uint64_t OptionReader::GetNumber(std::string_view name, const Limit& limit) const {
  return static_cast<std::uint64_t>(GetNumber(name, static_cast<double>(limit.default_value),
                                              static_cast<double>(limit.min),
                                              static_cast<double>(limit.max)));
}

std::chrono::milliseconds OptionReader::GetMilliseconds(std::string_view name, double fallback) const {
  constexpr double kDay = 86'400'000;
  return std::chrono::milliseconds(static_cast<std::int64_t>(GetNumber(name, fallback, 1, kDay)));
}

std::string OptionReader::GetText(std::string_view name, const std::string& fallback) const {
  const ConfigMember* member = Find(name);
  if (member != nullptr && member->value.kind != Kind::kScalar) {
    throw WrongValue(*member, member->value, "text");
  }
  std::string text = member == nullptr ? fallback : member->value.scalar;
  Note(name, TextValue(text));
  return text;
}

std::size_t OptionReader::GetChoice(std::string_view name, std::size_t fallback,
                                    std::span<const std::string_view> choices) const {
  const std::string text = GetText(name, std::string(choices[fallback]));
  const auto choice = std::find(choices.begin(), choices.end(), text);
  if (choice == choices.end()) throw MakeError(name, UnknownNameMessage("value", text, choices));
  return static_cast<std::size_t>(choice - choices.begin());
}

std::vector<std::string> OptionReader::GetTextList(std::string_view name) const {
  const ConfigMember* member = Find(name);
  std::vector<std::string> texts;
  if (member != nullptr) {
    const ConfigValue& value = member->value;
    if (value.kind != Kind::kScalar && value.kind != Kind::kList) {
      throw WrongValue(*member, value, "text or a list of texts");
    }
    if (value.kind == Kind::kScalar) texts.push_back(value.scalar);
    for (const ConfigValue& item : value.items) {
      if (item.kind != Kind::kScalar) throw WrongValue(*member, item, "text or a list of texts");
      texts.push_back(item.scalar);
    }
  }
  ConfigValue read;
  read.kind = Kind::kList;
  std::ranges::transform(texts, std::back_inserter(read.items), TextValue);
  Note(name, std::move(read));
  return texts;
}

std::optional<ConfigValue> OptionReader::GetAny(std::string_view name) const {
  const ConfigMember* member = Find(name);
  Note(name, member == nullptr ? ConfigValue() : member->value);
  return member == nullptr ? std::nullopt : std::optional(member->value);
}

std::optional<ConfigValue> OptionReader::GetKind(std::string_view name, Kind kind,
                                                 std::string_view advice) const {
  std::optional<ConfigValue> value = GetAny(name);
  if (value && value->kind != kind) throw MakeError(name, advice);
  return value;
}

std::optional<ConfigValue> OptionReader::GetList(std::string_view name, std::string_view advice) const {
  return GetKind(name, Kind::kList, advice);
}

std::optional<ConfigValue> OptionReader::GetMap(std::string_view name, std::string_view advice) const {
  return GetKind(name, Kind::kMap, advice);
}

ConfigValue OptionReader::GetRest() const {
  ConfigValue rest;
  rest.kind = Kind::kMap;
  for (const ConfigMember& member : map_.members) {
    if (Declares(member.key)) continue;
    rest.members.push_back(member);
    Note(member.key, member.value);
  }
  return rest;
}

void OptionReader::Note(std::string_view name, ConfigValue value) const {
  const auto known = std::ranges::find(read_.members, name, &ConfigMember::key);
  if (known != read_.members.end()) {
    known->value = std::move(value);
  } else {
    read_.members.push_back({std::string(name), 0, std::move(value)});
  }
}

bool OptionReader::Declares(std::string_view name) const {
  return std::ranges::find(specs_, name, &OptionSpec::name) != specs_.end();
}

OptionReader OptionReader::Nested(const ConfigValue& map, std::span<const OptionSpec> specs,
                                  std::string_view item) const {
  const std::string owner = fmt::format("{}, {}", owner_, item);
  if (map.kind != Kind::kMap) {
    throw ConfigError(source_name_, map.line,
                      fmt::format("{} must be a map, but it is {}", owner, Describe(map)));
  }
  return OptionReader(map, specs, owner, source_name_);
}

void OptionReader::ForEachField(std::span<const OptionSpec> specs, std::string_view advice,
                                const std::function<void(const OptionReader& field)>& read) const {
  const std::optional<ConfigValue> list = GetList("fields", advice);
  if (!list) return;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    read(Nested(list->items[i], specs, fmt::format("field {}", i + 1)));
  }
}

const ConfigMember* OptionReader::Find(std::string_view name) const {
  if (!Declares(name)) {
    throw Error(ErrorCode::kInternal, fmt::format("{}: option \"{}\" is not declared", owner_, name));
  }
  return map_.Find(name);
}

Error OptionReader::MakeError(std::string_view name, std::string_view message) const {
  const ConfigMember* member = Find(name);
  return ConfigError(source_name_, member == nullptr ? map_.line : member->line,
                     fmt::format("{}: option \"{}\": {}", owner_, name, message), name);
}

Error OptionReader::WrongValue(const ConfigMember& member, const ConfigValue& value,
                               std::string_view expected) const {
  const bool is_item = &value != &member.value;
  return ConfigError(source_name_, is_item ? value.line : member.line,
                     fmt::format("{}: option \"{}\" must be {}, but {} {}", owner_, member.key, expected,
                                 is_item ? "an item is" : "it is", Describe(value)),
                     member.key);
}

}  // namespace leafscore::internal
