// tests/cli/pseudo_terminal.h: a terminal for tests; the text written to terminal() can be read here.
#ifndef LEAFSCORE_TESTS_CLI_PSEUDO_TERMINAL_H_
#define LEAFSCORE_TESTS_CLI_PSEUDO_TERMINAL_H_

#include <fcntl.h>
#include <pty.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace leafscore::internal {

class PseudoTerminal {
 public:
  explicit PseudoTerminal(unsigned short columns) {
    const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    if (openpty(&reader_, &terminal_, nullptr, nullptr, &size) != 0) throw std::runtime_error("no terminal");
    fcntl(reader_, F_SETFL, O_NONBLOCK);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;
  ~PseudoTerminal() {
    close(reader_);
    close(terminal_);
  }

  int terminal() const { return terminal_; }

  // Returns everything that was written since the last call.
  std::string Read() {
    std::string text;
    char buffer[4096];
    for (ssize_t count; (count = read(reader_, buffer, sizeof buffer)) > 0;) {
      text.append(buffer, static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  int reader_ = -1;
  int terminal_ = -1;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_CLI_PSEUDO_TERMINAL_H_
