#include "engine/io/output_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Bytes handed to an encoder at a time: always as many, so that compressed bytes depend on the records only.
constexpr std::size_t kEncodeBytes = 128 << 10;

constexpr mode_t kPermissionBits = 07777;

bool SameFile(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

std::unique_ptr<OutputFile> OutputFile::Open(const std::string& path) {
  std::unique_ptr<OutputFile> file(new OutputFile(path));
  if (path == "-") {
    file->path_ = "standard output";
    file->fd_ = STDOUT_FILENO;
    return file;
  }
  if (path.empty()) file->ThrowErrno("cannot write an output without a name", ENOENT);
  if (path.ends_with(".gz")) file->encoder_ = MakeGzipEncoder();
  if (path.ends_with(".zst")) file->encoder_ = MakeZstdEncoder();
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    file->fd_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file->fd_ < 0) file->ThrowErrno("cannot write", errno);
    return file;
  }
  if (exists && faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0)
    file->ThrowErrno("cannot write", errno);
  file->OpenPartial();
  // A private output stays private when it is replaced.
  if (exists) fchmod(file->fd_, status.st_mode & kPermissionBits);
  return file;
}

void OutputFile::OpenPartial() {
  target_ = path_;
  std::error_code error;
  if (std::filesystem::is_symlink(path_, error)) {
    target_ = std::filesystem::canonical(path_, error).string();
    if (error) ThrowErrno("cannot write", error.value());
  }
  const std::string partial = target_ + ".partial";
  for (;;) {
    // O_NOFOLLOW, O_NONBLOCK: a link or a pipe that lies there is neither followed nor waited for.
    fd_ = open(partial.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (fd_ < 0) ThrowErrno("cannot write " + partial + " for", errno);
    const bool locked_elsewhere = flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    struct stat opened {};
    struct stat named {};
    const bool is_regular = fstat(fd_, &opened) == 0 && S_ISREG(opened.st_mode);
    // Between open and flock, the run that held the lock may have renamed or removed the file.
    const bool is_current = stat(partial.c_str(), &named) == 0 && SameFile(opened, named);
    if (!locked_elsewhere && is_regular && is_current) break;
    Close();
    if (locked_elsewhere) {
      throw Error(ErrorCode::kOutput,
                  "another run is writing " + path_ + ": wait until it ends, or name another output");
    }
    if (!is_regular)
      throw Error(ErrorCode::kOutput, "cannot write " + partial + ": it is not a regular file");
  }
  partial_ = partial;
  if (ftruncate(fd_, 0) != 0) ThrowErrno("cannot write", errno);
}

void OutputFile::Write(std::string_view whole_records) {
  if (!encoder_) return WriteAll(whole_records);
  while (!whole_records.empty()) {
    const std::size_t n = std::min(whole_records.size(), kEncodeBytes - staged_.size());
    staged_.append(whole_records.substr(0, n));
    whole_records.remove_prefix(n);
    if (staged_.size() == kEncodeBytes) EncodeStaged(false);
  }
}

void OutputFile::EncodeStaged(bool last) {
  encoded_.clear();
  encoder_->Encode(staged_, last, encoded_);
  staged_.clear();
  WriteAll(encoded_);
}

void OutputFile::WriteAll(std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = write(fd_, bytes.data() + done, bytes.size() - done);
    if (n >= 0) {
      done += static_cast<std::size_t>(n);
    } else if (errno == EAGAIN) {
      pollfd writable{fd_, POLLOUT, 0};
      poll(&writable, 1, -1);
    } else if (errno != EINTR) {
      const int error = errno;
      failed_ = true;
      // Cut only where nobody else has appended.
      struct stat status {};
      const off_t position = lseek(fd_, 0, SEEK_CUR);
      const bool is_regular = fstat(fd_, &status) == 0 && S_ISREG(status.st_mode);
      if (!encoder_ && is_regular && status.st_size == position) {
        const off_t whole = position - static_cast<off_t>(done);
        if (ftruncate(fd_, whole) == 0 && lseek(fd_, whole, SEEK_SET) == whole) done = 0;
      }
      written_bytes_ += done;
      ThrowErrno("cannot write", error);
    }
  }
  written_bytes_ += done;
}

void OutputFile::FinishStream() {
  if (encoder_ && !failed_) EncodeStaged(true);
  // Pipes and devices cannot be made durable: EINVAL.
  if (fsync(fd_) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS)
    ThrowErrno("cannot write", errno);
}

void OutputFile::Commit() {
  if (failed_) throw Error(ErrorCode::kOutput, "cannot complete " + path_ + ": an earlier write failed");
  FinishStream();
  if (!partial_.empty()) {
    // Renamed before it is closed: the lock must be held until nobody can open it as a partial file.
    if (rename(partial_.c_str(), target_.c_str()) != 0)
      ThrowErrno("cannot rename " + partial_ + " to", errno);
    partial_.clear();
    // The new name, too, should survive a power loss; where a directory cannot be synced, nothing is lost
    // now.
    const std::string directory = std::filesystem::path(target_).parent_path().string();
    const int directory_fd = open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_CLOEXEC);
    if (directory_fd >= 0) {
      fsync(directory_fd);
      close(directory_fd);
    }
  }
  Close();
}

std::string OutputFile::KeepPartial() {
  FinishStream();
  const std::string kept = partial_.empty() ? path_ : partial_;
  partial_.clear();
  Close();
  return kept;
}

void OutputFile::Abandon() noexcept {
  if (!partial_.empty()) unlink(partial_.c_str());
  partial_.clear();
  Close();
}

void OutputFile::Close() {
  if (fd_ > STDERR_FILENO) close(fd_);
  fd_ = -1;
}

void OutputFile::ThrowErrno(const std::string& what, int error) const {
  const std::string after = fd_ < 0 ? "" : " after " + std::to_string(written_bytes_) + " bytes";
  throw Error(ErrorCode::kOutput, what + " " + path_ + after + ": " + std::generic_category().message(error));
}

void CheckReplacesNone(const std::string& output, std::span<const std::string> others) {
  namespace fs = std::filesystem;
  std::error_code error;
  const bool replaces = fs::is_regular_file(output, error) || !fs::exists(output, error);
  if (output.empty() || output == "-" || !replaces) return;
  const fs::path path = fs::weakly_canonical(output, error);
  for (const std::string& other : others) {
    if (other.empty() || other == "-" || fs::weakly_canonical(other, error) != path) continue;
    throw Error(ErrorCode::kUsage, "writing " + output + " would replace " + other +
                                       ", which this run uses too: name another file");
  }
}

}  // namespace leafscore::internal
