#include "engine/http/asked_delay.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

#include "engine/http/retry_rules.h"

namespace leafscore::internal {
namespace {

bool TakePrefix(std::string_view& text, std::string_view lower_case_prefix) {
  if (text.size() < lower_case_prefix.size()) return false;
  for (std::size_t i = 0; i < lower_case_prefix.size(); ++i) {
    const char c = text[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c) != lower_case_prefix[i]) return false;
  }
  text.remove_prefix(lower_case_prefix.size());
  return true;
}

std::optional<double> ReadCount(std::string_view text) {
  double count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(count) : std::nullopt;
}

}  // namespace

void AskedDelay::Take(std::string_view line, std::time_t now) {
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n' || line.back() == ' ')) {
    line.remove_suffix(1);
  }
  const std::string_view value = line.substr(std::min(line.find(':') + 1, line.size()));
  const std::string_view text = value.substr(std::min(value.find_first_not_of(" \t"), value.size()));
  if (TakePrefix(line, "retry-after:")) {
    retry_after = ReadDelay(text, now);
  } else if (TakePrefix(line, "x-ratelimit-remaining-")) {
    (TakePrefix(line, "tokens:") ? tokens : requests).remaining = ReadCount(text);
  } else if (TakePrefix(line, "x-ratelimit-reset-")) {
    (TakePrefix(line, "tokens:") ? tokens : requests).reset = ReadDelay(text, now);
  }
}

}  // namespace leafscore::internal
