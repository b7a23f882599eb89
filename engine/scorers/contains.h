// engine/scorers/contains.h: UiPath's contains. Scores 1 when the searched text occurs in the actual text.
#ifndef LEAFSCORE_ENGINE_SCORERS_CONTAINS_H_
#define LEAFSCORE_ENGINE_SCORERS_CONTAINS_H_

#include <memory>
#include <span>

#include "engine/config/options.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

std::span<const OptionSpec> ContainsOptions();
std::unique_ptr<Scorer> MakeContains(const OptionReader& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_CONTAINS_H_
