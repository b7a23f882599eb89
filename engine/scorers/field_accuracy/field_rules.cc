#include "engine/scorers/field_accuracy/field_rules.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "engine/scorers/field_accuracy/rules_2026_07.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kFieldOptions[] = {
    {"path", "text", "none", "where the field is on both sides: a.b, items[0].name"},
    {"match", "exact, numeric_tolerance, date or fuzzy", "exact", "how the two values are compared"},
    kFieldRequiredOption,
    {"weight", "number", "1", "weight in the weighted average"},
    kFieldArrayMatchOption,
    kFieldToleranceOption,
    kFieldRelativeOption,
    kFieldFormatsOption,
    kFieldAlgorithmOption,
    kFieldThresholdOption,
    kFieldNormaliseOption,
};

constexpr std::string_view kMatches[] = {"exact", "numeric_tolerance", "date", "fuzzy"};
constexpr std::string_view kFieldArrayMatches[] = {"ordered", "any_order"};
constexpr std::string_view kAlgorithms[] = {"levenshtein", "jaro_winkler"};

// Options that apply to only one match.
constexpr std::pair<std::string_view, FieldMatch> kOptionsOfMatches[] = {
    {kFieldToleranceOption.name, FieldMatch::kNumericTolerance},
    {kFieldRelativeOption.name, FieldMatch::kNumericTolerance},
    {kFieldFormatsOption.name, FieldMatch::kDate},
    {kFieldAlgorithmOption.name, FieldMatch::kFuzzy},
    {kFieldThresholdOption.name, FieldMatch::kFuzzy},
    {kNormaliseOption.name, FieldMatch::kExact},
};

constexpr double kMostOfFields = 1e100;  // sums of weights stay far from an overflow

FieldRule ReadFieldRule(const OptionReader& field, bool is_2026_07) {
  FieldRule rule{};
  rule.path = TargetPath::ParseLoosely(field.GetText("path", ""));
  if (rule.path.steps.empty()) {
    throw field.MakeError("path", "it names no place; write it like invoice.total or items[0].name");
  }
  rule.match = static_cast<FieldMatch>(field.GetChoice("match", 0, kMatches));
  for (const auto& [name, match] : kOptionsOfMatches) {
    if (rule.match != match && field.GetAny(name)) {
      throw field.MakeError(
          name, fmt::format("it is for match: {}, but the match of \"{}\" is {}", FieldMatchName(match),
                            rule.path.text, FieldMatchName(rule.match)));
    }
  }
  for (const std::string_view name : {"array_match", "match", "normalise"}) {
    const bool is_old = name == "match" ? rule.match == FieldMatch::kFuzzy : field.Has(name);
    if (is_2026_07 && is_old)
      throw field.MakeError(name, "it belongs to revision seed; 2026-07 does not have it");
  }
  const double least = is_2026_07 ? -kMostOfFields : 0;  // the original does not check the sign
  rule.weight = field.GetNumber("weight", 1, least, kMostOfFields);
  ReadFieldComparison(field, is_2026_07, rule);
  return rule;
}

}  // namespace

std::string_view FieldMatchName(FieldMatch match) { return kMatches[static_cast<std::size_t>(match)]; }

void ReadFieldComparison(const OptionReader& field, bool is_2026_07, FieldRule& rule) {
  const double least = is_2026_07 ? -kMostOfFields : 0;
  rule.required = field.GetBool("required", true);
  rule.any_order = field.GetChoice("array_match", 0, kFieldArrayMatches) == 1;
  rule.relative = field.GetBool("relative", false);
  rule.tolerance = field.GetNumber("tolerance", 0, least, kMostOfFields);
  rule.order = is_2026_07 ? OrderOfFormats2026_07(field.GetTextList("formats")) : ReadDateOrder(field);
  rule.jaro_winkler = field.GetChoice("algorithm", 0, kAlgorithms) == 1;
  rule.threshold = ReadThreshold(field, 0.85);
  if (!field.Has(kNormaliseOption.name)) return;
  rule.normaliser.emplace(ReadNormalise(field, {}));
  if (rule.any_order) {
    throw field.MakeError(
        kNormaliseOption.name,
        "elements in any order are compared without normalising; leave array_match out, or use records");
  }
}

std::vector<FieldRule> ReadFieldRules(const OptionReader& options, bool is_2026_07) {
  constexpr char kAdvice[] = "give a list of fields such as {path: invoice.total, match: exact}";
  if (!options.Has("fields")) throw options.MakeError("fields", kAdvice);
  std::vector<FieldRule> rules;
  ConfigValue read;
  read.kind = ConfigValue::Kind::kList;
  options.ForEachField(kFieldOptions, kAdvice, [&](const OptionReader& field) {
    rules.push_back(ReadFieldRule(field, is_2026_07));
    read.items.push_back(field.read());
  });
  options.Note("fields", std::move(read));
  return rules;
}

}  // namespace leafscore::internal
