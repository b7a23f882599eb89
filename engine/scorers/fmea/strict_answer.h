// engine/scorers/fmea/strict_answer.h: reads an answer that must be only JSON, and finds the keys that it
// repeats. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_FMEA_STRICT_ANSWER_H_
#define LEAFSCORE_ENGINE_SCORERS_FMEA_STRICT_ANSWER_H_

#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

// Appends the keys that objects repeat, at any depth: those of inner objects first, sorted within each
// object. REQUIRES: valid JSON. COST: linear, apart from sorting the keys of each object.
void AppendRepeatedKeys(std::string_view json, std::vector<std::string>& keys);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_FMEA_STRICT_ANSWER_H_
