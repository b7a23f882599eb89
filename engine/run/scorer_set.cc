#include "engine/run/scorer_set.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/config/options.h"
#include "engine/scorers/registry.h"

namespace leafscore::internal {

ScorerSet::ScorerSet(std::vector<ScorerSpec> specs, const std::string& source_name)
    : specs_(std::move(specs)) {
  std::vector<std::string_view> type_names;
  for (const ScorerType& type : ScorerTypes()) type_names.push_back(type.name);
  for (const ScorerSpec& spec : specs_) {
    const ScorerType* const type = FindScorerType(spec.type);
    if (type == nullptr) {
      throw ConfigError(source_name, spec.line, UnknownNameMessage("scorer type", spec.type, type_names));
    }
    const std::vector<OptionSpec> known = ScorerTypeOptions(*type);
    const OptionReader options(spec.options, known, fmt::format("scorer \"{}\" ({})", spec.name, spec.type),
                               source_name);
    if (!type->revisions.empty()) options.GetChoice(kRevisionOption.name, 0, type->revisions);
    NamedScorer named{spec.name, type->make(options), {}};
    // These options are read only if given, so that the manifests of runs without them stay the same.
    if (options.Has(kCriteriaKeyOption.name)) {
      named.criteria_key = options.GetText(kCriteriaKeyOption.name, "");
    }
    if (options.Has(kFinalWeightOption.name)) {
      constexpr double kMost = std::numeric_limits<double>::max();
      named.final_weight = options.GetNumber(kFinalWeightOption.name, 1, 0, kMost);
    }
    named.options = options.read();
    scorers_.push_back(std::move(named));
  }
}

std::vector<std::string> ScorerSet::names() const {
  std::vector<std::string> names;
  for (const NamedScorer& scorer : scorers_) names.push_back(scorer.name);
  return names;
}

std::vector<std::string> ScorerSet::record_fields() const {
  std::vector<std::string> names;
  for (const NamedScorer& named : scorers_) {
    for (const TargetPath* const path : named.scorer->record_fields()) {
      const std::string& name = path->steps.front().key;
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

std::vector<ScorerSpec> DefaultScorerSpecs(std::span<const std::string> types) {
  std::vector<ScorerSpec> specs;
  for (const std::string& type : types) {
    ScorerSpec spec;
    spec.name = type;
    spec.type = type;
    spec.line = 0;  // not from a file
    spec.options.kind = ConfigValue::Kind::kMap;
    specs.push_back(std::move(spec));
  }
  return specs;
}

}  // namespace leafscore::internal
