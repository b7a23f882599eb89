// engine/scorers/fmea/strict_answer.h: what an answer is as JSON alone, with nothing around it, and which
// keys it repeats. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_FMEA_STRICT_ANSWER_H_
#define LEAFSCORE_ENGINE_SCORERS_FMEA_STRICT_ANSWER_H_

#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

// Appends the keys that an object repeats, at any depth: those of inner objects first, sorted within each
// object. REQUIRES: valid JSON. COST: linear, and the sorting of the keys of each object.
void AppendRepeatedKeys(std::string_view json, std::vector<std::string>& keys);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_FMEA_STRICT_ANSWER_H_
