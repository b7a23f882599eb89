#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "cli/environment.h"
#include "engine/base/display.h"

namespace leafscore::internal {

void Print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void PrintMessage(std::string_view message) {
  const std::string line = "leafscore: " + DisplayText(message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

bool IsInteractive(int fd) { return isatty(fd) == 1 && EnvironmentVariable("TERM") != "dumb"; }

bool UseColour(int fd) { return IsInteractive(fd) && EnvironmentVariable("NO_COLOR").empty(); }

int TerminalColumns(int fd) {
  winsize size{};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace leafscore::internal
