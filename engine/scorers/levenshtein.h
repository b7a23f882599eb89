// engine/scorers/levenshtein.h: 2signal's levenshtein. The similarity of two whole texts, rounded to two
// decimals, with a verdict.
#ifndef LEAFSCORE_ENGINE_SCORERS_LEVENSHTEIN_H_
#define LEAFSCORE_ENGINE_SCORERS_LEVENSHTEIN_H_

#include <memory>
#include <span>

#include "engine/config/options.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

std::span<const OptionSpec> LevenshteinOptions();
std::unique_ptr<Scorer> MakeLevenshtein(const OptionReader& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_LEVENSHTEIN_H_
