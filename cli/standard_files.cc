#include "cli/standard_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

#include "engine/io/write_file.h"

namespace leafscore::internal {

void PrepareStandardFiles() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    // open returns the lowest number that is free, which is `fd`.
    if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) {
      ThrowOutputError("standard file " + std::to_string(fd) + " is closed, and /dev/null cannot stand in",
                       errno);
    }
  }
}

}  // namespace leafscore::internal
