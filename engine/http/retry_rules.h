// engine/http/retry_rules.h: what is tried again, and when. Pure functions; any thread may call.
#ifndef LEAFSCORE_ENGINE_HTTP_RETRY_RULES_H_
#define LEAFSCORE_ENGINE_HTTP_RETRY_RULES_H_

#include <chrono>
#include <ctime>
#include <optional>
#include <string_view>

#include "engine/base/random.h"

namespace leafscore::internal {

// Tells whether a reply with this status may be another one next time: the service is busy, restarts, or
// something between has failed. `body` may say that it will not: a quota that is used up.
bool MayChange(long status, std::string_view body);

// Tells whether the status says that the service is asked too much.
inline bool SaysOverloaded(long status) { return status == 429 || status == 503 || status == 529; }

// Returns the time that a service asks to be left alone, as a header states it: "2", "0.5", "1m30s", "20ms",
// or a date of HTTP, which is taken from `wall_seconds` (since 1970). RETURNS: nothing for what is none.
std::optional<std::chrono::milliseconds> ReadDelay(std::string_view text, std::time_t wall_seconds);

// Returns how long to wait before try `number` (from 1): between half of and all of first * 2^(number - 1),
// by chance, so that clients which failed together do not come back together; never more than `longest`.
std::chrono::milliseconds BackOff(unsigned number, std::chrono::milliseconds first,
                                  std::chrono::milliseconds longest, SplitMix64& random);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_HTTP_RETRY_RULES_H_
