#include "engine/run/reader_source.h"

#include <utility>

#include "engine/base/resource_error.h"
#include "engine/run/file_options.h"
#include "engine/run/wide_records.h"

namespace leafscore::internal {
namespace {

// The bytes of memory that a question takes for each byte of its texts. They are copied into the question,
// into the request and into the batch.
constexpr std::size_t kQuestionFactor = 8;

void NoteInput(const BlockChecksum& read, bool ended, ScoredBatch& scored) {
  scored.input_bytes = read.bytes();
  scored.input_ended = ended;
  scored.input_checksum = read.Text();
}

// Notes how much of the input was read: to the end of the batch's range, or to the end of its last record if
// that crosses the range's end.
void NoteRange(BlockChecksum read, ScoredBatch& scored) {
  const RecordBatch& batch = scored.batch;
  const LineRange& range = *batch.range;
  const std::uint64_t range_end = RecordBatch::kDataBegin + (range.end - batch.data_offset);
  if (range_end < batch.data_end) read.Add({batch.bytes.data() + range_end, batch.data_end - range_end});
  NoteInput(read, !range.error && range.end == range.file->part().end, scored);
}

}  // namespace

ReaderSource::ReaderSource(const FileOptions& options, const ScorerSet& scorers, const MemoryPlan& plan)
    : scorers_(scorers),
      plan_(plan),
      reader_(options.inputs, AnswerReaderOptions(options, ReaderOptionsOf(options, plan))) {}

bool ReaderSource::Take(bool has_long_texts, ScoredBatch& scored) {
  is_full_ = live_bytes_ > plan_.live_bytes;
  if (stopped_ || is_full_) return false;
  scored.failure.reset();
  scored.is_dropped = false;
  scored.entry.clear();
  try {
    return WithResourceErrors(kMemoryAdvice, [&] {
      reader_.set_batch_bytes(has_long_texts ? plan_.text_batch_bytes : plan_.batch_bytes);
      scored.is_numbered = earlier_ != nullptr && earlier_->TakeRest(scored.batch);
      if (!scored.is_numbered && !reader_.Take(scored.batch)) return false;
      if (scored.batch.range) return true;
      if (IsLong(scored.batch.bytes)) Hold(scored.batch.bytes.capacity(), scored);
      HoldQuestions(scored);
      if (notes_inputs_) {
        NoteInput(reader_.checksum(scored.batch.input), reader_.ended(scored.batch.input), scored);
      }
      return true;
    });
  } catch (const Error& error) {
    error_ = error;
    return false;
  }
}

void ReaderSource::Read(ScoredBatch& scored) {
  const auto may_hold = [&](std::size_t bytes) {
    Hold(bytes, scored);
    if (live_bytes_ <= plan_.live_bytes) return true;
    scored.live_bytes -= bytes;
    live_bytes_ -= bytes;
    return false;
  };
  RecordReader::Read(may_hold, scored.batch);
  HoldQuestions(scored);
}

void ReaderSource::Number(ScoredBatch& scored) {
  if (scored.is_numbered) return;
  scored.is_dropped = !reader_.Number(scored.batch);
  if (reader_.range_error()) Stop();
  if (!scored.batch.range || scored.is_dropped || !notes_inputs_) return;
  if (scored.has_rest()) {
    scored.input_read = reader_.checksum(scored.batch.input);
  } else {
    NoteRange(reader_.checksum(scored.batch.input), scored);
  }
}

void ReaderSource::ReadRest(ScoredBatch& scored) {
  if (!scored.batch.range) return;
  if (scored.has_rest()) {
    scored.batch.range->file->ReadRest(scored.batch);
    if (scored.input_read) NoteRange(*std::exchange(scored.input_read, {}), scored);
    if (scored.batch.range->error) Stop();
  }
  broken_ = scored.batch.range->error;
}

void ReaderSource::Release(ScoredBatch& scored) {
  if (IsLong(scored.batch.bytes)) {
    scored.batch = {};
    ReturnFreedMemory();
  }
  live_bytes_ -= std::exchange(scored.live_bytes, 0);
}

// Counts the memory of a batch beyond the usual size.
void ReaderSource::Hold(std::size_t bytes, ScoredBatch& scored) {
  scored.live_bytes += bytes;
  live_bytes_ += bytes;
}

void ReaderSource::HoldQuestions(ScoredBatch& scored) {
  if (!scorers_.asks()) return;
  Hold(scorers_.question_bytes(scored.batch.records.size()) +
           kQuestionFactor * std::size_t{scored.batch.data_end},
       scored);
}

}  // namespace leafscore::internal
