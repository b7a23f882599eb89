// cli/terminal.h: writes to standard output and standard error, and finds out what the terminal behind a file
// descriptor can show.
#ifndef LEAFSCORE_CLI_TERMINAL_H_
#define LEAFSCORE_CLI_TERMINAL_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

// Writes results to standard output. After an error, it writes nothing more; CheckPrinted reports the error.
void Print(std::string_view text);

// ERRORS: Error(kOutput) if a Print failed, Error(kInterrupted) if a Print was stopped while it waited.
void CheckPrinted();

// Writes text for people to standard error, unchanged. Text that cannot be written is lost without an error.
void PrintNotice(std::string_view text);

// Writes a message to standard error, with "leafscore: " before it and a line end after it. DisplayText makes
// the message safe to show.
void PrintMessage(std::string_view message);

// Prints a message, on one line, with the files that earlier runs left beside an output and that this run did
// not touch.
void PrintLeftovers(const std::vector<std::string>& names);

// Returns whether fd is a terminal that obeys control sequences (TERM is not "dumb").
bool IsInteractive(int fd);

// Returns whether to write colours to fd: IsInteractive(fd) and NO_COLOR is unset or empty (no-color.org).
bool UseColour(int fd);

// Returns the columns of the terminal fd; 80 if their number is unknown.
int TerminalColumns(int fd);

// Returns the width for tables on fd: the width of the terminal, or 0 (any width) without a terminal.
std::size_t TableColumns(int fd);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_TERMINAL_H_
