// engine/base/model_name.h: names of models, which services write in several ways. Pure; any thread may
// call.
#ifndef LEAFSCORE_ENGINE_BASE_MODEL_NAME_H_
#define LEAFSCORE_ENGINE_BASE_MODEL_NAME_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns the common part of all names of a model: in lower case, without the providers before the last
// slash, and without a date at the end, as in -2024-08-06 and -20240806.
std::string CommonModelName(std::string_view model);

// Returns the model that a file of scores is named after: its name without its folder and suffixes, valid
// UTF-8. That of runs/gpt-5.scores.jsonl.gz is gpt-5.
std::string ModelOfFile(const std::string& path);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_MODEL_NAME_H_
