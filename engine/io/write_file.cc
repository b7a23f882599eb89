#include "engine/io/write_file.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "leafscore/error.h"

namespace leafscore::internal {

FileDescriptor MakeNewFile(int folder, const std::string& name, mode_t mode) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
  FileDescriptor file(openat(folder, name.c_str(), kFlags, mode));
  if (!file.valid() && errno == EEXIST && unlinkat(folder, name.c_str(), 0) == 0) {
    file = FileDescriptor(openat(folder, name.c_str(), kFlags, mode));
  }
  return file;
}

std::size_t WriteAll(int fd, std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = write(fd, bytes.data() + done, bytes.size() - done);
    if (n >= 0) {
      done += static_cast<std::size_t>(n);
    } else if (errno == EAGAIN) {
      pollfd writable{fd, POLLOUT, 0};
      poll(&writable, 1, -1);
    } else if (errno != EINTR) {
      break;
    }
  }
  return done;
}

bool SyncFile(int fd) { return fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS; }

void ThrowOutputError(const std::string& what, int error) {
  throw Error(ErrorCode::kOutput, what + ": " + std::generic_category().message(error));
}

}  // namespace leafscore::internal
