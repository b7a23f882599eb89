// engine/scorers/json_similarity/json_similarity.h: UiPath's json-similarity. The leaves of the expected
// value are compared with what stands at their places in the actual value; the score is matched leaves /
// leaves.
#ifndef LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_JSON_SIMILARITY_H_
#define LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_JSON_SIMILARITY_H_

#include <memory>
#include <span>

#include "engine/config/options.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

std::span<const OptionSpec> JsonSimilarityOptions();
std::unique_ptr<Scorer> MakeJsonSimilarity(const OptionReader& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_JSON_SIMILARITY_H_
