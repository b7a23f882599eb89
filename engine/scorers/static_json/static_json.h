// engine/scorers/static_json/static_json.h: AssetOpsBench's static_json. Both sides are read from whatever
// text they are in, flattened to keys such as answer.items[0].name, and compared key by key; the score is the
// F1 of the exact matches.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_STATIC_JSON_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_STATIC_JSON_H_

#include <memory>
#include <span>

#include "engine/config/options.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

std::span<const OptionSpec> StaticJsonOptions();
std::unique_ptr<Scorer> MakeStaticJson(const OptionReader& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_STATIC_JSON_H_
