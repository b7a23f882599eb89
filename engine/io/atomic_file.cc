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

// Returns whether a run holds the file locked. Only regular files are opened, as the writer of a pipe would
// notice.
bool IsLocked(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  return file.valid() && flock(file.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

bool Exists(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

}  // namespace

AtomicFile::AtomicFile(int folder, std::string partial, std::string name, const std::string& shown,
                       mode_t mode)
    : folder_(folder),
      partial_(std::move(partial)),
      name_(std::move(name)),
      made_(MakeNewFile(folder, partial_, mode)) {
  if (!made_.file.valid()) ThrowOutputError("cannot write " + partial_name() + " for " + shown, errno);
}

AtomicFile::AtomicFile(const std::string& path, const std::string& shown, mode_t mode)
    : AtomicFile(AT_FDCWD, path + ".partial", path, shown, mode) {
  CheckNoOtherRun(shown);
}

AtomicFile::AtomicFile(const std::string& path, const std::string& shown, ExistingPartial existing)
    : folder_(AT_FDCWD), partial_(path + ".partial"), name_(path) {
  made_.number = existing.number;
  made_.name = NumberedName(partial_, existing.number);
  // Kept whatever happens, until it is renamed.
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
  if (!IsOwn(partial_name()))
    ThrowOutputError("cannot go on with " + partial_name() + " for " + shown, errno);
}

AtomicFile::AtomicFile(int folder, const std::string& name, const std::string& shown)
    : AtomicFile(folder, "." + name + ".partial", name, shown, 0666) {}

AtomicFile::~AtomicFile() {
  if (has_partial_name_ && IsOwn(partial_name())) unlinkat(folder_, partial_name().c_str(), 0);
}

void AtomicFile::CheckNoOtherRun(const std::string& shown) const {
  if (!AnotherRunIsWriting()) return;
  throw Error(ErrorCode::kOutput,
              "another run is writing " + shown + ": wait until it ends, or name another output");
}

// Locks the file and looks at the others, in this order.
bool AtomicFile::AnotherRunIsWriting() const {
  if (flock(fd(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return true;
  for (int number = 1; number < made_.number || Exists(NumberedName(partial_, number)); ++number) {
    if (number != made_.number && IsLocked(NumberedName(partial_, number))) return true;
  }
  return false;
}

// Returns whether the name, in the folder, still means this file.
bool AtomicFile::IsOwn(const std::string& name) const {
  struct stat own {};
  struct stat named {};
  if (fstat(fd(), &own) != 0 || fstatat(folder_, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0)
    return false;
  if (own.st_dev == named.st_dev && own.st_ino == named.st_ino) return true;
  errno = ESTALE;
  return false;
}

std::vector<std::string> AtomicFile::leftovers() const {
  std::vector<std::string> names;
  for (int number = 1; number < made_.number; ++number) names.push_back(NumberedName(partial_, number));
  return names;
}

bool AtomicFile::Rename() {
  if (!IsOwn(partial_name())) return false;
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
