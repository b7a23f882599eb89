// engine/base/model_name.h: names of models, which services write in several ways. Pure; any thread may
// call.
#ifndef LEAFSCORE_ENGINE_BASE_MODEL_NAME_H_
#define LEAFSCORE_ENGINE_BASE_MODEL_NAME_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns the part that all names of a model have in common: the name in lower case, without providers (all
// up to the last slash), and without a date at the end, such as -2024-08-06 or -20240806.
std::string CommonModelName(std::string_view model);

// Returns the model after which a file of scores is named: the name of the file without its folder and
// suffixes, as valid UTF-8. For runs/gpt-5.scores.jsonl.gz, it is gpt-5.
std::string ModelOfFile(const std::string& path);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_MODEL_NAME_H_
