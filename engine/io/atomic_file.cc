#include "engine/io/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Returns whether a run holds a lock on the file. Opens only regular files, because the writer of a pipe
// would notice.
bool IsLocked(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  return file.valid() && flock(file.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

bool Exists(const std::string& name, int folder = AT_FDCWD) {
  struct stat status {};
  return fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

// Returns the mark, which a file holds until it is written to.
std::string MarkOf(const std::string& path, const struct stat& status) {
  return "leafscore: nothing was written yet of " + std::filesystem::path(path).filename().string() +
         " (file " + std::to_string(status.st_ino) + ")\n";
}

// RETURNS: whether the file now holds exactly its mark.
bool WriteMark(int fd, const std::string& path) {
  struct stat status {};
  if (fstat(fd, &status) != 0) return false;
  const std::string mark = MarkOf(path, status);
  return pwrite(fd, mark.data(), mark.size(), 0) == static_cast<ssize_t>(mark.size());
}

// Returns whether a file belongs to a run of this user that ended before it wrote anything.
bool IsAbandoned(const std::string& name, const std::string& path) {
  struct stat named {};
  if (lstat(name.c_str(), &named) != 0 || !S_ISREG(named.st_mode)) return false;
  const std::string mark = MarkOf(path, named);
  if (named.st_uid != geteuid() || named.st_size != static_cast<off_t>(mark.size())) return false;
  const FileDescriptor file(open(name.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.valid() || flock(file.get(), LOCK_EX | LOCK_NB) != 0) return false;
  struct stat opened {};
  std::string held(mark.size() + 1, '\0');
  const bool is_same = fstat(file.get(), &opened) == 0 && opened.st_dev == named.st_dev &&
                       opened.st_ino == named.st_ino && opened.st_nlink == 1;
  const ssize_t n = pread(file.get(), held.data(), held.size(), 0);
  return is_same && n == static_cast<ssize_t>(mark.size()) && held.starts_with(mark);
}

// Removes the partial files that belong to a path, if their runs ended before they wrote anything. RETURNS:
// the first partial name.
std::string WithoutMarked(const std::string& path) {
  std::string partial = path + ".partial";
  constexpr int kGap = 3;  // stop after this many free names: a continued run may have removed some
  for (int number = 1, free = 0; free != kGap; ++number) {
    const std::string name = NumberedName(partial, number);
    free = Exists(name) ? 0 : free + 1;
    if (free == 0 && IsAbandoned(name, path)) unlink(name.c_str());
  }
  return partial;
}

}  // namespace

AtomicFile::AtomicFile(int folder, std::string partial, std::string name, const std::string& shown,
                       mode_t mode, const std::function<bool(int fd)>& prepare)
    : folder_(folder),
      partial_(std::move(partial)),
      name_(std::move(name)),
      made_(MakeNewFile(folder, partial_, mode, prepare)) {
  if (!made_.file.valid()) ThrowOutputError("cannot write " + partial_name() + " for " + shown, errno);
}

// Lock before marking: a marked file without a lock is taken for abandoned.
AtomicFile::AtomicFile(const std::string& path, const std::string& shown, mode_t mode)
    : AtomicFile(AT_FDCWD, WithoutMarked(path), path, shown, mode,
                 [&](int fd) { return flock(fd, LOCK_EX | LOCK_NB) == 0 && WriteMark(fd, path); }) {
  CheckNoOtherRun(shown);
}

AtomicFile::AtomicFile(const std::string& path, const std::string& shown, ExistingPartial existing)
    : folder_(AT_FDCWD), partial_(path + ".partial"), name_(path) {
  made_.number = existing.number;
  made_.name = NumberedName(partial_, existing.number);
  // Keep the file whatever happens, until it is renamed.
  has_partial_name_ = false;
  made_.file = FileDescriptor(open(partial_name().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status {};
  if (!made_.file.valid() || fstat(fd(), &status) != 0) {
    ThrowOutputError("cannot go on with " + partial_name() + " for " + shown, errno);
  }
  if (!S_ISREG(status.st_mode) || status.st_uid != geteuid() || status.st_nlink != 1) {
    throw Error(ErrorCode::kOutput, "cannot go on with " + partial_name() + " for " + shown +
                                        ": it is no file of this user alone");
  }
  CheckNoOtherRun(shown);
  if (!IsNamed(fd(), folder_, partial_name()))
    ThrowOutputError("cannot go on with " + partial_name() + " for " + shown, errno);
}

AtomicFile::AtomicFile(int folder, const std::string& name, const std::string& shown)
    : AtomicFile(folder, "." + name + ".partial", name, shown, 0666, {}) {}

AtomicFile::~AtomicFile() {
  if (has_partial_name_ && IsNamed(fd(), folder_, partial_name()))
    unlinkat(folder_, partial_name().c_str(), 0);
}

bool AtomicFile::Begin() { return ftruncate(fd(), 0) == 0; }

void AtomicFile::CheckNoOtherRun(const std::string& shown) const {
  if (!AnotherRunIsWriting()) return;
  throw Error(ErrorCode::kOutput,
              "another run is writing " + shown + ": wait until it ends, or name another output");
}

// Locks this file first, and then looks at the other partial files.
bool AtomicFile::AnotherRunIsWriting() const {
  if (flock(fd(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return true;
  for (int number = 1; number < made_.number || Exists(NumberedName(partial_, number)); ++number) {
    if (number != made_.number && IsLocked(NumberedName(partial_, number))) return true;
  }
  return false;
}

std::vector<std::string> AtomicFile::leftovers() const {
  std::vector<std::string> names;
  for (int number = 1; number < made_.number; ++number) {
    if (Exists(NumberedName(partial_, number), folder_)) names.push_back(NumberedName(partial_, number));
  }
  return names;
}

bool AtomicFile::Rename() {
  if (!IsNamed(fd(), folder_, partial_name())) return false;
  if (renameat(folder_, partial_name().c_str(), folder_, name_.c_str()) != 0) return false;
  has_partial_name_ = false;
  return true;
}

void AtomicFile::SyncFolder() const {
  const std::string parent = std::filesystem::path(name_).parent_path().string();
  const FileDescriptor folder(openat(folder_, parent.empty() ? "." : parent.c_str(), O_RDONLY | O_CLOEXEC));
  if (folder.valid()) fsync(folder.get());
}

}  // namespace leafscore::internal
