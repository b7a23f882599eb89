#include "engine/http/retry_rules.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <string>

namespace leafscore::internal {
namespace {

using Milliseconds = std::chrono::milliseconds;

// Longer delays are cut to this; nobody waits that long anyway.
constexpr double kLongestSeconds = 30.0 * 24 * 3600;

std::optional<Milliseconds> ReadDate(const std::string& text, std::time_t wall_seconds) {
  std::tm date{};
  const char* const end = strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date);
  if (end == nullptr || *end != '\0') return std::nullopt;
  const double seconds = std::difftime(timegm(&date), wall_seconds);
  return Milliseconds(static_cast<std::int64_t>(std::clamp(seconds, 0.0, kLongestSeconds) * 1000));
}

// Removes the unit at the beginning of the text. RETURNS: its length in seconds; 1 without a unit; nullopt
// for an unknown unit.
std::optional<double> TakeUnit(std::string_view& text) {
  const std::size_t length = std::min(text.find_first_of("0123456789."), text.size());
  const std::string_view unit = text.substr(0, length);
  text.remove_prefix(length);
  if (unit.empty() || unit == "s") return 1;
  if (unit == "ms") return 1e-3;
  if (unit == "m") return 60;
  if (unit == "h") return 3600;
  return std::nullopt;
}

}  // namespace

bool MayChange(long status, std::string_view body) {
  if (status == 429) return body.find("insufficient_quota") == std::string_view::npos;
  if (status == 408 || status == 425) return true;
  return status >= 500 && status != 501 && status != 505;
}

std::optional<Milliseconds> ReadDelay(std::string_view text, std::time_t wall_seconds) {
  if (text.empty()) return std::nullopt;
  double seconds = 0;
  for (std::string_view rest = text; !rest.empty();) {
    double number = 0;
    const auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), number, std::chars_format::fixed);
    if (error != std::errc() || !std::isfinite(number) || number < 0)
      return ReadDate(std::string(text), wall_seconds);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    const std::optional<double> unit = TakeUnit(rest);
    if (!unit) return std::nullopt;
    seconds += number * *unit;
  }
  return Milliseconds(static_cast<std::int64_t>(std::ceil(std::min(seconds, kLongestSeconds) * 1000)));
}

Milliseconds BackOff(unsigned number, Milliseconds first, Milliseconds longest, SplitMix64& random) {
  const double most = std::min(static_cast<double>(longest.count()),
                               std::ldexp(static_cast<double>(first.count()), static_cast<int>(number) - 1));
  const double share = 0.5 + static_cast<double>(random.Below(1u << 16)) / (1u << 17);
  return Milliseconds(static_cast<std::int64_t>(most * share));
}

}  // namespace leafscore::internal
