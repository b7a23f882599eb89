// engine/scorers/static_json/revision_2026_09.h: static_json by the rules of AssetOpsBench in September 2026.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_REVISION_2026_09_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_REVISION_2026_09_H_

#include <memory>

#include "engine/config/options.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

inline constexpr OptionSpec kEvaluationMetadataOption{
    "evaluation_metadata", "map", "none",
    "revision 2026-09: keys that are not judged by equality, as in groundtruth_eval.json"};

std::unique_ptr<Scorer> MakeStaticJson202609(const OptionReader& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_REVISION_2026_09_H_
