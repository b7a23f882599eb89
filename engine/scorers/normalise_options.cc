#include "engine/scorers/normalise_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/suggest.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kNumberOptions[] = {
    {"percent", "drop, fraction or refuse", "drop", "12% is 12, is 0.12, or is not a number"},
    {"magnitudes", "bool", "false", "whether k, million, bn, lakh and similar words multiply"},
    {"units", "text or list of texts", "none", "words to drop after a number, as written"},
    {"decimal", "point or comma", "point", "the decimal mark; the other one groups digits"},
};
constexpr OptionSpec kDateOptions[] = {
    {"formats", "text or list of texts", "all", "formats such as DD/MM/YYYY, to tell days from months"},
};
constexpr OptionSpec kNullWordsOptions[] = {
    {"words", "text or list of texts", "none", "the words that mean null, in place of the default ones"},
};

void ReadNumberRules(const OptionReader& options, NumberTextRules& rules) {
  constexpr std::string_view kPercents[] = {"drop", "fraction", "refuse"};
  constexpr std::string_view kDecimals[] = {"point", "comma"};
  rules.percent = static_cast<PercentRule>(options.GetChoice("percent", 0, kPercents));
  rules.magnitudes = options.GetBool("magnitudes", false);
  rules.units = options.GetTextList("units");
  rules.decimal_comma = options.GetChoice("decimal", 0, kDecimals) == 1;
}

NormaliserStep StepOf(const OptionReader& options, std::string_view option, const std::string& name) {
  const std::span<const std::string_view> names = NormaliserStepNames();
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    throw options.MakeError(option, UnknownNameMessage("step", name, names));
  }
  return static_cast<NormaliserStep>(found - names.begin());
}

// Reads a step that has options.
void ReadStep(const OptionReader& options, std::string_view option, const ConfigMember& member,
              NormaliserRules& rules) {
  const NormaliserStep step = StepOf(options, option, member.key);
  if (step == NormaliserStep::kNumber) {
    ReadNumberRules(options.Nested(member.value, kNumberOptions, member.key), rules.number);
  } else if (step == NormaliserStep::kDate) {
    rules.date_order = ReadDateOrder(options.Nested(member.value, kDateOptions, member.key));
  } else if (step == NormaliserStep::kNullWords) {
    const OptionReader words = options.Nested(member.value, kNullWordsOptions, member.key);
    if (words.Has("words")) rules.null_words = words.GetTextList("words");
  } else {
    throw options.MakeError(option,
                            fmt::format("the step \"{}\" has no options; write its name alone", member.key));
  }
  rules.Add(step);
}

}  // namespace

DayMonthOrder ReadDateOrder(const OptionReader& options) {
  const std::vector<std::string> formats = options.GetTextList("formats");
  for (const std::string& format : formats) {
    if (std::ranges::find(DateFormatNames(), format) == DateFormatNames().end()) {
      throw options.MakeError("formats", UnknownNameMessage("date format", format, DateFormatNames()));
    }
  }
  return OrderOfFormats(formats);
}

NormaliserRules ReadNormalise(const OptionReader& options, const NormaliserRules& fallback,
                              std::string_view option) {
  const std::optional<ConfigValue> list =
      options.GetList(option, "give a list of steps such as [space, case]");
  if (!list) return fallback;
  NormaliserRules rules;
  for (const ConfigValue& item : list->items) {
    if (item.kind == ConfigValue::Kind::kScalar) {
      rules.Add(StepOf(options, option, item.scalar));
    } else if (item.kind == ConfigValue::Kind::kMap && item.members.size() == 1) {
      ReadStep(options, option, item.members.front(), rules);
    } else {
      throw options.MakeError(option, "each step is a name, or a map from its name to its options");
    }
  }
  return rules;
}

}  // namespace leafscore::internal
