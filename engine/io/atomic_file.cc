#include "engine/io/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "engine/io/write_file.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

bool SameFile(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path, const std::string& shown)
    : folder_(AT_FDCWD), partial_(path + ".partial"), name_(path) {
  for (;;) {
    // O_NOFOLLOW, O_NONBLOCK: a link or a pipe that lies there is neither followed nor waited for.
    file_ = FileDescriptor(
        open(partial_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666));
    if (!file_.valid()) ThrowOutputError("cannot write " + partial_ + " for " + shown, errno);
    if (flock(file_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      throw Error(ErrorCode::kOutput,
                  "another run is writing " + shown + ": wait until it ends, or name another output");
    }
    struct stat opened {};
    if (fstat(file_.get(), &opened) != 0 || !S_ISREG(opened.st_mode)) {
      throw Error(ErrorCode::kOutput, "cannot write " + partial_ + ": it is not a regular file");
    }
    // Between open and flock, the run that held the lock may have renamed or removed the file.
    struct stat named {};
    if (stat(partial_.c_str(), &named) == 0 && SameFile(opened, named)) break;
  }
  if (ftruncate(file_.get(), 0) != 0) ThrowOutputError("cannot write " + shown, errno);
}

AtomicFile::AtomicFile(int folder, const std::string& name, const std::string& shown)
    : file_(MakeNewFile(folder, "." + name + ".partial", 0666)),
      folder_(folder),
      partial_("." + name + ".partial"),
      name_(name) {
  if (!file_.valid()) ThrowOutputError("cannot write " + shown, errno);
}

AtomicFile::~AtomicFile() {
  if (!partial_.empty()) unlinkat(folder_, partial_.c_str(), 0);
}

bool AtomicFile::Rename() {
  if (renameat(folder_, partial_.c_str(), folder_, name_.c_str()) != 0) return false;
  partial_.clear();
  return true;
}

void AtomicFile::SyncFolder() const {
  const std::string parent = std::filesystem::path(name_).parent_path().string();
  const FileDescriptor folder(openat(folder_, parent.empty() ? "." : parent.c_str(), O_RDONLY | O_CLOEXEC));
  if (folder.valid()) fsync(folder.get());
}

}  // namespace leafscore::internal
