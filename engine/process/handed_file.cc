#include "engine/process/handed_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <mutex>
#include <system_error>

#include "engine/io/write_file.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "leafscore-output-";

// Removes a file of this user that nobody has locked.
void RemoveUnlocked(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status {};
  const bool is_ours = file.valid() && fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) &&
                       status.st_uid == geteuid();
  if (is_ours && flock(file.get(), LOCK_EX | LOCK_NB) == 0) unlink(path.c_str());
}

}  // namespace

HandedFile::HandedFile(std::string_view bytes) {
  static std::once_flag removed;
  std::call_once(removed, RemoveLeft);
  struct stat status {};
  do {
    path_ = (fs::temp_directory_path() / (std::string(kPrefix) + "XXXXXX")).string();
    file_ = FileDescriptor(mkostemp(path_.data(), O_CLOEXEC));
    if (!file_.valid()) throw std::system_error(errno, std::generic_category(), "no file for a long answer");
    while (flock(file_.get(), LOCK_EX) != 0 && errno == EINTR) {
    }
    // Another run may have taken it for left before it was locked.
  } while (fstat(file_.get(), &status) == 0 && status.st_nlink == 0);
  if (WriteAll(file_.get(), bytes) == bytes.size()) return;
  const int error = errno;
  unlink(path_.c_str());
  throw std::system_error(error, std::generic_category(), "no room for the file of a long answer");
}

HandedFile::~HandedFile() { unlink(path_.c_str()); }

void HandedFile::RemoveLeft() {
  std::error_code error;
  for (fs::directory_iterator entry(fs::temp_directory_path(error), error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename().string().starts_with(kPrefix)) RemoveUnlocked(entry->path().string());
  }
}

}  // namespace leafscore::internal
