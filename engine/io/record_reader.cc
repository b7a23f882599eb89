#include "engine/io/record_reader.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/io/input_format.h"
#include "leafscore/error.h"

namespace leafscore::internal {

RecordReader::RecordReader(std::vector<std::string> inputs, ReaderOptions options)
    : inputs_(std::move(inputs)),
      options_(std::move(options)),
      progress_(inputs_.size()),
      file_bytes_(inputs_.size()) {
  if (options_.limit != 0) {
    for (InputProgress& progress : progress_) progress.limited.emplace();
  }
  if (options_.open) return;
  if (std::count(inputs_.begin(), inputs_.end(), "-") > 1) {
    throw Error(ErrorCode::kUsage, "standard input (-) can be read only once: name it once");
  }
  total_bytes_ = 0;
  std::map<std::pair<std::uint64_t, std::uint64_t>, const std::string*> named;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const std::string& input = inputs_[i];
    const std::optional<InputFile> file = ProbeInput(input);
    total_bytes_ = total_bytes_ && file ? std::optional(*total_bytes_ + file->bytes) : std::nullopt;
    if (options_.shard && (!file || input == "-")) {
      throw Error(ErrorCode::kUsage, "--shard reads a part of the inputs, so they must be named files; " +
                                         InputName(input) + " is not");
    }
    if (!file) continue;
    file_bytes_[i] = file->bytes;
    const auto [same, is_new] = named.emplace(file->device_and_number, &input);
    if (is_new) continue;
    throw Error(ErrorCode::kUsage, InputName(*same->second) + " and " + InputName(input) +
                                       " are one file, whose records would count twice: name it once");
  }
}

bool RecordReader::Next(RecordBatch& batch) {
  for (;;) {
    if (range_error_) throw *range_error_;
    if (!Take(batch)) return false;
    if (batch.range) Read([](std::size_t) { return true; }, batch);
    Number(batch);
    batch.range.reset();
    if (!batch.records.empty()) return !stopped();
  }
}

void RecordReader::Read(const LineFile::MayHold& may_hold, RecordBatch& batch) {
  batch.range->file->Read(may_hold, batch);
}

bool RecordReader::Number(RecordBatch& batch) {
  if (range_error_) return false;
  if (batch.range) {
    LineRange& range = *batch.range;
    // All other ranges of the file were read before this one, because batches come here in order.
    if (!range.error && range.end == range.file->part().end) range.error = range.file->Change();
    InputProgress& progress = progress_[batch.input];
    progress.checksum.AddBlocks(range.blocks, range.bytes);
    progress.decoded_bytes += range.bytes;
    consumed_bytes_.fetch_add(range.bytes, std::memory_order_relaxed);
    range_error_ = range.error;
  }
  numbering_.Number(batch);
  return true;
}

bool RecordReader::Take(RecordBatch& batch) {
  batch.records.clear();
  batch.range.reset();
  while (batch.records.empty()) {
    if (stopped()) return false;
    if (error_) std::rethrow_exception(error_);
    if (sequential_ && sequential_->failed()) sequential_->ThrowFailure();
    if (!sequential_ && !lines_ && input_ == inputs_.size()) return false;
    try {
      if (!sequential_ && !lines_) OpenInput();
      if (lines_) {
        TakeRange(batch);
        return true;
      }
      if (sequential_) ReadBatch(batch);
    } catch (const Error&) {
      error_ = std::current_exception();
    }
  }
  return !stopped();
}

// Opens the next input, or skips it.
void RecordReader::OpenInput() {
  const std::string& input = inputs_[input_];
  const InputShare share =
      options_.shard ? ShareOf(input, input_, file_bytes_, *options_.shard, line_rules()) : InputShare();
  if (share.kind == InputShare::Kind::kNone) {
    ++input_;
    return;
  }
  const bool is_cut = share.kind == InputShare::Kind::kLines;
  InputProgress& progress = progress_[input_];
  progress.first_byte = share.begin;
  if (options_.ranges && !options_.open && !options_.rewrite) OpenRanges(input, share);
  if (lines_) return;
  std::unique_ptr<ByteSource> source =
      options_.open ? options_.open(input)
      : is_cut      ? OpenFileRange(input, share.begin, share.end, progress.checksum)
                    : OpenByteSource(input, options_.stop, &progress.checksum, options_.max_ratio,
                                     options_.max_window_bytes, options_.unpack_threads);
  const bool is_table = options_.format && IsTable(FormatByName(*options_.format, input));
  if (options_.rewrite) {
    ReaderOptions records = options_;
    records.shard.reset();
    records.rewrite = {};
    records.empty_cells = EmptyCells::kNull;
    // A std::function must be copyable.
    const auto opened = std::make_shared<std::unique_ptr<ByteSource>>(std::move(source));
    records.open = [opened](const std::string&) { return std::move(*opened); };
    source = options_.rewrite(
        std::make_unique<RecordReader>(std::vector<std::string>{input}, std::move(records)), input);
  } else if (is_table) {
    source = LinesOfTable(std::move(source), FormatByName(*options_.format, input), InputName(input),
                          options_.max_line_bytes, options_.empty_cells);
  }
  RecordSplitter splitter(
      RecordBatch::kDataBegin, options_.max_line_bytes,
      options_.format ? std::optional(FormatByName(*options_.format, input)) : std::nullopt,
      options_.too_long);
  if (is_cut) splitter.BeginInLines();
  if (is_table || options_.rewrite) splitter.BeginInRows();
  sequential_.emplace(InputName(input), std::move(source), std::move(splitter), options_, progress,
                      consumed_bytes_);
}

// Sets up reading the next input in ranges, if it is a plain file of lines whose first line begins in the
// first range.
void RecordReader::OpenRanges(const std::string& input, const InputShare& share) {
  if (input == "-" || file_bytes_[input_] == 0 || options_.batch_bytes < BlockChecksum::kBlockBytes) return;
  const std::optional<InputFile> now = ProbeInput(input);
  LineFile::Part part{.begin = 0, .end = now ? now->bytes : 0, .first_line = 0};
  if (share.kind == InputShare::Kind::kLines) {
    part = {.begin = share.begin, .end = share.end, .first_line = share.begin};
    if (part.begin == part.end) return;
  } else {
    const std::optional<std::uint64_t> first = FindFirstLine(input, line_rules());
    if (!first || *first >= std::min<std::uint64_t>(range_bytes(), part.end)) return;
    part.first_line = *first;
  }
  lines_ = std::make_shared<const LineFile>(input, part,
                                            LineFile::Lines{options_.max_line_bytes, options_.too_long});
  range_begin_ = part.begin;
}

void RecordReader::TakeRange(RecordBatch& batch) {
  const std::uint64_t end = std::min<std::uint64_t>(range_begin_ + range_bytes(), lines_->part().end);
  batch.input = static_cast<std::uint32_t>(input_);
  batch.range.emplace(LineRange{.file = lines_, .begin = std::exchange(range_begin_, end), .end = end});
  if (end != lines_->part().end) return;
  lines_.reset();
  ++input_;
}

void RecordReader::ReadBatch(RecordBatch& batch) {
  batch.input = static_cast<std::uint32_t>(input_);
  if (sequential_->Read(batch)) return;
  if (!sequential_->failed()) sequential_.reset();
  ++input_;
}

}  // namespace leafscore::internal
