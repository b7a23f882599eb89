// engine/scorers/field_accuracy/field_accuracy.h: AgentV's field_accuracy. Chosen fields are compared, each
// in a way of its own; the score is the weighted share of the fields that match.
#ifndef LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_FIELD_ACCURACY_H_
#define LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_FIELD_ACCURACY_H_

#include <memory>
#include <span>

#include "engine/config/options.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

std::span<const OptionSpec> FieldAccuracyOptions();
std::unique_ptr<Scorer> MakeFieldAccuracy(const OptionReader& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_FIELD_ACCURACY_H_
