// cli/between.h: a check for options that are numbers in an open interval.
#ifndef LEAFSCORE_CLI_BETWEEN_H_
#define LEAFSCORE_CLI_BETWEEN_H_

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

namespace leafscore::internal {

// For CLI::Option::check. Refuses NaN and every number that is not strictly between the two limits.
inline CLI::Validator StrictlyBetween(double above, double below) {
  return CLI::Validator(
      [above, below](const std::string& text) -> std::string {
        double number = 0;
        if (CLI::detail::lexical_cast(text, number) && number > above && number < below) return {};
        return fmt::format("'{}' does not lie between {} and {}", text, above, below);
      },
      "");
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_BETWEEN_H_
