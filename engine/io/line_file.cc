#include "engine/io/line_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <string_view>
#include <system_error>

#include "engine/base/checksum.h"
#include "engine/base/stage_times.h"
#include "engine/io/byte_source.h"
#include "engine/io/input_format.h"
#include "engine/io/record_splitter.h"

namespace leafscore::internal {
namespace {

// This many bytes behind a range are read together with it, because its last line mostly ends there. If it
// does not, at least this many bytes at a time are read to complete it.
constexpr std::size_t kReadBehind = 4 << 10;
constexpr std::size_t kMostReadBehind = 1 << 20;

}  // namespace

// The bytes of the file from `from` on. They are stored in a batch from kDataBegin on.
struct LineFile::Window {
  std::uint64_t PositionOf(std::size_t at) const { return from + (at - RecordBatch::kDataBegin); }
  std::string_view Text(std::size_t size) const { return {batch.bytes.data(), size}; }

  RecordBatch& batch;
  std::uint64_t from;
  std::size_t have = RecordBatch::kDataBegin;  // end of the bytes read
  std::optional<Error> error = {};
};

LineFile::LineFile(const std::string& path, const Part& part, const Lines& lines)
    : name_(InputName(path)),
      file_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)),
      part_(part),
      lines_(lines) {
  if (!file_.valid() || fstat(file_.get(), &opened_) != 0) ThrowUnreadable(name_, errno);
  posix_fadvise(file_.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
}

std::optional<Error> LineFile::Change() const {
  struct stat now {};
  const bool is_same = fstat(file_.get(), &now) == 0 && now.st_size == opened_.st_size &&
                       now.st_mtim.tv_sec == opened_.st_mtim.tv_sec &&
                       now.st_mtim.tv_nsec == opened_.st_mtim.tv_nsec;
  if (is_same) return std::nullopt;
  return Error(ErrorCode::kInput,
               fmt::format("{} was written to while it was read: score it when it changes no more", name_));
}

// Reads up to `end` in the window, to the end of the part, or until an error.
void LineFile::ReadTo(std::size_t end, Window& window) const {
  window.error.reset();
  end = window.have + std::min<std::uint64_t>(end - window.have, part_.end - window.PositionOf(window.have));
  ReserveWindow(window.batch.bytes, end, RecordBatch::kDataBegin + lines_.max_bytes + kMostReadBehind);
  while (window.have < end) {
    const std::uint64_t position = window.PositionOf(window.have);
    const ssize_t n = pread(file_.get(), window.batch.bytes.data() + window.have, end - window.have,
                            static_cast<off_t>(position));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      window.error.emplace(ErrorCode::kInput, fmt::format("cannot read {} after {} bytes: {}", name_,
                                                          position, std::generic_category().message(errno)));
    } else if (n == 0) {
      window.error.emplace(ErrorCode::kInput,
                           fmt::format("cannot read {}: it became shorter meanwhile", name_));
    }
    if (n <= 0) return;
    window.have += static_cast<std::size_t>(n);
  }
}

void LineFile::Read(const MayHold& may_hold, RecordBatch& batch) const {
  LineRange& range = *batch.range;
  const bool looks_back = range.begin > part_.first_line;  // read the byte before the range, too
  Window window{batch, range.begin - (looks_back ? 1 : 0)};
  batch.records.clear();
  batch.lines = true;
  batch.data_offset = window.from;
  const std::size_t range_begin = RecordBatch::kDataBegin + (looks_back ? 1 : 0);
  const std::size_t range_end = range_begin + (range.end - range.begin);
  ReadTo(range_end + kReadBehind, window);
  const std::size_t size = std::min(window.have, range_end);
  range.bytes = size - std::min(range_begin, size);
  {
    const StageScope stage(Stage::kInputChecksum);
    BlockChecksum::AppendBlocks(window.Text(size).substr(std::min(range_begin, size)), range.blocks);
  }
  std::size_t first;
  if (looks_back) {  // a line begins after each line end, except after the one that ends the range
    const std::size_t line_end =
        window.Text(std::min(size, range_end - 1)).find('\n', RecordBatch::kDataBegin);
    first = line_end == std::string_view::npos ? size : line_end + 1;
    // Overwrite with white space the rest of a line that belongs to the range before.
    std::fill(batch.bytes.begin() + RecordBatch::kDataBegin,
              batch.bytes.begin() + static_cast<std::ptrdiff_t>(first), ' ');
  } else {
    first = std::min<std::uint64_t>(range_begin + (part_.first_line - range.begin), size);
  }
  if (size < range_end) {
    range.error = window.error;
  } else {
    window.error.reset();  // the error is after the range, where it may not matter
  }
  ReadLines(first, size, may_hold, window);
}

void LineFile::ReadRest(RecordBatch& batch) const {
  Window window{batch, batch.data_offset};
  const std::size_t begin = batch.records.back().begin;
  batch.records.pop_back();
  batch.range->has_rest = false;
  window.have = begin;
  ReadTo(begin + kReadBehind, window);
  const std::size_t line_end = window.Text(window.have).find('\n', begin);
  const std::size_t size = line_end == std::string_view::npos ? window.have : line_end + 1;
  if (line_end == std::string_view::npos) batch.range->error = window.error;
  ReadLines(
      begin, size, [](std::size_t) { return true; }, window);
}

// Finds the lines from `begin` to `size`, where the range ends in the window, and reads the rest of the last
// line.
void LineFile::ReadLines(std::size_t begin, std::size_t size, const MayHold& may_hold, Window& window) const {
  RecordBatch& batch = window.batch;
  LineRange& range = *batch.range;
  RecordSplitter splitter(begin, lines_.max_bytes, std::nullopt, lines_.too_long);
  splitter.BeginInLines();
  const auto state = [&] {
    return range.error                            ? InputState::kBroken
           : window.PositionOf(size) == part_.end ? InputState::kEnded
                                                  : InputState::kMore;
  };
  const std::size_t free_size = size + (size - RecordBatch::kDataBegin);  // may be used without asking
  splitter.Scan(window.Text(size), state(), batch.records);
  while (splitter.keep_from() != size) {  // within a line
    if (size == window.have) {
      const std::size_t line = splitter.keep_from();
      const std::size_t more = std::clamp(size - line, kReadBehind, kMostReadBehind);
      if (size + more > free_size && !may_hold(more)) {
        range.has_rest = HasText(window, line);
        if (range.has_rest) {
          const auto at = static_cast<std::uint32_t>(line);
          batch.records.push_back({at, at, RejectReason::kNone});
        }
        break;
      }
      ReadTo(size + more, window);
      if (size == window.have) range.error = window.error;
    }
    const std::size_t line_end = window.Text(window.have).find('\n', size);
    size = line_end == std::string_view::npos ? window.have : line_end + 1;
    splitter.Scan(window.Text(size), state(), batch.records);
  }
  batch.data_end = static_cast<std::uint32_t>(splitter.keep_from());
  std::memset(batch.bytes.data() + batch.data_end, 0, kTextPadding);
}

// Returns whether the line at `line`, whose end is not in the window, is a record: it has more than white
// space, or is too long. If the line cannot be read, returns true, so that whoever reads the rest gets the
// error.
bool LineFile::HasText(const Window& window, std::size_t line) const {
  if (SkipJsonSpace(window.Text(window.have), line) != window.have) return true;
  std::string piece(kReadBehind, '\0');
  const std::uint64_t begin = window.PositionOf(line);
  for (std::uint64_t at = window.PositionOf(window.have);
       at != part_.end && at - begin <= lines_.max_bytes;) {
    const std::size_t wanted = std::min<std::uint64_t>(piece.size(), part_.end - at);
    const ssize_t n = pread(file_.get(), piece.data(), wanted, static_cast<off_t>(at));
    if (n <= 0) return true;
    const std::string_view text = std::string_view(piece).substr(0, static_cast<std::size_t>(n));
    const std::size_t line_end = std::min(text.find('\n'), text.size());
    if (SkipJsonSpace(text.substr(0, line_end), 0) != line_end) return true;
    at += line_end;
    if (line_end != text.size()) return at - begin > lines_.max_bytes;
  }
  return window.PositionOf(line) + lines_.max_bytes < part_.end;
}

}  // namespace leafscore::internal
