#include "engine/evaluate/configured_scorers.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "engine/base/suggest.h"
#include "engine/config/config_parser.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Makes a model the judge of the scorer llm_judge, which is added if it does not exist.
void SetJudge(const std::string& model, std::vector<ScorerSpec>& scorers) {
  constexpr char kJudge[] = "llm_judge";
  constexpr char kThreshold[] = "0.7";  // AssetOpsBench's runs pass or fail
  const auto scalar = [](const char* key, const std::string& value, bool quoted) {
    ConfigMember member{key, 0, {}};
    member.value.kind = ConfigValue::Kind::kScalar;
    member.value.quoted = quoted;
    member.value.scalar = value;
    return member;
  };
  auto judge = std::ranges::find(scorers, kJudge, &ScorerSpec::name);
  if (judge == scorers.end()) {
    judge = scorers.insert(judge, {kJudge, kJudge, {}, 0});
    judge->options.kind = ConfigValue::Kind::kMap;
    judge->options.members.push_back(scalar("threshold", kThreshold, /*quoted=*/false));
  } else if (!judge->type.starts_with(kJudge) || judge->options.Find("panel") != nullptr) {
    throw Error(ErrorCode::kUsage,
                "--judge-model names the model of the scorer llm_judge, but llm_judge in --config does not "
                "ask a single model: leave one of them out");
  }
  std::erase_if(judge->options.members, [](const ConfigMember& option) { return option.key == "model"; });
  judge->options.members.push_back(scalar("model", model, /*quoted=*/true));
}

// Checks that the default scorer asks no other model than the one that --judge-model names: the user would
// not notice.
void CheckDefaultJudge(const EvaluationOptions& options, const std::vector<ScorerSpec>& scorers) {
  const auto found = std::ranges::find(scorers, options.default_scorer, &ScorerSpec::name);
  if (found == scorers.end() || !found->type.starts_with("llm_judge")) return;
  const ConfigMember* const model = found->options.Find("model");
  const bool is_same = model != nullptr && model->value.scalar == options.judge_model;
  if (is_same && found->options.Find("panel") == nullptr) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("--judge-model {} names the model of the scorer llm_judge, but --scorer-default {} "
                          "asks the model in --config: leave --judge-model out, or name llm_judge",
                          QuoteForMessage(options.judge_model), QuoteForMessage(options.default_scorer)));
}

}  // namespace

std::vector<ScorerSpec> ConfiguredScorers(const EvaluationOptions& options) {
  std::vector<ScorerSpec> scorers;
  if (options.config) {
    scorers = ReadScorerSpecs(ParseConfig(*options.config, options.config_name), options.config_name);
  }
  if (options.judge_model.empty()) return scorers;
  SetJudge(options.judge_model, scorers);
  CheckDefaultJudge(options, scorers);
  return scorers;
}

}  // namespace leafscore::internal
