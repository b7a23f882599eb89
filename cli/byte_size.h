// cli/byte_size.h: sizes on the command line, such as 20K or 64MiB.
#ifndef LEAFSCORE_CLI_BYTE_SIZE_H_
#define LEAFSCORE_CLI_BYTE_SIZE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "cli/whole_number.h"

namespace leafscore::internal {

// For CLI::Option::transform: writes a size with a unit as a number of bytes: 20K and 20KiB are 20 * 1024.
// RETURNS: what is wrong with `text`; empty when it is a whole number with or without a unit.
inline std::string ExpandByteSize(std::string& text) {
  const std::size_t end = text.find_first_not_of("0123456789");
  if (end == 0 || end == std::string::npos) return CheckWholeNumber(text);
  const std::string number = text.substr(0, end);
  const std::size_t power = std::string_view("KMGTkmgt").find(text[end]);
  const std::string_view after = std::string_view(text).substr(end + 1);
  if (power == std::string_view::npos || !(after.empty() || after == "iB")) {
    return "'" + text + "' is not a number of bytes; write 20480, 20K or 20KiB, with K, M, G or T";
  }
  if (std::string fault = CheckWholeNumber(number); !fault.empty()) return fault;
  const unsigned shift = 10 * (static_cast<unsigned>(power) % 4 + 1);
  const std::uint64_t count = std::stoull(number);
  if (count > std::numeric_limits<std::uint64_t>::max() >> shift) return "'" + text + "' is too large";
  text = std::to_string(count << shift);
  return {};
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_BYTE_SIZE_H_
