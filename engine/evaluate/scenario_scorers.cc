#include "engine/evaluate/scenario_scorers.h"

#include <algorithm>

#include "engine/scorers/registry.h"

namespace leafscore::internal {
namespace {

// Tells whether a scoring method is a type of scorer that needs no options, as one that asks a model does.
bool IsTypeWithDefaults(const std::string& method) {
  return FindScorerType(method) != nullptr && !method.starts_with("llm_judge");
}

}  // namespace

ScenarioScorers::ScenarioScorers(std::span<const Scenario> scenarios, const std::string& default_scorer,
                                 std::span<const ScorerSpec> configured, const std::string& config_name) {
  std::map<std::string, std::uint32_t> numbers;
  const auto find_configured = [&](const std::string& name) {
    return std::ranges::find(configured, name, &ScorerSpec::name);
  };
  const auto number_of = [&](const std::string& name) {
    const auto [found, is_new] = numbers.emplace(name, static_cast<std::uint32_t>(sets_.size()));
    if (!is_new) return found->second;
    const auto spec = find_configured(name);
    if (spec != configured.end()) {
      sets_.emplace_back(std::vector{*spec}, config_name);
    } else {
      sets_.emplace_back(DefaultScorerSpecs({&name, 1}), "--scorer-default");
    }
    return found->second;
  };
  number_of(default_scorer);
  for (const Scenario& scenario : scenarios) {
    const std::string& method = scenario.scoring_method;
    const bool is_known = find_configured(method) != configured.end() || IsTypeWithDefaults(method);
    if (!is_known && !method.empty()) ++unknown_methods_[method];
    of_scenario_.push_back(is_known ? number_of(method) : 0);
    lacks_ground_truth_.push_back(!scenario.expected_json && sets_[of_scenario_.back()].needs_expected());
  }
}

}  // namespace leafscore::internal
