// engine/http/retry_rules.h: decides what is tried again, and when. Pure functions; any thread may call.
#ifndef LEAFSCORE_ENGINE_HTTP_RETRY_RULES_H_
#define LEAFSCORE_ENGINE_HTTP_RETRY_RULES_H_

#include <chrono>
#include <ctime>
#include <optional>
#include <string_view>

#include "engine/base/random.h"

namespace leafscore::internal {

// Returns whether a retry after this status may succeed: the service is busy or restarts, or something on the
// way has failed. `body` may rule it out, for example if a quota is used up.
bool MayChange(long status, std::string_view body);

// Returns whether the status means that the service is overloaded.
inline bool SaysOverloaded(long status) { return status == 429 || status == 503 || status == 529; }

// Returns the delay that a header asks for: "2", "0.5", "1m30s", "20ms", or an HTTP date, relative to
// `wall_seconds` (since 1970). RETURNS: nullopt unless `text` is a delay.
std::optional<std::chrono::milliseconds> ReadDelay(std::string_view text, std::time_t wall_seconds);

// Returns how long to wait before retry `number` (from 1). The longest wait is first * 2^(number - 1), or
// `longest` if that is less; the result is a random time from half of this wait to all of it. It is random so
// that clients which failed together do not come back together.
std::chrono::milliseconds BackOff(unsigned number, std::chrono::milliseconds first,
                                  std::chrono::milliseconds longest, SplitMix64& random);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_HTTP_RETRY_RULES_H_
