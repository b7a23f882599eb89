// cli/usage_error.h: what is wrong with a command line, in a sentence that says what to do.
#ifndef LEAFSCORE_CLI_USAGE_ERROR_H_
#define LEAFSCORE_CLI_USAGE_ERROR_H_

#include <CLI/App.hpp>
#include <string>

namespace leafscore::internal {

// Returns the message for an error of parsing, without "leafscore: " before it. For a name that is nearly
// right, the message suggests the right one.
std::string UsageErrorText(const CLI::App& app, const CLI::ParseError& error);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_USAGE_ERROR_H_
