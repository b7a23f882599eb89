#include "engine/io/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/base/stage_times.h"
#include "engine/io/path.h"
#include "engine/io/read_ahead.h"
#include "engine/io/zstd_frames.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kReadBytes = 256 << 10;  // compressed bytes read at a time
constexpr std::chrono::milliseconds kStopPoll{100};
constexpr std::size_t kHeadBytes = 4;  // that tell a format
constexpr unsigned kMaxUnpackers = 16;

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
    // O_NONBLOCK: opening a FIFO must not wait where the stop flag is not seen; Read waits for its writer.
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

  // Returns the first bytes of the file, up to four, which Read will return again.
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

  // A signal may reach another thread or arrive just before the wait, so a wait is never long. RETURNS: false
  // when there is nothing to read at the deadline.
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
  BlockChecksum* checksum_;  // null: nobody asks for it
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
      : file_(std::move(file)),
        decoder_(std::move(decoder)),
        name_(std::move(name)),
        max_ratio_(max_ratio),
        in_(kReadBytes) {}

  // Unpacks the first frames that there is room for side by side, in windows of this size at most. REQUIRES:
  // nothing was read; the decoder is that of zstd, and the file does not wait for anybody.
  void UnpackFrames(std::unique_ptr<ZstdFrames> frames, std::uint64_t max_window_bytes) {
    frames_ = std::move(frames);
    max_window_bytes_ = max_window_bytes;
  }

  std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline deadline) override {
    for (;;) {
      if (frame_ != nullptr && taken_ != frame_->content_bytes) {
        const std::size_t n = std::min(out.size(), frame_->content_bytes - taken_);
        std::memcpy(out.data(), frame_->content.data() + taken_, n);
        taken_ += n;
        return n;
      }
      if (frames_ != nullptr && TakeFrame()) continue;
      CheckRatio();
      if (!problem_.empty()) {
        throw Error(ErrorCode::kInput,
                    fmt::format("{} {} compressed byte {}: {}{}", name_,
                                damaged_ ? "is damaged at" : "cannot be unpacked from", offset_, problem_,
                                damaged_ ? "; fetch or make it again" : ""));
      }
      Decoder::Step step =
          decoder_->Decode(std::span(in_).subspan(begin_, std::min(end_ - begin_, Unseen())), out);
      begin_ += step.consumed;
      offset_ += step.consumed;
      problem_ = std::move(step.problem);
      damaged_ = step.damaged;
      unpacked_ += step.produced;
      if (step.produced > 0) return step.produced;
      if (step.consumed > 0 || begin_ < end_ || !problem_.empty()) continue;

      begin_ = end_ = 0;
      const std::optional<std::size_t> read = file_->ReadUntil(in_, deadline);
      if (!read) return std::nullopt;
      end_ = *read;
      if (end_ > 0) continue;
      if (decoder_->may_end()) return 0;
      problem_ = "the compressed data ends too early";
    }
  }

  std::uint64_t consumed_bytes() const noexcept override { return file_->consumed_bytes(); }

 private:
  // Takes the next frame that was unpacked beside others. RETURNS: false when the rest is for the decoder.
  bool TakeFrame() {
    if (frame_ != nullptr) frames_->TakeBack(std::move(frame_));
    while (StartFrame()) continue;
    std::unique_ptr<ZstdFrames::Frame> frame = frames_->empty() ? nullptr : frames_->Take();
    if (frame == nullptr || !frame->is_whole) {
      PutBack(std::move(frame));
      return false;
    }
    offset_ += frame->packed.size();
    unpacked_ += frame->content_bytes;
    frame_ = std::move(frame);
    taken_ = 0;
    decoder_->PassFrames();
    return true;
  }

  // Begins to unpack the next frame, if it is one of those, and there is room for it now.
  bool StartFrame() {
    while (end_ - begin_ < kZstdHeaderBytes && ReadMore()) continue;
    const auto rest = [this] { return std::span<const std::byte>(in_).subspan(begin_, end_ - begin_); };
    const std::optional<ZstdFrameHeader> header = ReadZstdHeader(rest());
    if (!header || header->window_bytes > std::bit_floor(max_window_bytes_)) return false;
    if (!frames_->MayHold(header->content_bytes.value_or(0))) return false;
    std::optional<ZstdFrameExtent> extent;
    while ((extent = FindZstdExtent(*header, rest())) && extent->bytes == 0) {
      if (!frames_->MayHold(rest().size() + extent->content_bytes) || !ReadMore()) return false;
    }
    if (!extent || !frames_->MayHold(extent->bytes + extent->content_bytes) ||
        !frames_->HasRoom(extent->bytes + extent->content_bytes)) {
      return false;
    }
    // All that may come of it is within the ratio, as if it came at once.
    const std::uint64_t unpacked = started_unpacked_ + extent->content_bytes;
    if (unpacked > kFreeUnpackedBytes && unpacked > max_ratio_ * started_offset_) return false;
    const std::span<const std::byte> packed = rest().first(extent->bytes);
    if (!frames_->Start(packed, extent->content_bytes)) return false;
    begin_ += extent->bytes;
    started_offset_ += extent->bytes;
    started_unpacked_ = unpacked;
    return true;
  }

  // Reads up to as many bytes as there are, behind them. RETURNS: false where there are no more.
  bool ReadMore() {
    in_.erase(in_.begin(), in_.begin() + static_cast<std::ptrdiff_t>(begin_));
    end_ -= std::exchange(begin_, 0);
    in_.resize(end_ + std::max(end_, kReadBytes));
    try {
      const std::size_t read = file_->Read(std::span(in_).subspan(end_));
      end_ += read;
      return read != 0;
    } catch (const Error&) {
      return false;  // the decoder meets it again, behind what comes before it
    }
  }

  // Leaves a frame, which may be null, and all behind it to the decoder.
  void PutBack(std::unique_ptr<ZstdFrames::Frame> frame) {
    std::vector<std::byte> all;
    while (frame != nullptr) {
      all.insert(all.end(), frame->packed.begin(), frame->packed.end());
      frame = frames_->empty() ? nullptr : frames_->Take();
    }
    frames_.reset();
    all.insert(all.end(), in_.begin() + static_cast<std::ptrdiff_t>(begin_),
               in_.begin() + static_cast<std::ptrdiff_t>(end_));
    begin_ = 0;
    end_ = all.size();
    all.resize(std::max(end_, kReadBytes));
    in_ = std::move(all);
  }

  // Of what there is, the decoder first sees the head by itself, wherever the rest came from: where an error
  // lies may depend on that.
  std::size_t Unseen() const {
    return offset_ < kHeadBytes ? kHeadBytes - static_cast<std::size_t>(offset_) : SIZE_MAX;
  }

  void CheckRatio() const {
    if (unpacked_ <= kFreeUnpackedBytes || unpacked_ <= max_ratio_ * offset_) return;
    throw Error(
        ErrorCode::kInput,
        fmt::format("{} unpacks to more than {} times its size: its first {} bytes gave {}; if that is "
                    "as it should be, give a higher --max-ratio",
                    name_, max_ratio_, offset_, unpacked_));
  }

  std::unique_ptr<ByteSource> file_;
  std::unique_ptr<Decoder> decoder_;
  std::string name_;
  std::uint64_t max_ratio_;
  std::uint64_t unpacked_ = 0;
  std::vector<std::byte> in_;  // in_[begin_, end_) is not decoded yet
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;  // of in_[begin_] in the file
  std::string problem_;
  bool damaged_ = true;  // where there is a problem
  // Of frames that are unpacked side by side.
  std::unique_ptr<ZstdFrames> frames_;  // null: none, or no more
  std::uint64_t max_window_bytes_ = 0;
  std::uint64_t started_offset_ = 0;  // of the next one
  std::uint64_t started_unpacked_ = 0;
  std::unique_ptr<ZstdFrames::Frame> frame_;  // of which taken_ bytes were returned
  std::size_t taken_ = 0;
};

}  // namespace

void ThrowUnreadable(const std::string& name, int error) {
  throw Error(ErrorCode::kInput, "cannot read " + name + ": " + std::generic_category().message(error));
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
  if (IsZstd(head)) {
    const std::uint64_t memory = std::min(max_window_bytes, kMaxZstdWindow);
    // The other half is for the frame that is being read, and a spare one.
    auto frames = std::make_unique<ZstdFrames>(std::min(threads, kMaxUnpackers), memory / 2);
    decoding->UnpackFrames(std::move(frames), memory);
  }
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
