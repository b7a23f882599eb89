// cli/man_page.h: the manual page of the command, made from CLI11's description of it.
#ifndef LEAFSCORE_CLI_MAN_PAGE_H_
#define LEAFSCORE_CLI_MAN_PAGE_H_

#include <CLI/App.hpp>
#include <string>

namespace leafscore::internal {

// Returns the page leafscore.1, with a section for each command, in the macros man(7).
std::string ManPage(const CLI::App& app);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_MAN_PAGE_H_
