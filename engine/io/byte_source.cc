#include "engine/io/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <deque>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/base/stage_times.h"
#include "engine/base/suggest.h"
#include "engine/io/packed_input.h"
#include "engine/io/path.h"
#include "engine/io/zstd_frames.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// A byte source with a thread of its own, which reads ahead of the consumer, so that a file is decompressed
// while its records are found. The thread reads at most a megabyte ahead. THREADS: one thread takes bytes;
// any thread may call consumed_bytes().
class ReadAhead final : public ByteSource {
 public:
  // Passes on the bytes and errors of a source that never waits, such as a regular file. The source adds to
  // `checksum` all bytes that it reads from the file. *told becomes the checksum up to the end of the piece
  // from which the consumer takes bytes. `checksum` and `told` may be null. If the system has no thread left,
  // nothing is read ahead.
  ReadAhead(std::unique_ptr<ByteSource> source, std::unique_ptr<BlockChecksum> checksum, BlockChecksum* told);
  ~ReadAhead() override;

  std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline deadline) override;
  bool is_compressed() const override { return source_->is_compressed(); }
  std::uint64_t consumed_bytes() const noexcept override { return consumed_.load(std::memory_order_relaxed); }

 private:
  struct Piece {
    std::vector<std::byte> bytes = {};
    std::size_t size = 0;         // bytes read
    BlockChecksum checksum = {};  // up to the end of this piece
    std::uint64_t consumed_bytes = 0;
  };

  std::optional<std::size_t> ReadHere(std::span<std::byte> out, Deadline deadline);
  void PublishProgress();
  void Work(StageTimes* times);
  bool ReadPiece();
  bool TakePiece(Deadline deadline);

  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<BlockChecksum> checksum_;
  BlockChecksum* told_;
  Piece current_;
  std::size_t taken_ = 0;  // bytes taken from current_
  std::atomic<std::uint64_t> consumed_{0};
  std::mutex mutex_;  // protects the members below
  std::condition_variable changed_;
  std::deque<Piece> ahead_;
  std::vector<std::vector<std::byte>> free_;
  bool is_done_ = false;      // nothing comes after ahead_
  std::exception_ptr error_;  // the reason for is_done_, if it was an error
  bool is_over_ = false;      // the consumer wants no more
  std::thread thread_;        // last, as it uses the others; empty if nothing is read ahead
};

constexpr std::size_t kPieceBytes = 256 << 10;
constexpr std::size_t kPieces = 4;

ReadAhead::ReadAhead(std::unique_ptr<ByteSource> source, std::unique_ptr<BlockChecksum> checksum,
                     BlockChecksum* told)
    : source_(std::move(source)), checksum_(std::move(checksum)), told_(told) {
  try {
    thread_ = std::thread([this, times = StageScope::Times()] { Work(times); });
  } catch (const std::system_error&) {
    // Read in the calling thread instead.
  }
}

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ReadAhead::Work(StageTimes* times) {
  const StageScope stage(times, Stage::kUnpack, /*is_serial=*/true);
  std::exception_ptr error;
  try {
    while (ReadPiece()) continue;
  } catch (...) {
    error = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  error_ = error;
  is_done_ = true;
  changed_.notify_all();
}

// RETURNS: false at the end, or if the consumer wants no more.
bool ReadAhead::ReadPiece() {
  Piece piece;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_over_ || ahead_.size() < kPieces; });
    if (is_over_) return false;
    if (!free_.empty()) {
      piece.bytes = std::move(free_.back());
      free_.pop_back();
    }
  }
  piece.bytes.resize(kPieceBytes);
  piece.size = source_->Read(piece.bytes);
  if (piece.size == 0) return false;
  if (checksum_ != nullptr) piece.checksum = *checksum_;
  piece.consumed_bytes = source_->consumed_bytes();
  const std::lock_guard lock(mutex_);
  ahead_.push_back(std::move(piece));
  changed_.notify_all();
  return true;
}

void ReadAhead::PublishProgress() {
  if (told_ != nullptr) *told_ = *checksum_;
  consumed_.store(source_->consumed_bytes(), std::memory_order_relaxed);
}

std::optional<std::size_t> ReadAhead::ReadHere(std::span<std::byte> out, Deadline deadline) {
  try {
    const std::optional<std::size_t> read = source_->ReadUntil(out, deadline);
    PublishProgress();
    return read;
  } catch (...) {
    PublishProgress();
    throw;
  }
}

// Takes the next piece. Waits for it until the deadline. RETURNS: false if no piece came.
bool ReadAhead::TakePiece(Deadline deadline) {
  std::unique_lock lock(mutex_);
  const auto has_more = [this] { return is_done_ || !ahead_.empty(); };
  if (deadline == Deadline::max()) {
    changed_.wait(lock, has_more);
  } else {
    changed_.wait_until(lock, deadline, has_more);
  }
  if (ahead_.empty()) return false;
  if (!current_.bytes.empty()) free_.push_back(std::move(current_.bytes));
  current_ = std::move(ahead_.front());
  ahead_.pop_front();
  taken_ = 0;
  changed_.notify_all();
  return true;
}

std::optional<std::size_t> ReadAhead::ReadUntil(std::span<std::byte> out, Deadline deadline) {
  if (!thread_.joinable()) return ReadHere(out, deadline);
  if (taken_ == current_.size) {
    if (TakePiece(deadline)) {
      if (told_ != nullptr) *told_ = std::move(current_.checksum);
      consumed_.store(current_.consumed_bytes, std::memory_order_relaxed);
    } else {
      const std::lock_guard lock(mutex_);
      if (!is_done_ || !ahead_.empty()) return std::nullopt;
      PublishProgress();
      if (error_) std::rethrow_exception(error_);
      return 0;
    }
  }
  const std::size_t n = std::min(out.size(), current_.size - taken_);
  std::memcpy(out.data(), current_.bytes.data() + taken_, n);
  taken_ += n;
  return n;
}

constexpr std::chrono::milliseconds kStopPoll{100};
constexpr std::size_t kHeadBytes = 4;  // enough to recognise a format

// The ratio of unpacked to packed bytes is checked after each step of this many unpacked bytes, and at the
// end. So the result depends only on the input, and not on the sizes of the reads.
constexpr std::uint64_t kRatioStepBytes = 256 << 10;

void CheckKind(const std::string& name, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorCode::kInput, "cannot read " + name + ": it is a directory; name the files in it");
  }
}

class FileSource final : public ByteSource {
 public:
  FileSource(const std::string& path, const std::atomic<bool>* stop, BlockChecksum* checksum)
      : name_(InputName(path)), stop_(stop), checksum_(checksum) {
    CheckPath(path);
    // With O_NONBLOCK, opening a FIFO does not wait for its writer. Read waits for the writer instead, and
    // checks the stop flag meanwhile.
    if (path != "-") fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status {};
    if (fd_ < 0 || fstat(fd_, &status) != 0) ThrowUnreadable(name_, errno);
    waits_ = !S_ISREG(status.st_mode);
    try {
      CheckKind(name_, status);
    } catch (...) {
      Close();
      throw;
    }
    posix_fadvise(fd_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  ~FileSource() override { Close(); }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  bool is_regular() const { return !waits_; }
  void SetChecksum(BlockChecksum* checksum) { checksum_ = checksum; }

  // Returns up to four bytes from the start of the file. Read returns them again.
  std::string_view PeekHead() {
    while (head_size_ < sizeof head_) {
      const std::size_t n =
          *ReadFile(std::as_writable_bytes(std::span(head_).subspan(head_size_)), Deadline::max());
      if (n == 0) break;
      head_size_ += n;
    }
    return {head_, head_size_};
  }

  std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline deadline) override {
    if (head_taken_ == head_size_) return ReadFile(out, deadline);
    const std::size_t n = std::min(out.size(), head_size_ - head_taken_);
    std::memcpy(out.data(), head_ + head_taken_, n);
    head_taken_ += n;
    return n;
  }

  std::uint64_t consumed_bytes() const noexcept override { return consumed_.load(std::memory_order_relaxed); }

 private:
  std::optional<std::size_t> ReadFile(std::span<std::byte> out, Deadline deadline) {
    for (;;) {
      if (waits_ && !AwaitReadable(deadline)) return std::nullopt;
      const ssize_t n = read(fd_, out.data(), out.size());
      if (n >= 0) {
        if (checksum_ != nullptr) {
          const StageScope stage(Stage::kInputChecksum);
          checksum_->Add({reinterpret_cast<const char*>(out.data()), static_cast<std::size_t>(n)});
        }
        consumed_.fetch_add(static_cast<std::uint64_t>(n), std::memory_order_relaxed);
        return static_cast<std::size_t>(n);
      }
      if (errno != EINTR && errno != EAGAIN) {
        const int error = errno;
        ThrowUnreadable(name_ + " after " + std::to_string(consumed_bytes()) + " bytes", error);
      }
    }
  }

  // Waits until there is something to read. A signal may reach another thread, or arrive just before a wait,
  // so each wait is short. RETURNS: false if there is nothing to read at the deadline.
  bool AwaitReadable(Deadline deadline) const {
    using std::chrono::milliseconds;
    pollfd waited{fd_, POLLIN, 0};
    for (;;) {
      if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) {
        throw Error(ErrorCode::kInterrupted, "stopped while waiting for " + name_);
      }
      milliseconds left = kStopPoll;
      if (deadline != Deadline::max()) {
        left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
        left = std::clamp(left, milliseconds(0), kStopPoll);
      }
      if (poll(&waited, 1, static_cast<int>(left.count())) > 0) return true;
      if (left.count() == 0) return false;
    }
  }

  void Close() {
    if (fd_ > STDIN_FILENO) close(fd_);
  }

  std::string name_;
  const std::atomic<bool>* stop_;
  BlockChecksum* checksum_;  // null: no checksum wanted
  int fd_ = STDIN_FILENO;
  bool waits_ = false;
  char head_[kHeadBytes] = {};
  std::size_t head_size_ = 0;
  std::size_t head_taken_ = 0;
  std::atomic<std::uint64_t> consumed_{0};
};

class DecodingSource final : public ByteSource {
 public:
  DecodingSource(std::unique_ptr<ByteSource> file, std::unique_ptr<Decoder> decoder, std::string name,
                 std::uint64_t max_ratio)
      : input_(std::move(file)),
        decoder_(std::move(decoder)),
        name_(std::move(name)),
        max_ratio_(max_ratio) {}

  // Decompresses the first frames in parallel (zstd_frames.h). REQUIRES: nothing was read; the decoder is the
  // one for zstd, and reading the file never waits.
  void UnpackFrames(unsigned threads, std::uint64_t max_window_bytes) {
    frames_ = std::make_unique<ZstdFrameReader>(input_, threads, max_window_bytes, max_ratio_);
  }

  std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline deadline) override {
    if (frames_ != nullptr) {
      const std::size_t n = frames_->Read(out);
      unpacked_ += n;
      if (n != 0) return n;
      frames_.reset();
      if (input_.offset() != 0) decoder_->PassFrames();
    }
    for (;;) {
      if (unpacked_ % kRatioStepBytes == 0) CheckRatio();
      if (!problem_.empty()) {
        throw Error(ErrorCode::kInput,
                    fmt::format("{} {} compressed byte {}: {}{}", name_,
                                damaged_ ? "is damaged at" : "cannot be unpacked from", problem_offset_,
                                problem_, damaged_ ? "; fetch or make it again" : ""));
      }
      const auto most = static_cast<std::size_t>(kRatioStepBytes - unpacked_ % kRatioStepBytes);
      Decoder::Step step = decoder_->Decode(input_.bytes(), out.first(std::min(out.size(), most)));
      input_.Pass(step.consumed);
      problem_offset_ = input_.offset() - step.looked_ahead;
      problem_ = std::move(step.problem);
      damaged_ = step.damaged;
      unpacked_ += step.produced;
      if (step.produced > 0) return step.produced;
      if (step.consumed > 0 || !problem_.empty()) continue;

      const std::optional<std::size_t> read = input_.ReadMore(deadline);
      if (!read) return std::nullopt;
      if (*read > 0) continue;
      if (input_.bytes().empty() && decoder_->may_end()) {
        CheckRatio();
        return 0;
      }
      input_.Pass(input_.bytes().size());
      problem_offset_ = input_.offset();
      problem_ = "the compressed data ends too early";
    }
  }

  bool is_compressed() const override { return true; }
  std::uint64_t consumed_bytes() const noexcept override { return input_.consumed_bytes(); }

 private:
  void CheckRatio() const {
    if (IsWithinRatio(unpacked_, input_.offset(), max_ratio_)) return;
    throw Error(
        ErrorCode::kInput,
        fmt::format("{} unpacks to more than {} times its size: its first {} bytes gave {}; if that is "
                    "as it should be, give a higher --max-ratio",
                    name_, max_ratio_, input_.offset(), unpacked_));
  }

  PackedInput input_;
  std::unique_ptr<Decoder> decoder_;
  std::string name_;
  std::uint64_t max_ratio_;
  std::uint64_t unpacked_ = 0;
  std::string problem_;
  std::uint64_t problem_offset_ = 0;
  bool damaged_ = true;                      // whether the problem, if any, is damage
  std::unique_ptr<ZstdFrameReader> frames_;  // null if not used, or no longer used
};

// Returns "; did you mean FILE?" for a file in the same folder that has nearly this name; else an empty text.
std::string NearFile(const std::string& path) {
  constexpr std::size_t kMostFiles = 1000;
  const std::filesystem::path wanted(path);
  std::error_code error;
  std::filesystem::directory_iterator file(wanted.has_parent_path() ? wanted.parent_path() : ".", error);
  std::vector<std::string> names;
  for (; !error && file != std::filesystem::directory_iterator() && names.size() < kMostFiles;
       file.increment(error)) {
    names.push_back(file->path().filename().string());
  }
  std::ranges::sort(names);
  return DidYouMean(wanted.filename().string(), names);
}

}  // namespace

void ThrowUnreadable(const std::string& name, int error) {
  std::string message = "cannot read " + name + ": " + std::generic_category().message(error);
  if (error == ENOENT) message += NearFile(name);
  throw Error(ErrorCode::kInput, message);
}

std::string InputName(const std::string& path) { return path == "-" ? "standard input" : path; }

std::unique_ptr<ByteSource> OpenByteSource(const std::string& path, const std::atomic<bool>* stop,
                                           BlockChecksum* checksum, std::uint64_t max_ratio,
                                           std::uint64_t max_window_bytes, unsigned threads) {
  auto file = std::make_unique<FileSource>(path, stop, checksum);
  const std::string_view head = file->PeekHead();
  std::unique_ptr<Decoder> decoder;
  if (IsGzip(head)) decoder = MakeGzipDecoder();
  if (IsZstd(head)) decoder = MakeZstdDecoder(max_window_bytes);
  if (!decoder) return file;
  const bool ahead = threads > 1 && file->is_regular();
  FileSource& opened = *file;
  auto decoding =
      std::make_unique<DecodingSource>(std::move(file), std::move(decoder), InputName(path), max_ratio);
  if (!ahead) return decoding;
  if (IsZstd(head)) decoding->UnpackFrames(threads, std::min(max_window_bytes, kMaxZstdWindow));
  auto taken = checksum == nullptr ? nullptr : std::make_unique<BlockChecksum>(*checksum);
  opened.SetChecksum(taken.get());
  return std::make_unique<ReadAhead>(std::move(decoding), std::move(taken), checksum);
}

std::optional<InputFile> ProbeInput(const std::string& path) {
  CheckPath(path);
  const std::string name = InputName(path);
  struct stat status {};
  const bool is_stdin = path == "-";
  const int result = is_stdin ? fstat(STDIN_FILENO, &status) : stat(path.c_str(), &status);
  if (result != 0) ThrowUnreadable(name, errno);
  CheckKind(name, status);
  if (!is_stdin && faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) != 0) ThrowUnreadable(name, errno);
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  return InputFile{static_cast<std::uint64_t>(status.st_size), {status.st_dev, status.st_ino}};
}

}  // namespace leafscore::internal
