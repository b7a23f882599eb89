// cli/limit_option.h: options made from the limits in engine/base/limits.h.
#ifndef LEAFSCORE_CLI_LIMIT_OPTION_H_
#define LEAFSCORE_CLI_LIMIT_OPTION_H_

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "cli/byte_size.h"
#include "cli/option_groups.h"
#include "cli/whole_number.h"
#include "engine/base/limits.h"
#include "engine/render/cells.h"

namespace leafscore::internal {

// Returns a value of a limit in words: "64 MiB" or "1,024".
inline std::string LimitInWords(const Limit& limit, std::uint64_t value) {
  if (limit.unit != "bytes") return WithThousands(value);
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  const char* const* unit = units;
  while (unit + 1 != std::end(units) && value != 0 && value % 1024 == 0) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", value, *unit);
}

// Adds the option of a limit. The help names the reason for the limit, the default (the current `value`) and
// the range. Bytes can also be given as 20K or 64MiB. ERRORS: values out of the range are refused.
template <class Integer>
CLI::Option* AddLimit(CLI::App& command, const Limit& limit, Integer& value) {
  CLI::Option* const option =
      command.add_option(std::string(limit.option), value,
                         fmt::format("{} [default: {}; {} to {}]", limit.reason, LimitInWords(limit, value),
                                     LimitInWords(limit, limit.min), LimitInWords(limit, limit.max)));
  if (limit.unit == "bytes") option->transform(CLI::Validator(ExpandByteSize, ""));
  return option->check(CheckWholeNumber)
      ->check(CLI::Range(limit.min, limit.max).description(""))
      ->type_name(limit.unit == "bytes" ? "BYTES" : "N")
      ->group(kLimitsGroup);
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_LIMIT_OPTION_H_
