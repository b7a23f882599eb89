#include "engine/io/write_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr int kStopPollMs = 100;
constexpr int kStoppedWaits = 5;  // waits for the rest of a line after a stop

bool IsRegular(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

// Returns how much can be written to a writable descriptor without a wait, if nobody else writes to it: the
// capacity of an empty pipe, otherwise PIPE_BUF.
std::size_t RoomOf(int fd) {
  int unread = 0;
  const int capacity = fcntl(fd, F_GETPIPE_SZ);  // -1 if not a pipe
  const bool is_empty = capacity > 0 && ioctl(fd, FIONREAD, &unread) == 0 && unread == 0;
  return is_empty ? static_cast<std::size_t>(capacity) : PIPE_BUF;
}

// Returns the whole lines that fit into the room, or a part of the first line if it does not fit.
std::string_view PieceFor(std::size_t room, std::string_view bytes) {
  if (bytes.size() <= room) return bytes;
  const std::size_t line_end = bytes.rfind('\n', room - 1);
  return bytes.substr(0, line_end == std::string_view::npos ? room : line_end + 1);
}

// Waits until fd can be written or has an error. RETURNS: false if stopped.
bool AwaitWritable(int fd, bool in_line, const std::atomic<bool>& stop) {
  pollfd writable{fd, POLLOUT, 0};
  for (int stopped_waits = 0;;) {
    const bool stopped = stop.load(std::memory_order_relaxed);
    const bool last = stopped && (!in_line || stopped_waits++ == kStoppedWaits);
    const int ready = poll(&writable, 1, last ? 0 : kStopPollMs);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
    if (last) return false;
  }
}

// Gives an unnamed file the first free numbered name. RETURNS: false if that is not possible.
bool GiveName(NewFile& made, int folder, const std::string& name) {
  const std::string file = "/proc/self/fd/" + std::to_string(made.file.get());
  for (; made.number <= kMaxFileNumber; ++made.number) {
    made.name = NumberedName(name, made.number);
    if (linkat(AT_FDCWD, file.c_str(), folder, made.name.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
    if (errno != EEXIST) break;
  }
  return false;
}

}  // namespace

std::string NumberedName(const std::string& name, int number) {
  return number == 1 ? name : name + '-' + std::to_string(number);
}

NewFile MakeNewFile(int folder, const std::string& name, mode_t mode,
                    const std::function<bool(int fd)>& prepare) {
  if (prepare) {
    const std::string parent = std::filesystem::path(name).parent_path().string();
    const int flags = O_RDWR | O_TMPFILE | O_CLOEXEC;
    NewFile made;
    made.file = FileDescriptor(openat(folder, parent.empty() ? "." : parent.c_str(), flags, mode));
    if (made.file.valid() && prepare(made.file.get()) && GiveName(made, folder, name)) return made;
  }
  NewFile made;
  for (; made.number <= kMaxFileNumber; ++made.number) {
    made.name = NumberedName(name, made.number);
    // With O_EXCL, an existing link is not followed, either.
    made.file =
        FileDescriptor(openat(folder, made.name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (made.file.valid() || errno != EEXIST) break;
  }
  if (made.file.valid() && prepare) prepare(made.file.get());
  return made;
}

std::vector<std::string> NumberedNamesThere(const std::string& name) {
  const std::filesystem::path path(name);
  const std::string first = path.filename().string();
  const std::string folder_name = path.has_parent_path() ? path.parent_path().string() : ".";
  std::vector<int> numbers;
  const auto add = [&](std::string_view there) {
    if (!there.starts_with(first)) return;
    int number = 1;
    const char* const rest_end = there.data() + there.size();
    const char* const digits = there.data() + first.size() + 1;
    if (digits <= rest_end) std::from_chars(digits, rest_end, number);
    // Compare the whole name, so that a name with anything behind its number does not match.
    const bool is_number = number >= 1 && number <= kMaxFileNumber && NumberedName(first, number) == there;
    if (is_number) numbers.push_back(number);
  };
  // std::filesystem is not used, because it would end the process if memory runs out.
  const auto close = [](DIR* open) { closedir(open); };
  errno = 0;
  const std::unique_ptr<DIR, decltype(close)> folder(opendir(folder_name.c_str()), close);
  if (folder) {
    const dirent* entry = nullptr;
    while (errno = 0, (entry = readdir(folder.get())) != nullptr) add(entry->d_name);
  }
  const int error = errno;
  if (error != 0 && error != ENOENT) {
    throw Error(ErrorCode::kInput,
                "cannot list the folder of " + name + ": " + std::generic_category().message(error));
  }
  std::ranges::sort(numbers);
  std::vector<std::string> names;
  for (const int number : numbers) names.push_back(NumberedName(name, number));
  return names;
}

bool IsNamed(int fd, int folder, const std::string& name) {
  struct stat own {};
  struct stat named {};
  if (fstat(fd, &own) != 0 || fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0) return false;
  if (own.st_dev == named.st_dev && own.st_ino == named.st_ino) return true;
  errno = ESTALE;
  return false;
}

std::size_t WriteAll(int fd, std::string_view bytes, const std::atomic<bool>* stop) {
  const bool in_pieces = stop != nullptr && !IsRegular(fd);
  std::size_t done = 0;
  while (done < bytes.size()) {
    std::string_view piece = bytes.substr(done);
    if (in_pieces) {
      if (!AwaitWritable(fd, done != 0 && bytes[done - 1] != '\n', *stop)) {
        errno = ECANCELED;
        break;
      }
      piece = PieceFor(RoomOf(fd), piece);
    }
    const ssize_t n = write(fd, piece.data(), piece.size());
    if (n >= 0) {
      done += static_cast<std::size_t>(n);
    } else if (errno == EAGAIN) {
      pollfd writable{fd, POLLOUT, 0};
      if (!in_pieces) poll(&writable, 1, -1);
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
