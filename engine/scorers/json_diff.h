// engine/scorers/json_diff.h: a JSON diff as a score, after autoevals' JSONDiff. Both sides count alike: what
// is missing on either lowers the score, and so does what is nested deep less than what is near the root.
#ifndef LEAFSCORE_ENGINE_SCORERS_JSON_DIFF_H_
#define LEAFSCORE_ENGINE_SCORERS_JSON_DIFF_H_

#include <memory>
#include <span>

#include "engine/config/options.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

std::span<const OptionSpec> JsonDiffOptions();
std::unique_ptr<Scorer> MakeJsonDiff(const OptionReader& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_JSON_DIFF_H_
