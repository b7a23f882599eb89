#include "engine/io/record_reader.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <span>
#include <utility>

#include "engine/base/resource_error.h"
#include "engine/io/input_format.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::chrono::milliseconds kMaxHold{100};

}  // namespace

RecordReader::RecordReader(std::vector<std::string> inputs, ReaderOptions options)
    : inputs_(std::move(inputs)),
      options_(std::move(options)),
      checksums_(inputs_.size()),
      decoded_bytes_(inputs_.size()),
      limited_(options_.limit == 0 ? 0 : inputs_.size()),
      file_bytes_(inputs_.size()),
      first_bytes_(inputs_.size()) {
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
    if (batch.input != numbered_input_) numbered_in_input_ = 0;
    numbered_input_ = batch.input;
    batch.first_record_in_input = numbered_in_input_ + 1;
    numbered_in_input_ += batch.records.size();
    checksums_[batch.input].AddBlocks(range.blocks, range.bytes);
    decoded_bytes_[batch.input] += range.bytes;
    consumed_bytes_.fetch_add(range.bytes, std::memory_order_relaxed);
    range_error_ = range.error;
  }
  batch.first_record_in_run = records_in_run_ + 1;
  records_in_run_ += batch.records.size();
  return true;
}

bool RecordReader::Take(RecordBatch& batch) {
  batch.records.clear();
  batch.range.reset();
  while (batch.records.empty()) {
    if (stopped()) return false;
    if (error_) {
      LookForDamage();
      std::rethrow_exception(error_);
    }
    if (!source_ && !lines_ && input_ == inputs_.size()) return false;
    try {
      if (!source_ && !lines_) OpenInput();
      if (lines_) {
        TakeRange(batch);
        return true;
      }
      if (!source_) continue;
      ReadBatch(batch);
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
  first_bytes_[input_] = share.begin;
  if (options_.ranges && !options_.open && !options_.rewrite) OpenRanges(input, share);
  if (lines_) return;
  source_ = options_.open ? options_.open(input)
            : is_cut      ? OpenFileRange(input, share.begin, share.end, checksums_[input_])
                          : OpenByteSource(input, options_.stop, &checksums_[input_], options_.max_ratio,
                                           options_.max_window_bytes, options_.unpack_threads);
  const bool is_table = options_.format && IsTable(FormatByName(*options_.format, input));
  if (options_.rewrite) {
    ReaderOptions records = options_;
    records.shard.reset();
    records.rewrite = {};
    records.empty_cells = EmptyCells::kNull;
    // A std::function must be copyable.
    const auto opened = std::make_shared<std::unique_ptr<ByteSource>>(std::move(source_));
    records.open = [opened](const std::string&) { return std::move(*opened); };
    source_ = options_.rewrite(
        std::make_unique<RecordReader>(std::vector<std::string>{input}, std::move(records)), input);
  } else if (is_table) {
    source_ = LinesOfTable(std::move(source_), FormatByName(*options_.format, input), InputName(input),
                           options_.max_line_bytes, options_.empty_cells);
  }
  splitter_.emplace(RecordBatch::kDataBegin, options_.max_line_bytes,
                    options_.format ? std::optional(FormatByName(*options_.format, input)) : std::nullopt,
                    options_.too_long);
  if (is_cut) splitter_->BeginInLines();
  if (is_table || options_.rewrite) splitter_->BeginInRows();
  state_ = InputState::kMore;
  consumed_before_ = 0;
  records_in_input_ = 0;
  offset_ = share.begin;
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

// Reads until the batch has a record or the input ends.
void RecordReader::ReadBatch(RecordBatch& batch) {
  std::size_t size = RecordBatch::kDataBegin;  // size of the window: padding and data
  ReserveWindow(batch.bytes, size + tail_.size(), most_window());
  std::copy(tail_.begin(), tail_.end(), batch.bytes.begin() + RecordBatch::kDataBegin);
  size += tail_.size();
  for (;;) {
    // After a long record, read no more than a batch.
    const std::size_t unfinished = size - RecordBatch::kDataBegin;
    const std::size_t more = std::min(unfinished, options_.batch_bytes);
    size = Fill(batch, size, std::max(options_.batch_bytes, std::min(unfinished + more, most_unfinished())));
    if (stopped()) return;
    splitter_->Scan({batch.bytes.data(), size}, state_, batch.records);
    if (!splitter_->fault().empty()) EndWithFault();
    if (!batch.records.empty() || state_ != InputState::kMore) break;
    const std::size_t keep = splitter_->keep_from();
    std::memmove(batch.bytes.data() + RecordBatch::kDataBegin, batch.bytes.data() + keep, size - keep);
    splitter_->MoveTail(RecordBatch::kDataBegin);
    offset_ += keep - RecordBatch::kDataBegin;
    size -= keep - RecordBatch::kDataBegin;
  }

  if (options_.limit != 0) CutAtLimit(batch);
  const std::size_t keep = splitter_->keep_from();
  if (tail_.capacity() > 4 * options_.batch_bytes) tail_ = std::vector<char>();  // a long record enlarged it
  tail_.assign(batch.bytes.data() + keep, batch.bytes.data() + size);
  splitter_->MoveTail(RecordBatch::kDataBegin);
  std::memset(batch.bytes.data() + keep, 0, kTextPadding);
  batch.data_end = static_cast<std::uint32_t>(keep);
  batch.lines = splitter_->lines();
  batch.data_offset = offset_;
  batch.input = static_cast<std::uint32_t>(input_);
  batch.first_record_in_input = records_in_input_ + 1;
  records_in_input_ += batch.records.size();
  offset_ += keep - RecordBatch::kDataBegin;
  if (state_ != InputState::kMore) {
    tail_.clear();  // beyond a limit
    source_.reset();
    ++input_;
  }
}

// If the batch reaches the limit, ends the input with the last record within it. Later records do not count,
// even if they are damaged, because the size of batches decides how many of them were read.
void RecordReader::CutAtLimit(RecordBatch& batch) {
  auto& [records, checksum] = limited_[input_];
  const std::uint64_t rest = options_.limit - records;
  if (batch.records.size() >= rest) {
    batch.records.resize(rest);
    decoded_bytes_[input_] = offset_ + batch.records.back().end - RecordBatch::kDataBegin;
    state_ = InputState::kEnded;
    error_ = nullptr;
    faulty_.reset();
  }
  records += batch.records.size();
  for (const RecordSpan& record : batch.records) checksum.Add(batch.Text(record));
}

// Ends an input that is not a file of records. An earlier error stays, because the input is then known to be
// damaged.
void RecordReader::EndWithFault() {
  state_ = InputState::kBroken;
  const std::uint64_t position = offset_ + splitter_->fault_position() - RecordBatch::kDataBegin;
  decoded_bytes_[input_] = position - first_bytes_[input_];  // the rest depends on the batch size
  if (error_) return;
  error_ = std::make_exception_ptr(
      Error(ErrorCode::kInput,
            InputName(inputs_[input_]) + ", byte " + std::to_string(position) + ": " + splitter_->fault()));
  faulty_ = std::move(source_);
}

// A compressed input may look like no file of records, or like a broken table, because it is damaged. Reading
// on reveals the damage, for example by a checksum. The damage is then reported instead.
void RecordReader::LookForDamage() {
  const std::unique_ptr<ByteSource> rest = std::move(faulty_);
  if (rest == nullptr || !rest->is_compressed()) return;
  std::vector<std::byte> piece(64 << 10);
  try {
    while (!stopped() && rest->Read(piece) != 0) continue;
  } catch (const Error&) {
    error_ = std::current_exception();
  }
}

// Reads until the window has data_bytes bytes of data, or until the input ends. Once the first bytes have
// come, waits at most kMaxHold for more.
// RETURNS: the size of the window.
std::size_t RecordReader::Fill(RecordBatch& batch, std::size_t size, std::size_t data_bytes) {
  const std::size_t wanted_size = RecordBatch::kDataBegin + data_bytes;
  ReserveWindow(batch.bytes, wanted_size, most_window());
  auto deadline = ByteSource::Deadline::max();
  try {
    while (size < wanted_size && state_ == InputState::kMore && !stopped()) {
      const std::span<char> free(batch.bytes.data() + size, wanted_size - size);
      const std::optional<std::size_t> n = source_->ReadUntil(std::as_writable_bytes(free), deadline);
      if (!n) break;
      if (*n == 0) state_ = InputState::kEnded;
      size += *n;
      decoded_bytes_[input_] += *n;
      if (deadline == ByteSource::Deadline::max()) deadline = std::chrono::steady_clock::now() + kMaxHold;
      const std::uint64_t consumed = source_->consumed_bytes();
      consumed_bytes_.fetch_add(consumed - std::exchange(consumed_before_, consumed),
                                std::memory_order_relaxed);
    }
  } catch (const Error&) {
    error_ = std::current_exception();
    state_ = InputState::kBroken;
    if (splitter_->of_table()) faulty_ = std::move(source_);
  }
  return size;
}

}  // namespace leafscore::internal
