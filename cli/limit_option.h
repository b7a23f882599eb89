// cli/limit_option.h: options made from the limits in engine/base/limits.h.
#ifndef LEAFSCORE_CLI_LIMIT_OPTION_H_
#define LEAFSCORE_CLI_LIMIT_OPTION_H_

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "cli/whole_number.h"
#include "engine/base/limits.h"

namespace leafscore::internal {

// Adds the limit's option, whose help is the default, which `value` has, the limit's unit and its reason.
// Values out of its range are refused.
template <class Integer>
void AddLimit(CLI::App& command, const Limit& limit, Integer& value) {
  command
      .add_option(std::string(limit.option), value,
                  fmt::format("[{} {}] {}", value, limit.unit, limit.reason))
      ->check(CheckWholeNumber)
      ->check(CLI::Range(limit.min, limit.max));
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_LIMIT_OPTION_H_
