// engine/scorers/strict_json.h: a deduction for each top-level key that is missing, wrong, similar or extra.
#ifndef LEAFSCORE_ENGINE_SCORERS_STRICT_JSON_H_
#define LEAFSCORE_ENGINE_SCORERS_STRICT_JSON_H_

#include <memory>
#include <span>

#include "engine/config/options.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

std::span<const OptionSpec> StrictJsonOptions();
std::unique_ptr<Scorer> MakeStrictJson(const OptionReader& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STRICT_JSON_H_
