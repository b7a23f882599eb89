#include "engine/scorers/registry.h"

#include <algorithm>
#include <iterator>

namespace leafscore::internal {

std::span<const ScorerType> ScorerTypes() {
  static const ScorerType types[] = {
      kAssertsScorer,    kClassificationScorer,     kCodeJudgeScorer,      kContainsScorer,
      kExactMatchScorer, kExactStringMatchScorer,   kFieldAccuracyScorer,  kFmeaScorer,
      kJsonDiffScorer,   kJsonSchemaScorer,         kJsonSimilarityScorer, kLevenshteinScorer,
      kLlmJudgeScorer,   kLlmJudgeStrictJsonScorer, kNumericMatchScorer,   kRecordsScorer,
      kStaticJsonScorer, kStrictJsonScorer,         kToolCallsScorer,
  };
  return types;
}

const ScorerType* FindScorerType(std::string_view name) {
  const auto types = ScorerTypes();
  const auto type = std::ranges::find(types, name, &ScorerType::name);
  return type == types.end() ? nullptr : &*type;
}

std::vector<OptionSpec> ScorerTypeOptions(const ScorerType& type) {
  std::vector<OptionSpec> options(type.options.begin(), type.options.end());
  if (!type.revisions.empty()) options.push_back(kRevisionOption);
  options.insert(options.end(), std::begin(kRunOptions), std::end(kRunOptions));
  return options;
}

}  // namespace leafscore::internal
