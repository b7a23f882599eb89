#include "engine/evaluate/report_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/base/utf8.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMaxNameBytes = 200;  // leaves room for a number and endings within 255
constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

[[noreturn]] void ThrowErrno(const std::string& what) {
  throw Error(ErrorCode::kOutput, what + ": " + std::generic_category().message(errno));
}

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// Makes a new file; what lies there, left by a killed run or a link, is removed first.
FileDescriptor MakeFile(int folder, const std::string& name, mode_t mode) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
  FileDescriptor file(openat(folder, name.c_str(), kFlags, mode));
  if (!file.valid() && errno == EEXIST && unlinkat(folder, name.c_str(), 0) == 0) {
    file = FileDescriptor(openat(folder, name.c_str(), kFlags, mode));
  }
  return file;
}

}  // namespace

std::string ReportNames::NameFor(std::string_view run_id) {
  std::string name(ClipText(run_id, kMaxNameBytes));
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '/') c = '_';
  }
  if (name.empty() || name[0] == '.') name.replace(0, name.empty() ? 0 : 1, "_");
  std::string given = name;
  while (!taken_.emplace(given, 1).second) given = name + '-' + std::to_string(++taken_[name]);
  return given + ".json";
}

// A file under its partial name, which is removed again unless it is given its name.
class ReportFolder::NewFile {
 public:
  NewFile(const ReportFolder& folder, std::string_view name)
      : folder_(folder), name_(name), partial_("." + name_ + ".partial") {
    file_ = MakeFile(folder_.folder_.get(), partial_, 0666);
    if (!file_.valid()) Throw();
  }
  ~NewFile() {
    if (!named_) unlinkat(folder_.folder_.get(), partial_.c_str(), 0);
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void Write(std::string_view bytes) {
    if (!WriteAll(file_.get(), bytes)) Throw();
  }
  void Sync() {
    if (fsync(file_.get()) != 0 && errno != EINVAL) Throw();
  }
  void GiveName() {
    const int folder = folder_.folder_.get();
    if (renameat(folder, partial_.c_str(), folder, name_.c_str()) != 0) Throw();
    named_ = true;
  }

 private:
  [[noreturn]] void Throw() const { ThrowErrno("cannot write " + folder_.path_ + "/" + name_); }

  const ReportFolder& folder_;
  std::string name_;
  std::string partial_;
  FileDescriptor file_;
  bool named_ = false;
};

ReportFolder::ReportFolder(const std::string& path) : path_(path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);  // what it could not make cannot be opened
  folder_ = FileDescriptor(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder_.valid()) ThrowErrno("cannot write reports into " + path);
  if (flock(folder_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw Error(ErrorCode::kOutput, "another run is writing reports into " + path +
                                        ": wait until it ends, or name another folder");
  }
  const std::string kept = "." + std::string(kAggregateName) + ".results";
  kept_ = MakeFile(folder_.get(), kept, 0600);
  if (!kept_.valid()) ThrowErrno("cannot write reports into " + path);
  unlinkat(folder_.get(), kept.c_str(), 0);
}

FolderIdentity ReportFolder::identity() const {
  struct stat status {};
  fstat(folder_.get(), &status);
  return {status.st_dev, status.st_ino};
}

void ReportFolder::Write(const std::string& name, std::string_view bytes) const {
  NewFile file(*this, name);
  file.Write(bytes);
  file.GiveName();
}

void ReportFolder::KeepForAggregate(std::string_view text) {
  pending_ += text;
  if (pending_.size() < kBlockBytes) return;
  if (!WriteAll(kept_.get(), pending_)) ThrowErrno("cannot write into " + path_);
  pending_.clear();
}

void ReportFolder::WriteAggregate(std::string_view head, std::string_view tail) {
  NewFile file(*this, kAggregateName);
  file.Write(head);
  std::string block(kBlockBytes, '\0');
  for (off_t done = 0;;) {
    const ssize_t n = pread(kept_.get(), block.data(), block.size(), done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) ThrowErrno("cannot read back what was written into " + path_);
    if (n == 0) break;
    file.Write(std::string_view(block.data(), static_cast<std::size_t>(n)));
    done += n;
  }
  file.Write(pending_);
  file.Write(tail);
  file.Sync();
  file.GiveName();
  fsync(folder_.get());
}

}  // namespace leafscore::internal
