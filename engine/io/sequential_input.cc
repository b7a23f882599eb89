#include "engine/io/sequential_input.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>
#include <utility>

#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::chrono::milliseconds kMaxHold{100};

}  // namespace

SequentialInput::SequentialInput(std::string name, std::unique_ptr<ByteSource> source,
                                 RecordSplitter splitter, const ReaderOptions& options,
                                 InputProgress& progress, std::atomic<std::uint64_t>& consumed_bytes)
    : name_(std::move(name)),
      source_(std::move(source)),
      splitter_(std::move(splitter)),
      options_(options),
      progress_(progress),
      consumed_bytes_(consumed_bytes),
      offset_(progress.first_byte) {}

bool SequentialInput::Read(RecordBatch& batch) {
  std::size_t size = RecordBatch::kDataBegin;  // size of the window: padding and data
  ReserveWindow(batch.bytes, size + tail_.size(), most_window());
  std::copy(tail_.begin(), tail_.end(), batch.bytes.begin() + RecordBatch::kDataBegin);
  size += tail_.size();
  for (;;) {
    // After a long record, read no more than a batch.
    const std::size_t unfinished = size - RecordBatch::kDataBegin;
    const std::size_t more = std::min(unfinished, options_.batch_bytes);
    size = Fill(batch, size, std::max(options_.batch_bytes, std::min(unfinished + more, most_unfinished())));
    if (options_.stopped()) return true;
    splitter_.Scan({batch.bytes.data(), size}, state_, batch.records);
    if (!splitter_.fault().empty()) EndWithFault();
    if (!batch.records.empty() || state_ != InputState::kMore) break;
    const std::size_t keep = splitter_.keep_from();
    std::memmove(batch.bytes.data() + RecordBatch::kDataBegin, batch.bytes.data() + keep, size - keep);
    splitter_.MoveTail(RecordBatch::kDataBegin);
    offset_ += keep - RecordBatch::kDataBegin;
    size -= keep - RecordBatch::kDataBegin;
  }

  if (progress_.limited) CutAtLimit(batch);
  const std::size_t keep = splitter_.keep_from();
  if (tail_.capacity() > 4 * options_.batch_bytes) tail_ = std::vector<char>();  // a long record enlarged it
  tail_.assign(batch.bytes.data() + keep, batch.bytes.data() + size);
  splitter_.MoveTail(RecordBatch::kDataBegin);
  std::memset(batch.bytes.data() + keep, 0, kTextPadding);
  batch.data_end = static_cast<std::uint32_t>(keep);
  batch.lines = splitter_.lines();
  batch.data_offset = offset_;
  offset_ += keep - RecordBatch::kDataBegin;
  if (state_ == InputState::kMore) return true;
  source_.reset();
  return false;
}

// If the batch reaches the limit, ends the input with the last record within it. Later records do not count,
// even if they are damaged, because the size of batches decides how many of them were read.
void SequentialInput::CutAtLimit(RecordBatch& batch) {
  auto& [count, checksum] = *progress_.limited;
  const std::uint64_t rest = options_.limit - count;
  if (batch.records.size() >= rest) {
    batch.records.resize(rest);
    progress_.decoded_bytes = offset_ + batch.records.back().end - RecordBatch::kDataBegin;
    state_ = InputState::kEnded;
    failure_ = nullptr;
    faulty_.reset();
  }
  count += batch.records.size();
  for (const RecordSpan& record : batch.records) checksum.Add(batch.Text(record));
}

// Ends an input that is not a file of records. An earlier error stays, because the input is then known to be
// damaged.
void SequentialInput::EndWithFault() {
  state_ = InputState::kBroken;
  const std::uint64_t position = offset_ + splitter_.fault_position() - RecordBatch::kDataBegin;
  progress_.decoded_bytes = position - progress_.first_byte;  // the rest depends on the batch size
  if (failure_) return;
  failure_ = std::make_exception_ptr(
      Error(ErrorCode::kInput, name_ + ", byte " + std::to_string(position) + ": " + splitter_.fault()));
  faulty_ = std::move(source_);
}

// Reads until the window has data_bytes bytes of data, or until the input ends. Once the first bytes have
// come, waits at most kMaxHold for more.
// RETURNS: the size of the window.
std::size_t SequentialInput::Fill(RecordBatch& batch, std::size_t size, std::size_t data_bytes) {
  const std::size_t wanted_size = RecordBatch::kDataBegin + data_bytes;
  ReserveWindow(batch.bytes, wanted_size, most_window());
  auto deadline = ByteSource::Deadline::max();
  try {
    while (size < wanted_size && state_ == InputState::kMore && !options_.stopped()) {
      const std::span<char> free(batch.bytes.data() + size, wanted_size - size);
      const std::optional<std::size_t> n = source_->ReadUntil(std::as_writable_bytes(free), deadline);
      if (!n) break;
      if (*n == 0) state_ = InputState::kEnded;
      size += *n;
      progress_.decoded_bytes += *n;
      if (deadline == ByteSource::Deadline::max()) deadline = std::chrono::steady_clock::now() + kMaxHold;
      const std::uint64_t consumed = source_->consumed_bytes();
      consumed_bytes_.fetch_add(consumed - std::exchange(consumed_before_, consumed),
                                std::memory_order_relaxed);
    }
  } catch (const Error&) {
    failure_ = std::current_exception();
    state_ = InputState::kBroken;
    if (splitter_.of_table()) faulty_ = std::move(source_);
  }
  return size;
}

void SequentialInput::ThrowFailure() {
  LookForDamage();
  std::rethrow_exception(failure_);
}

// Reads the rest of an input that failed. Damage that shows becomes the failure.
void SequentialInput::LookForDamage() {
  const std::unique_ptr<ByteSource> rest = std::move(faulty_);
  if (rest == nullptr || !rest->is_compressed()) return;
  std::vector<std::byte> piece(64 << 10);
  try {
    while (!options_.stopped() && rest->Read(piece) != 0) continue;
  } catch (const Error&) {
    failure_ = std::current_exception();
  }
}

}  // namespace leafscore::internal
