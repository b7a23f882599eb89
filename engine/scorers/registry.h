// engine/scorers/registry.h: the scorers, each defined in the file of its name.
#ifndef LEAFSCORE_ENGINE_SCORERS_REGISTRY_H_
#define LEAFSCORE_ENGINE_SCORERS_REGISTRY_H_

#include <memory>
#include <span>
#include <string_view>

#include "engine/config/options.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

struct ScorerType {
  std::string_view name;
  std::string_view summary;
  std::span<const OptionSpec> options;
  std::unique_ptr<Scorer> (*make)(const OptionReader& options);
};

extern const ScorerType kCodeJudgeScorer;
extern const ScorerType kContainsScorer;
extern const ScorerType kExactMatchScorer;
extern const ScorerType kFieldAccuracyScorer;
extern const ScorerType kJsonDiffScorer;
extern const ScorerType kJsonSimilarityScorer;
extern const ScorerType kLevenshteinScorer;
extern const ScorerType kLlmJudgeScorer;
extern const ScorerType kLlmJudgeStrictJsonScorer;
extern const ScorerType kStaticJsonScorer;
extern const ScorerType kStrictJsonScorer;

// RETURNS: the scorers above, by their names.
std::span<const ScorerType> ScorerTypes();

// RETURNS: the type of this name, or null.
const ScorerType* FindScorerType(std::string_view name);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_REGISTRY_H_
