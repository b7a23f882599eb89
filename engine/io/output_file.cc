#include "engine/io/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "engine/base/suggest.h"
#include "engine/io/path.h"
#include "engine/io/write_file.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Bytes passed to an encoder at a time: a fixed number, so that compressed bytes depend only on the records.
constexpr std::size_t kEncodeBytes = 128 << 10;

constexpr mode_t kPermissionBits = 07777;
constexpr int kReaderPollMs = 50;

}  // namespace

std::string WithoutLinks(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  std::string target = std::filesystem::canonical(path, error).string();
  if (error) ThrowOutputError("cannot write " + path, error.value());
  return target;
}

std::unique_ptr<OutputFile> OutputFile::Open(const std::string& path, const std::atomic<bool>* stop) {
  CheckPath(path);
  std::unique_ptr<OutputFile> file(new OutputFile(path, stop));
  if (path == "-") {
    file->path_ = "standard output";
    file->fd_ = STDOUT_FILENO;
    return file;
  }
  if (path.empty()) file->Throw("cannot write an output without a name", ENOENT);
  if (path.ends_with(".gz")) file->encoder_ = MakeGzipEncoder();
  if (path.ends_with(".zst")) file->encoder_ = MakeZstdEncoder();
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    file->OpenDirect(S_ISFIFO(status.st_mode));
    return file;
  }
  if (exists && faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) file->Throw("cannot write", errno);
  // If the replaced file is private, the new file is private from the first moment on.
  const mode_t mode = exists ? status.st_mode & 0666 : 0666;
  file->fd_ = file->beside_.emplace(WithoutLinks(path), path, mode).fd();
  if (exists) fchmod(file->fd_, status.st_mode & kPermissionBits);
  return file;
}

std::unique_ptr<OutputFile> OutputFile::Reopen(const std::string& path, int partial_number,
                                               const std::atomic<bool>* stop) {
  CheckPath(path);
  std::unique_ptr<OutputFile> file(new OutputFile(path, stop));
  if (path.ends_with(".gz")) file->encoder_ = MakeGzipEncoder();
  if (path.ends_with(".zst")) file->encoder_ = MakeZstdEncoder();
  if (access(path.c_str(), F_OK) == 0 && faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) {
    file->Throw("cannot write", errno);
  }
  file->fd_ = file->beside_.emplace(WithoutLinks(path), path, ExistingPartial{partial_number}).fd();
  file->begun_ = true;
  return file;
}

void OutputFile::CutTo(std::uint64_t bytes) {
  const auto end = static_cast<off_t>(bytes);
  if (ftruncate(fd_, end) != 0 || lseek(fd_, end, SEEK_SET) != end) Throw("cannot write", errno);
  written_bytes_ = bytes;
}

// A named pipe can be opened only when it has a reader; check the stop flag until then.
void OutputFile::OpenDirect(bool is_pipe) {
  const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | (is_pipe && stop_ != nullptr ? O_NONBLOCK : 0);
  for (;;) {
    direct_ = FileDescriptor(open(path_.c_str(), flags));
    if (direct_.valid()) break;
    if (errno != EINTR && !((flags & O_NONBLOCK) != 0 && errno == ENXIO)) Throw("cannot write", errno);
    if (stop_ != nullptr && *stop_) Throw("cannot write", ECANCELED);
    if (errno == ENXIO) poll(nullptr, 0, kReaderPollMs);
  }
  fd_ = direct_.get();
}

void OutputFile::Begin() {
  if (!begun_ && beside_ && !beside_->Begin()) Throw("cannot write", errno);
  begun_ = true;
}

void OutputFile::Write(std::string_view whole_records, std::span<const std::size_t> ends) {
  // Begin now, not when the compressor has enough bytes: these records may already be in a journal.
  if (!whole_records.empty()) Begin();
  if (!encoder_) return WriteBytes(whole_records, ends);
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
  WriteBytes(encoded_);
}

void OutputFile::WriteBytes(std::string_view bytes, std::span<const std::size_t> ends) {
  std::size_t done = WriteAll(fd_, bytes, beside_ ? nullptr : stop_);  // a regular file never makes us wait
  if (done == bytes.size()) {
    written_bytes_ += done;
    return;
  }
  const int error = errno;
  failed_ = true;
  // Cut back only if no other writer has appended.
  struct stat status {};
  const off_t position = lseek(fd_, 0, SEEK_CUR);
  const bool is_regular = fstat(fd_, &status) == 0 && S_ISREG(status.st_mode);
  if (!encoder_ && is_regular && status.st_size == position) {
    const auto past = std::ranges::upper_bound(ends, done);
    const std::size_t kept = past == ends.begin() ? 0 : *std::prev(past);
    const off_t whole = position - static_cast<off_t>(done - kept);
    if (ftruncate(fd_, whole) == 0 && lseek(fd_, whole, SEEK_SET) == whole) done = kept;
  }
  written_bytes_ += done;
  Throw("cannot write", error);
}

void OutputFile::FinishStream() {
  Begin();
  if (encoder_ && !failed_) EncodeStaged(true);
  if (!SyncFile(fd_)) Throw("cannot write", errno);
}

void OutputFile::Complete() {
  if (complete_) return;
  if (failed_) throw Error(ErrorCode::kOutput, "cannot complete " + path_ + ": an earlier write failed");
  FinishStream();
  complete_ = true;
}

void OutputFile::Commit() {
  Complete();
  if (beside_) {
    // Rename before closing: the lock must be held until nobody can open the file under its partial name.
    if (!beside_->Rename()) Throw("cannot rename " + beside_->partial_name() + " to", errno);
    beside_->SyncFolder();
  }
  Close();
}

std::string OutputFile::KeepPartial(IfEmpty if_empty) {
  if (beside_) beside_->Keep();  // first, as everything below may fail
  try {
    if (!complete_ && !failed_) FinishStream();
  } catch (const std::exception&) {
    // The disk or memory may be full; keep what is there all the same.
  }
  const bool is_removed = beside_ && failed_ && written_bytes_ == 0 && if_empty == IfEmpty::kRemove;
  if (is_removed) beside_->Discard();
  std::string kept = is_removed ? "" : beside_ ? beside_->partial_name() : failed_ ? "" : path_;
  Close();
  return kept;
}

void OutputFile::Close() {
  beside_.reset();
  direct_.Close();
  fd_ = -1;
}

void OutputFile::Throw(const std::string& what, int error) const {
  if (error == ECANCELED)
    throw Error(ErrorCode::kInterrupted, "stopped while waiting for the reader of " + path_);
  const std::string after = fd_ < 0 ? "" : " after " + std::to_string(written_bytes_) + " bytes";
  ThrowOutputError(what + " " + path_ + after, error);
}

std::string CheckOutputSuffix(std::string_view path, std::span<const std::string_view> known) {
  std::error_code none;
  const std::filesystem::file_status status = std::filesystem::status(path, none);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) return "";
  std::string_view name = path;
  for (const std::string_view compressed : {".gz", ".zst"}) {
    if (name.ends_with(compressed)) name.remove_suffix(compressed.size());
  }
  std::string suffix = std::filesystem::path(name).extension();
  if (suffix.empty() || std::ranges::find(known, suffix) != known.end()) return suffix;
  throw Error(
      ErrorCode::kUsage,
      fmt::format("the output {} has the suffix {}, which is not a known format; known are {}, each also "
                  "with .gz or .zst behind it",
                  QuoteForMessage(path, 256), QuoteForMessage(suffix), fmt::join(known, ", ")));
}

}  // namespace leafscore::internal
