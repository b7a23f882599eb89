#include "engine/evaluate/scenario_scorers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "engine/base/model_name.h"
#include "engine/base/suggest.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/static_json/revision_2026_09.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kMetadata = kEvaluationMetadataOption.name;

bool AsksModel(const std::string& method) { return method.starts_with("llm_judge"); }

// Returns the name of a model without the proxy, as AssetOpsBench compares it with the name of a judge.
std::string_view WithoutProxy(std::string_view model) {
  constexpr std::string_view kProxy = "litellm_proxy/";
  return model.starts_with(kProxy) ? model.substr(kProxy.size()) : model;
}

// Returns the models that the only scorer of a set asks.
std::vector<std::string> JudgesOf(const ScorerSet& set) {
  std::vector<std::string> models;
  if (!set.asks()) return models;
  const auto add = [&](const ConfigValue& options) {
    const ConfigMember* const model = options.Find("model");
    if (model != nullptr && !model->value.scalar.empty()) {
      models.emplace_back(WithoutProxy(model->value.scalar));
    }
  };
  const ConfigValue& options = set.specs()[0].options;
  add(options);
  if (const ConfigMember* const panel = options.Find("panel"); panel != nullptr) {
    for (const ConfigValue& member : panel->value.items) add(member);
  }
  return models;
}

std::string UnknownMethodText(std::string_view method, std::span<const ScorerSpec> configured) {
  const std::string nearest = NearestMethod(method, configured);
  return "the scoring_method " + QuoteForMessage(method) + " is not the name of a scorer" +
         (nearest.empty() ? "" : "; did you mean " + QuoteForMessage(nearest) + "?");
}

}  // namespace

std::string NearestMethod(std::string_view method, std::span<const ScorerSpec> configured) {
  std::vector<std::string_view> names;
  for (const ScorerSpec& spec : configured) names.push_back(spec.name);
  for (const ScorerType& type : ScorerTypes()) names.push_back(type.name);
  return NearestName(method, names);
}

ScenarioScorers::ScenarioScorers(std::span<const Scenario> scenarios, const std::string& default_scorer,
                                 std::span<const ScorerSpec> configured, const std::string& config_name,
                                 bool accept_unknown_methods) {
  std::map<std::string, std::uint32_t> numbers;
  const auto find_configured = [&](const std::string& name) {
    return std::ranges::find(configured, name, &ScorerSpec::name);
  };
  const auto is_configured = [&](const std::string& name) {
    return find_configured(name) != configured.end();
  };
  const auto number_of = [&](const std::string& name) {
    const auto [found, is_new] = numbers.emplace(name, static_cast<std::uint32_t>(sets_.size()));
    if (!is_new) return found->second;
    if (is_configured(name)) {
      sets_.emplace_back(std::vector{*find_configured(name)}, config_name);
    } else {
      sets_.emplace_back(DefaultScorerSpecs({&name, 1}), "--scorer-default");
    }
    judges_.push_back(JudgesOf(sets_.back()));
    return found->second;
  };
  if (AsksModel(default_scorer) && !is_configured(default_scorer)) {
    throw Error(ErrorCode::kUsage, "the default scorer " + default_scorer +
                                       " asks a model: name it with --judge-model, or in --config");
  }
  number_of(default_scorer);
  for (const Scenario& scenario : scenarios) {
    const std::string& method = scenario.scoring_method;
    ScenarioScorer& scorer = of_each_.emplace_back();
    const bool is_type = FindScorerType(method) != nullptr;
    scorer.lacks_judge = is_type && AsksModel(method) && !is_configured(method);
    const bool is_known = is_configured(method) || (is_type && !scorer.lacks_judge);
    scorer.has_unknown_method = !is_known && !scorer.lacks_judge && !method.empty();
    if (is_known) scorer.set = number_of(method);
    const ScorerSet& set = sets_[scorer.set];
    const bool takes_metadata = set.scorers()[0].options.Find(kMetadata) != nullptr;
    // The scorer fmea reads files with other names.
    const bool takes_companions =
        set.specs()[0].type == "fmea" && (scenario.companions || scenario.companions_are_broken);
    const bool is_broken = takes_companions ? scenario.companions_are_broken : scenario.metadata_is_broken;
    const std::optional<ConfigValue>& metadata = takes_companions ? scenario.companions : scenario.metadata;
    if (!scenario.expected_json && set.needs_expected()) {
      scorer.flaw = {RejectReason::kMissingExpected, "the scenario has no ground truth"};
    } else if (scenario.method_is_broken) {
      scorer.flaw = {RejectReason::kBadCriteria, "the scoring_method of the scenario cannot be read"};
    } else if (scorer.has_unknown_method && !accept_unknown_methods) {
      scorer.flaw = {RejectReason::kBadCriteria, UnknownMethodText(method, configured)};
    } else if (takes_metadata && is_broken) {
      scorer.flaw = {RejectReason::kBadCriteria, "the evaluation_metadata of the scenario cannot be read"};
    } else if (takes_metadata && metadata) {
      scorer.with_metadata = AddWithMetadata(set, scenario.id, *metadata);
    }
    scorer.leaves_metadata = scenario.metadata && !takes_metadata && set.specs()[0].type == "static_json";
  }
}

const ScorerSet* ScenarioScorers::AddWithMetadata(const ScorerSet& set, const std::string& scenario,
                                                  const ConfigValue& metadata) {
  ScorerSpec spec = set.specs()[0];
  std::erase_if(spec.options.members, [](const ConfigMember& option) { return option.key == kMetadata; });
  spec.options.members.push_back({std::string(kMetadata), 0, metadata});
  return &sets_with_metadata_.emplace_back(std::vector{std::move(spec)},
                                           "evaluation_metadata of " + QuoteForMessage(scenario));
}

void ScenarioScorers::CheckJudges(std::span<const Scenario> scenarios) const {
  std::uint64_t lack_a_judge = 0;
  const Scenario* first = nullptr;
  for (std::size_t s = 0; s < scenarios.size(); ++s) {
    if (!scenarios[s].selected || !of_each_[s].lacks_judge) continue;
    ++lack_a_judge;
    if (first == nullptr) first = &scenarios[s];
  }
  if (first == nullptr) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("{} scenarios, the first of them {}, have a scoring_method that asks a model ({}), "
                          "but no model is named: give --judge-model, or a scorer of this name in --config",
                          lack_a_judge, QuoteForMessage(first->id), first->scoring_method));
}

bool ScenarioScorers::IsJudge(std::uint32_t scenario, std::string_view model) const {
  const std::vector<std::string>& judges = judges_[of_each_[scenario].set];
  return std::ranges::find(judges, WithoutProxy(model)) != judges.end();
}

std::string_view ScenarioScorers::LikeJudge(std::uint32_t scenario, std::string_view model) const {
  const std::string name = CommonModelName(model);
  for (const std::string& judge : judges_[of_each_[scenario].set]) {
    if (CommonModelName(judge) == name) return judge;
  }
  return {};
}

}  // namespace leafscore::internal
