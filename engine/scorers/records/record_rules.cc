#include "engine/scorers/records/record_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/scorers/normalise_options.h"
#include "engine/scorers/pattern_map.h"
#include "engine/scorers/records/metadata_keys.h"
#include "engine/scorers/records/record_schema.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kRecordFieldOptions[] = {
    {"path", "text", "none", "path pattern of the field: total, items[*].price, **.date"},
    kNormaliseOption,
    kCellToleranceOption,
    kCellRelativeOption,
    kCellSimilarityOption,
};
constexpr std::string_view kArrayModes[] = {"any_order", "ordered", "whole"};
constexpr double kMostTolerance = 1e300;

// Adds a rule for the places that match a pattern of an option. RETURNS: the number of the rule.
std::uint32_t AddRule(const OptionReader& options, std::string_view option, const std::string& pattern,
                      RecordRules& rules) {
  const auto number = static_cast<std::uint32_t>(rules.place_rules.size());
  rules.paths.AddMark(options, option, pattern, number);
  rules.place_rules.emplace_back();
  if (pattern == "*") rules.root_rule = number;
  return number;
}

void ReadConfidenceKey(const OptionReader& options, RecordRules& rules) {
  rules.confidence_key = options.GetText("confidence_key", "");
  if (rules.confidence_key == kValueKey) {
    throw options.MakeError("confidence_key",
                            "\"value\" is the key of the value itself; name the one beside it");
  }
  if (!rules.confidence_key.empty() && !rules.unwraps[Envelope::kValue]) {
    throw options.MakeError("confidence_key",
                            "it is read from {value: ..., confidence: ...}; add value to unwrap");
  }
}

void ReadFields(const OptionReader& options, RecordRules& rules) {
  constexpr char kAdvice[] = "give a list of fields such as {path: total, tolerance: 0.01}";
  options.ForEachField(kRecordFieldOptions, kAdvice, [&](const OptionReader& field) {
    const std::string path = field.GetText("path", "");
    if (path.empty())
      throw field.MakeError("path", "it names no place; write it like total or items[*].price");
    const std::uint32_t number = AddRule(options, "fields", path, rules);
    ReadCellRule(field, rules, rules.place_rules[number]);
  });
}

void ReadArrays(const OptionReader& options, RecordRules& rules) {
  ForEachPattern(options, "arrays", "any_order, ordered or whole", "{tags: ordered}",
                 [&](const std::string& pattern, const OptionReader& mode) {
                   const std::uint32_t number = AddRule(options, "arrays", pattern, rules);
                   rules.place_rules[number].mode =
                       static_cast<ArrayMode>(mode.GetChoice(pattern, 0, kArrayModes));
                 });
}

void ReadKeys(const OptionReader& options, RecordRules& rules) {
  ForEachPattern(options, "match_by", "text or list of texts", "{items: [sku]}",
                 [&](const std::string& pattern, const OptionReader& keys) {
                   const std::uint32_t number = AddRule(options, "match_by", pattern, rules);
                   rules.place_rules[number].keys =
                       rules.AddKeys(options, "match_by", keys.GetTextList(pattern));
                 });
}

}  // namespace

void ReadCellRule(const OptionReader& options, RecordRules& rules, PlaceRule& rule) {
  if (options.Has("normalise")) rule.normaliser = rules.AddNormaliser(ReadNormalise(options, {}));
  if (options.Has("tolerance")) rule.tolerance = options.GetNumber("tolerance", 0, 0, kMostTolerance);
  rule.relative = options.GetBool("relative", false);
  if (!options.Has("similarity")) return;
  rule.similarity = options.GetNumber("similarity", 1, 0, 1);
  rules.has_similarity = true;
}

RecordRules::RecordRules(const OptionReader& options)
    : paths(PathRules::OnlyIgnored(options)), any_of_key(options.GetText("any_of_key", "")) {
  NormaliserRules standard;
  standard.Add(NormaliserStep::kSpace);
  const NormaliserRules given = ReadNormalise(options, standard);
  AddNormaliser(given);
  NormaliserRules with_dates = given;
  with_dates.Add(NormaliserStep::kDate);
  date_normaliser = AddNormaliser(with_dates);
  constexpr std::string_view kNulls[] = {"absent", "value"};
  null_is_value = options.GetChoice("null", 0, kNulls) == 1;
  match_left = options.GetBool("match_left", true);
  defaults = options.GetBool("defaults", true);
  unwraps = ReadUnwrap(options, kEnvelopeNames, unwraps);
  ReadConfidenceKey(options, *this);
  ReadFields(options, *this);
  ReadArrays(options, *this);
  ReadKeys(options, *this);
  if (const PathRules::Pattern* const pattern = paths.WithPosition()) {
    throw options.MakeError(
        pattern->option, "\"" + pattern->text +
                             "\" names a position, but rows are paired in any order; write [*] for any row");
  }
  if (const std::optional<ConfigValue> of_options = options.GetAny("schema")) AddSchema(options, *of_options);
}

void RecordRules::AddSchema(const OptionReader& options, const ConfigValue& given) {
  schema = std::make_shared<const RecordSchema>(options, given, *this);
}

std::uint32_t RecordRules::AddNormaliser(const NormaliserRules& rules) {
  normalisers.emplace_back(rules);
  return static_cast<std::uint32_t>(normalisers.size() - 1);
}

std::uint32_t RecordRules::AddKeys(const OptionReader& options, std::string_view option,
                                   const std::vector<std::string>& paths_of_keys) {
  std::vector<TargetPath>& key = keys.emplace_back();
  for (const std::string& text : paths_of_keys) {
    key.push_back(ReadPath(options, option, text,
                           "\"" + text + "\" is not a key of a row; write it like sku or product.id"));
  }
  if (key.empty()) throw options.MakeError(option, "the list is empty; name at least one key");
  return static_cast<std::uint32_t>(keys.size() - 1);
}

}  // namespace leafscore::internal
