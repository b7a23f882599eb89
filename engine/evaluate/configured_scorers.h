// engine/evaluate/configured_scorers.h: the scorers that the options of an evaluation name. Stateless.
#ifndef LEAFSCORE_ENGINE_EVALUATE_CONFIGURED_SCORERS_H_
#define LEAFSCORE_ENGINE_EVALUATE_CONFIGURED_SCORERS_H_

#include <vector>

#include "engine/config/scorer_specs.h"
#include "leafscore/evaluate.h"

namespace leafscore::internal {

// Returns the scorers of the configuration, and the judge that `judge_model` asks for.
// ERRORS: Error(kUsage).
std::vector<ScorerSpec> ConfiguredScorers(const EvaluationOptions& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_CONFIGURED_SCORERS_H_
