// engine/judge/redact.h: keeps keys out of what services say. Pure; any thread may call.
#ifndef LEAFSCORE_ENGINE_JUDGE_REDACT_H_
#define LEAFSCORE_ENGINE_JUDGE_REDACT_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Puts "[key]" in the place of a key, wherever the text has it, as it is or with escapes of JSON in it ("\/",
// "\u0041"). What is shorter than 8 bytes, as local services are given for a key ("none", "1"), is no secret
// and may be a part of anything: it stays. COST: linear in the text.
void Redact(std::string_view key, std::string& text);

// Tells whether a text has the key within further levels of escapes, as JSON in a text of JSON has it.
bool HidesKey(std::string_view key, std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_REDACT_H_
