#include "engine/config/canonical_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/base/utf8.h"
#include "engine/json/json_scalar.h"
#include "engine/json/json_text.h"

namespace leafscore::internal {
namespace {

using Kind = ConfigValue::Kind;

class CanonicalText {
 public:
  explicit CanonicalText(std::span<const ScorerSpec> specs) {
    List(specs, [this](const ScorerSpec& spec) {
      text_ += "{\"name\": ";
      AppendJsonString(text_, spec.name);
      text_ += ", \"type\": ";
      AppendJsonString(text_, spec.type);
      for (const ConfigMember& option : spec.options.members) {
        text_ += ", ";
        Member(option);
      }
      text_ += '}';
    });
  }

  std::string Finish() const {
    return only_yaml_ ? "evaluators: " + text_ + "\n" : "{\"evaluators\": " + text_ + "}\n";
  }

 private:
  template <class Items, class Append>
  void List(const Items& items, Append append) {
    text_ += '[';
    for (const auto& item : items) {
      if (&item != &items.front()) text_ += ", ";
      append(item);
    }
    text_ += ']';
  }

  void Member(const ConfigMember& member) {
    AppendJsonString(text_, member.key);
    text_ += ": ";
    Value(member.value);
  }

  void Value(const ConfigValue& value) {
    switch (value.kind) {
      case Kind::kNull:
        text_ += "null";
        break;
      case Kind::kScalar:
        Scalar(value);
        break;
      case Kind::kList:
        List(value.items, [this](const ConfigValue& item) { Value(item); });
        break;
      case Kind::kMap:
        text_ += '{';
        for (const ConfigMember& member : value.members) {
          if (&member != &value.members.front()) text_ += ", ";
          Member(member);
        }
        text_ += '}';
        break;
    }
  }

  void Scalar(const ConfigValue& scalar) {
    if (!AsBool(scalar) && !AsNumber(scalar)) return AppendJsonString(text_, scalar.scalar);
    text_ += scalar.scalar;
    const bool is_json = scalar.scalar == "true" || scalar.scalar == "false" ||
                         ClassifyNumber(scalar.scalar) != TokenClass::kInvalid;
    only_yaml_ |= !is_json;
  }

  std::string text_;
  bool only_yaml_ = false;
};

ConfigValue Scalar(std::string text, bool quoted, int line) {
  ConfigValue value;
  value.kind = Kind::kScalar;
  value.quoted = quoted;
  value.line = line;
  value.scalar = std::move(text);
  return value;
}

// Converts options of the public interface to configuration values, all with the line number `line`.
class ConfigMaker {
 public:
  ConfigMaker(const std::string& source_name, int line) : source_name_(source_name), line_(line) {}

  ConfigValue Text(const std::string& text, const std::string& option) const {
    CheckUtf8(text, option);
    return Scalar(text, true, line_);
  }

  void AddOptions(const std::vector<Option>& options, ConfigValue& scorer) const {
    for (const Option& option : options) AddMember(option, option.name, scorer);
  }

 private:
  [[noreturn]] void Fail(const std::string& message, const std::string& option) const {
    throw ConfigError(source_name_, line_, message, option);
  }

  void CheckUtf8(const std::string& text, const std::string& option) const {
    if (FindInvalidUtf8(text) == text.size()) return;
    Fail(fmt::format("{} is not valid UTF-8, as a configuration must be", QuoteForMessage(text)), option);
  }

  // `option` is the scorer's option that contains the member; errors name it.
  void AddMember(const Option& member, const std::string& option, ConfigValue& map) const {
    CheckUtf8(member.name, option);
    if (map.Find(member.name) != nullptr) {
      Fail("two options named " + QuoteForMessage(member.name), member.name);
    }
    map.members.push_back({member.name, line_, Value(member.value, option)});
  }

  // A whole number keeps its decimal point, since some readers distinguish 1.0 from 1.
  std::string NumberText(double number, const std::string& option) const {
    if (!std::isfinite(number)) {
      Fail(fmt::format("the number {} in option {} is not finite", number, QuoteForMessage(option)), option);
    }
    std::string text = fmt::format("{}", number);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
  }

  ConfigValue Value(const OptionValue& given, const std::string& option) const {
    return std::visit(
        [&](const auto& value) {
          using Type = std::decay_t<decltype(value)>;
          ConfigValue made;
          made.line = line_;
          if constexpr (std::is_same_v<Type, bool>) {
            made = Scalar(value ? "true" : "false", false, line_);
          } else if constexpr (std::is_same_v<Type, std::int64_t>) {
            made = Scalar(std::to_string(value), false, line_);
          } else if constexpr (std::is_same_v<Type, double>) {
            made = Scalar(NumberText(value, option), false, line_);
          } else if constexpr (std::is_same_v<Type, std::string>) {
            made = Text(value, option);
          } else if constexpr (std::is_same_v<Type, OptionValue::List>) {
            made.kind = Kind::kList;
            for (const OptionValue& item : value) made.items.push_back(Value(item, option));
          } else if constexpr (std::is_same_v<Type, OptionValue::Map>) {
            made.kind = Kind::kMap;
            for (const Option& member : value) AddMember(member, option, made);
          }
          return made;
        },
        given.value);
  }

  const std::string& source_name_;
  int line_;
};

}  // namespace

std::string CanonicalConfig(std::span<const ScorerSpec> specs) { return CanonicalText(specs).Finish(); }

ConfigValue ConfigOf(std::span<const ScorerConfig> scorers, const std::string& source_name) {
  ConfigValue list;
  list.kind = Kind::kList;
  for (const ScorerConfig& scorer : scorers) {
    const int line = static_cast<int>(list.items.size()) + 1;
    ConfigValue& entry = list.items.emplace_back();
    entry.line = line;
    entry.kind = Kind::kMap;
    const ConfigMaker make(source_name, line);
    entry.members.push_back({"type", line, make.Text(scorer.type, "type")});
    if (!scorer.name.empty()) entry.members.push_back({"name", line, make.Text(scorer.name, "name")});
    make.AddOptions(scorer.options, entry);
  }
  ConfigValue root;
  root.kind = Kind::kMap;
  root.members.push_back({"evaluators", 1, std::move(list)});
  return root;
}

}  // namespace leafscore::internal
