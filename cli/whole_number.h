// cli/whole_number.h: a check for options that are counts.
#ifndef LEAFSCORE_CLI_WHOLE_NUMBER_H_
#define LEAFSCORE_CLI_WHOLE_NUMBER_H_

#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>

namespace leafscore::internal {

// For CLI::Option::check on unsigned options. Without this check, CLI11 reads -1 as 2^64 - 1, 010 as 8, and
// any number that is too large as the largest. RETURNS: the fault of `text`; empty if it is a decimal number
// of at most 64 bits.
inline std::string CheckWholeNumber(const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [parsed_end, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc::result_out_of_range) return "'" + text + "' is too large";
  if (error != std::errc() || parsed_end != end) return "'" + text + "' is not a whole number";
  if (text.size() > 1 && text[0] == '0') return "'" + text + "' has zeros in front; leave them out";
  return {};
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_WHOLE_NUMBER_H_
