// engine/io/sequential_input.h: one input that is read from its beginning to its end, as batches of whole
// records: a pipe, a compressed file, an array, a table, or lines that are not read in ranges. Bytes are read
// from the source directly into the batch; only the unfinished record at the end of a batch is copied, into
// the next batch.
//
// An input may end with a failure. The records before it are handed out first. A compressed input may look
// like no file of records, or like a broken table, because it is damaged. Its rest is then read. If this
// reveals damage, for example by a checksum, the damage is the failure.
// THREADS: one.
#ifndef LEAFSCORE_ENGINE_IO_SEQUENTIAL_INPUT_H_
#define LEAFSCORE_ENGINE_IO_SEQUENTIAL_INPUT_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/base/limits.h"
#include "engine/io/byte_source.h"
#include "engine/io/reader_options.h"
#include "engine/io/record_batch.h"
#include "engine/io/record_splitter.h"

namespace leafscore::internal {

// The records of an input that ReaderOptions::limit counts.
struct LimitedRecords {
  std::uint64_t count = 0;
  Checksum checksum = {};  // of the records, one after another
};

// How far an input has been read.
struct InputProgress {
  std::uint64_t first_byte = 0;     // the offset in the file at which reading began
  BlockChecksum checksum = {};      // of the bytes, before decompression
  std::uint64_t decoded_bytes = 0;  // if the input is not a file of records, only up to where this shows
  std::optional<LimitedRecords> limited = {};  // if there is a limit
};

class SequentialInput {
 public:
  // Reads `source`, whose first byte is at progress.first_byte of the input; messages call the input `name`.
  // Counts into `progress` and `consumed_bytes`; the source itself adds to progress.checksum.
  // REQUIRES: `options`, `progress` and `consumed_bytes` outlive this object; `splitter` has scanned nothing,
  //           and its window begins at RecordBatch::kDataBegin.
  SequentialInput(std::string name, std::unique_ptr<ByteSource> source, RecordSplitter splitter,
                  const ReaderOptions& options, InputProgress& progress,
                  std::atomic<std::uint64_t>& consumed_bytes);

  // Reads the next records into an empty batch: at least one, unless the input has no more or the run was
  // stopped. Does not number them.
  // REQUIRES: there may be more.
  // RETURNS:  whether there may be more.
  // ERRORS:   as AllocateFor. Any other failure is kept for ThrowFailure.
  bool Read(RecordBatch& batch);

  // Returns whether the input ended with a failure.
  bool failed() const { return failure_ != nullptr; }

  // Throws the failure, after looking for damage. REQUIRES: failed().
  [[noreturn]] void ThrowFailure();

 private:
  std::size_t Fill(RecordBatch& batch, std::size_t size, std::size_t data_bytes);
  void CutAtLimit(RecordBatch& batch);
  void EndWithFault();
  void LookForDamage();
  // Returns the most bytes that are kept for an unfinished record, or for finding the format.
  std::size_t most_unfinished() const {
    const std::size_t look_ahead = splitter_.finds_format() ? std::size_t{kFormatLookAhead.default_value} : 0;
    return std::max(options_.max_line_bytes + 1, look_ahead);
  }
  std::size_t most_window() const {
    return RecordBatch::kDataBegin + std::max(options_.batch_bytes, most_unfinished());
  }

  std::string name_;
  std::unique_ptr<ByteSource> source_;
  RecordSplitter splitter_;
  const ReaderOptions& options_;
  InputProgress& progress_;
  std::atomic<std::uint64_t>& consumed_bytes_;

  InputState state_ = InputState::kMore;
  std::uint64_t consumed_before_ = 0;  // bytes of source_ that consumed_bytes_ includes
  std::uint64_t offset_;               // the offset of the next batch's data
  std::vector<char> tail_;             // the unfinished record, which begins the next batch
  std::exception_ptr failure_;
  std::unique_ptr<ByteSource> faulty_;  // the rest of an input that is not a file of records
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_SEQUENTIAL_INPUT_H_
