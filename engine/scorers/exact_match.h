// engine/scorers/exact_match.h: UiPath's exact-match. Numbers compare as doubles, objects without regard to
// the order of their keys; when either side is a string, both are compared as texts.
#ifndef LEAFSCORE_ENGINE_SCORERS_EXACT_MATCH_H_
#define LEAFSCORE_ENGINE_SCORERS_EXACT_MATCH_H_

#include <memory>
#include <span>

#include "engine/config/options.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

std::span<const OptionSpec> ExactMatchOptions();
std::unique_ptr<Scorer> MakeExactMatch(const OptionReader& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_EXACT_MATCH_H_
