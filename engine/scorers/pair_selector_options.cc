#include "engine/scorers/pair_selector_options.h"

#include <algorithm>
#include <utility>

#include "engine/base/choices.h"
#include "engine/config/config_json.h"

namespace leafscore::internal {

TextForm ReadTextForm(const OptionReader& options) {
  constexpr std::string_view kForms[] = {"json", "python"};
  return options.GetChoice(kTextOfOption.name, 0, kForms) == 1 ? TextForm::kPython : TextForm::kCompactJson;
}

PairSelectorOptions::PairSelectorOptions(const OptionReader& options, SelectedSides sides,
                                         SelectionRules rules)
    : sides_(sides), rules_(rules) {
  const std::optional<ConfigValue> given = options.GetAny(kTargetOutputKeyOption.name);
  is_list_ = given && given->kind == ConfigValue::Kind::kList;
  std::vector<std::string> texts = options.GetTextList(kTargetOutputKeyOption.name);
  if (!given) texts = {"*"};
  if (!is_list_) options.Note(kTargetOutputKeyOption.name, TextValue(texts.front()));
  if (texts.empty()) {
    throw options.MakeError(kTargetOutputKeyOption.name, "the list is empty; name at least one path");
  }
  for (const std::string& text : texts) {
    const auto is_this = [&](const TargetPath& path) { return path.text == text; };
    if (std::ranges::any_of(paths_, is_this)) continue;  // an object has each key once
    std::optional<TargetPath> path = TargetPath::Parse(text);
    if (!path) {
      throw options.MakeError(kTargetOutputKeyOption.name, "\"" + text +
                                                               "\" is not a path; write it like a.b[0].c, or "
                                                               "\"*\" for the whole value");
    }
    paths_.push_back(*std::move(path));
  }
  if (const std::optional<ConfigValue> value = options.GetAny(kDefaultExpectedOption.name)) {
    default_expected_json_.emplace();
    AppendConfigAsJson(*value, *default_expected_json_);
  }
}

void PairSelectorOptions::ReadParseTexts(const OptionReader& options) {
  std::vector<std::string_view> names;
  for (const auto& choice : kParseTextsChoices) names.push_back(choice.name);
  if (options.GetAny(kParseTextsOption.name)) {
    parse_texts_ = kParseTextsChoices[options.GetChoice(kParseTextsOption.name, 0, names)].choice;
  }
}

void PairSelectorOptions::ReadUnwraps(const OptionReader& options, bool is_seed) {
  if (!is_seed && options.Has(kUnwrapOption.name)) {
    throw options.MakeError(kUnwrapOption.name,
                            "this revision compares answers as they are; leave the option out");
  }
  unwraps_ = ReadUnwrap(options, kWholeEnvelopeNames, {});
}

PairSelectorOptions PairSelectorOptions::OfStructure(const OptionReader& options, SelectionRules rules) {
  PairSelectorOptions selection(options, SelectedSides::kBoth, rules);
  selection.reading_ = TextReading::kStructure;
  if (rules != SelectionRules::kOurs) selection.parse_texts_ = ParseTexts::kNever;
  selection.ReadParseTexts(options);
  return selection;
}

PairSelectorOptions PairSelectorOptions::OfAnswersAlone(const OptionReader& options,
                                                        std::optional<ValueKind> wanted) {
  PairSelectorOptions selection(options, SelectedSides::kActual);
  selection.reading_ = TextReading::kAnswer;
  selection.ReadParseTexts(options);
  selection.wanted_ = wanted;
  return selection;
}

PairSelectorOptions PairSelectorOptions::OfAnswers(const OptionReader& options) {
  PairSelectorOptions selection = OfStructure(options);
  selection.reading_ = TextReading::kAnswer;
  return selection;
}

}  // namespace leafscore::internal
