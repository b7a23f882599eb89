// cli/terminal.h: writes to standard output and standard error, and tells what the terminal behind a file
// descriptor can show.
#ifndef LEAFSCORE_CLI_TERMINAL_H_
#define LEAFSCORE_CLI_TERMINAL_H_

#include <string_view>

namespace leafscore::internal {

// Writes to standard output; main reports a failure.
void Print(std::string_view text);

// Writes a message, "leafscore: " before it and a line end after it, to standard error; DisplayText says what
// it shows of the data in it. What cannot be written is lost, and nothing else.
void PrintMessage(std::string_view message);

// Returns whether fd is a terminal that obeys control sequences (TERM is not "dumb").
bool IsInteractive(int fd);

// Returns whether to write colours to fd: IsInteractive(fd) and NO_COLOR is unset or empty (no-color.org).
bool UseColour(int fd);

// Returns the columns of the terminal fd, 80 when it does not say.
int TerminalColumns(int fd);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_TERMINAL_H_
