#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>

#include "cli/environment.h"
#include "cli/interrupt.h"
#include "engine/base/display.h"
#include "engine/io/write_file.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

int print_error = 0;  // of the first Print that failed

}  // namespace

void Print(std::string_view text) {
  if (print_error != 0) return;
  if (WriteAll(STDOUT_FILENO, text, &StopRequested()) < text.size()) print_error = errno;
}

void CheckPrinted() {
  if (print_error == ECANCELED) {
    throw Error(ErrorCode::kInterrupted, "stopped while waiting for the reader of standard output");
  }
  if (print_error != 0) ThrowOutputError("cannot write standard output", print_error);
}

void PrintNotice(std::string_view text) { WriteAll(STDERR_FILENO, text, &StopRequested()); }

void PrintMessage(std::string_view message) { PrintNotice("leafscore: " + DisplayText(message) + "\n"); }

void PrintLeftovers(const std::vector<std::string>& names) {
  if (names.empty()) return;
  PrintMessage(fmt::format("left as it is, perhaps of a run that did not end: {}", fmt::join(names, ", ")));
}

bool IsInteractive(int fd) { return isatty(fd) == 1 && EnvironmentVariable("TERM") != "dumb"; }

bool UseColour(int fd) { return IsInteractive(fd) && EnvironmentVariable("NO_COLOR").empty(); }

int TerminalColumns(int fd) {
  winsize size{};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::size_t TableColumns(int fd) {
  return IsInteractive(fd) ? static_cast<std::size_t>(TerminalColumns(fd)) : 0;
}

}  // namespace leafscore::internal
