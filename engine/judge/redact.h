// engine/judge/redact.h: removes keys from the messages of services. Pure; any thread may call.
#ifndef LEAFSCORE_ENGINE_JUDGE_REDACT_H_
#define LEAFSCORE_ENGINE_JUDGE_REDACT_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Replaces a key with "[key]" wherever it occurs in the text, as it is or with JSON escapes ("\/", "\u0041").
// Keys of less than 8 bytes, which local services often get ("none", "1"), are not secrets and may be part of
// any word, so they stay. COST: linear in the text.
void Redact(std::string_view key, std::string& text);

// Tells whether a text contains the key under further levels of escapes, as in JSON within JSON.
bool HidesKey(std::string_view key, std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_REDACT_H_
