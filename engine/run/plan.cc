#include "leafscore/plan.h"

#include <fmt/format.h>

#include <utility>

#include "engine/config/canonical_config.h"
#include "engine/config/config_parser.h"
#include "engine/import/import_config.h"
#include "engine/run/scorer_set.h"
#include "leafscore/error.h"
#include "leafscore/version.h"

namespace leafscore {
namespace {

constexpr char kListSource[] = "scorers";

std::shared_ptr<const internal::ScorerSet> MakeScorers(const internal::ConfigValue& config,
                                                       const std::string& source_name) {
  return std::make_shared<const internal::ScorerSet>(internal::ReadScorerSpecs(config, source_name),
                                                     source_name);
}

std::shared_ptr<const internal::ScorerSet> MakeScorers(std::span<const std::string> types) {
  std::vector<internal::ScorerSpec> specs = internal::DefaultScorerSpecs(types);
  internal::CheckScorerSpecs(specs, kListSource);
  return std::make_shared<const internal::ScorerSet>(std::move(specs), kListSource);
}

}  // namespace

Plan::Plan(std::span<const std::string> scorer_types) : Plan(MakeScorers(scorer_types)) {}

Plan::Plan(std::initializer_list<std::string_view> scorer_types)
    : Plan(std::vector<std::string>(scorer_types.begin(), scorer_types.end())) {}

Plan::Plan(std::span<const ScorerConfig> scorers)
    : Plan(MakeScorers(internal::ConfigOf(scorers, kListSource), kListSource)) {}

Plan Plan::FromConfig(std::string_view config, const std::string& source_name) {
  if (const internal::ConfigOrigin origin = internal::DetectOrigin(config, source_name);
      origin != internal::ConfigOrigin::kLeafscore) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format(
            "{} is a file of {}: ImportPlan (in Python, import_config) reads it, with its expected values",
            source_name, internal::NameOfOrigin(origin)));
  }
  return Plan(MakeScorers(internal::ParseConfig(config, source_name), source_name));
}

std::vector<std::string> Plan::scorer_names() const { return scorers_->names(); }

std::vector<std::string> Plan::record_fields() const { return scorers_->record_fields(); }

std::string Plan::config() const { return scorers_->config(); }

std::string_view Version() { return LEAFSCORE_VERSION; }

}  // namespace leafscore
