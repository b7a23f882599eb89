#include "engine/io/input_share.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string_view>
#include <utility>

#include "engine/base/file_descriptor.h"
#include "engine/base/limits.h"
#include "engine/io/codec.h"
#include "engine/io/input_format.h"
#include "engine/io/record_splitter.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kShareReadBytes = 64 << 10;

class PlainFile {
 public:
  explicit PlainFile(const std::string& path)
      : name_(InputName(path)), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (!file_.valid()) ThrowUnreadable(name_, errno);
  }

  // Reads bytes at a position until `out` is full or the file ends. RETURNS: their number.
  std::size_t ReadAt(std::uint64_t position, std::span<std::byte> out) const {
    std::size_t done = 0;
    while (done < out.size()) {
      const std::span<std::byte> rest = out.subspan(done);
      const ssize_t n = pread(file_.get(), rest.data(), rest.size(), static_cast<off_t>(position + done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) ThrowUnreadable(name_, errno);
      if (n == 0) break;
      done += static_cast<std::size_t>(n);
    }
    return done;
  }

  // Returns `size` bytes at a position, or fewer at the end of the file.
  std::string TextAt(std::uint64_t position, std::size_t size) const {
    std::string text(size, '\0');
    text.resize(ReadAt(position, std::as_writable_bytes(std::span(text))));
    return text;
  }

  const std::string& name() const { return name_; }

 private:
  std::string name_;
  FileDescriptor file_;
};

class RangeSource final : public ByteSource {
 public:
  RangeSource(const std::string& path, std::uint64_t begin, std::uint64_t end, BlockChecksum& checksum)
      : file_(path), begin_(begin), end_(end), checksum_(checksum) {}

  std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline) override {
    const std::uint64_t position = begin_ + consumed_;
    const std::size_t wanted = std::min<std::uint64_t>(out.size(), end_ - position);
    const std::size_t n = file_.ReadAt(position, out.first(wanted));
    checksum_.Add({reinterpret_cast<const char*>(out.data()), n});
    consumed_ += n;
    if (n != wanted) {
      throw Error(ErrorCode::kInput, "cannot read " + file_.name() + ": it became shorter meanwhile");
    }
    return n;
  }

  std::uint64_t consumed_bytes() const noexcept override { return consumed_; }

 private:
  PlainFile file_;
  std::uint64_t begin_;
  std::uint64_t end_;
  BlockChecksum& checksum_;
  std::atomic<std::uint64_t> consumed_ = 0;
};

std::optional<std::uint64_t> FirstLine(const PlainFile& file, const std::string& path,
                                       const LineRules& rules) {
  if (rules.is_rewritten) return std::nullopt;
  if (rules.format && IsTable(FormatByName(*rules.format, path))) return std::nullopt;
  std::string text = file.TextAt(0, kShareReadBytes);
  if (IsGzip(text) || IsZstd(text)) return std::nullopt;
  std::uint64_t position = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  for (;;) {
    text = file.TextAt(position, kShareReadBytes);
    if (text.empty()) return std::nullopt;
    const std::size_t space = SkipJsonSpace(text, 0);
    position += space;
    if (space != text.size()) break;
  }
  if (!rules.format) return position;
  const std::optional<FoundFormat> found =
      FindInputFormat(FormatByName(*rules.format, path),
                      file.TextAt(position, kFormatLookAhead.default_value), /*no_more=*/true);
  const bool is_lines = found && !found->is_array && found->fault.empty();
  return is_lines ? std::optional(position) : std::nullopt;
}

// Returns where the first line at or after a position begins, or the end of the file.
std::uint64_t LineFrom(const PlainFile& file, std::uint64_t position, std::uint64_t first_line,
                       std::uint64_t file_bytes) {
  if (position <= first_line) return first_line;
  for (std::uint64_t at = position - 1; at < file_bytes;) {
    const std::string text = file.TextAt(at, std::min<std::uint64_t>(kShareReadBytes, file_bytes - at));
    const std::size_t line_end = text.find('\n');
    if (line_end != std::string::npos) return at + line_end + 1;
    if (text.empty()) break;
    at += text.size();
  }
  return file_bytes;
}

// Returns where part number `index` of `count` parts begins.
std::uint64_t PartBegin(std::uint64_t bytes, std::uint64_t index, std::uint64_t count) {
  return bytes / count * index + bytes % count * index / count;
}

}  // namespace

std::optional<std::uint64_t> FindFirstLine(const std::string& input, const LineRules& rules) {
  return FirstLine(PlainFile(input), input, rules);
}

InputShare ShareOf(const std::string& input, std::size_t number, std::span<const std::uint64_t> bytes,
                   const Shard& shard, const LineRules& rules) {
  std::uint64_t before = 0;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == number) before = total;
    total += bytes[i];
  }
  const std::uint64_t size = bytes[number];
  const std::uint64_t part_begin = PartBegin(total, shard.index - 1, shard.count);
  const std::uint64_t part_end = PartBegin(total, shard.index, shard.count);
  const bool meets = part_begin < before + size && before < part_end;
  if (!meets) return {InputShare::Kind::kNone};
  const PlainFile file(input);
  if (const std::optional<std::uint64_t> first_line = FirstLine(file, input, rules)) {
    const auto line_from = [&](std::uint64_t part) {
      const std::uint64_t position = std::clamp(part, before, before + size) - before;
      return position == size ? size : LineFrom(file, position, *first_line, size);
    };
    return {InputShare::Kind::kLines, line_from(part_begin), line_from(part_end)};
  }
  const std::uint64_t middle = before + size / 2;
  return {part_begin <= middle && middle < part_end ? InputShare::Kind::kAll : InputShare::Kind::kNone};
}

std::unique_ptr<ByteSource> OpenFileRange(const std::string& path, std::uint64_t begin, std::uint64_t end,
                                          BlockChecksum& checksum) {
  return std::make_unique<RangeSource>(path, begin, end, checksum);
}

}  // namespace leafscore::internal
