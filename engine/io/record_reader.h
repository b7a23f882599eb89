// engine/io/record_reader.h: reads the inputs of a run as batches of whole records, in order. It is the
// serial source of the pipeline. sequential_input.h reads an input from its beginning to its end, and
// record_splitter.h describes how it is cut into records. A batch is handed out when it is full. If the input
// has no more bytes for now, the batch is handed out a tenth of a second after its first bytes came, so that
// the records of a slow pipe are not held back. A shard reads only its share of the inputs (input_share.h),
// but offsets are relative to the whole input.
//
// With ReaderOptions::ranges, many threads read plain files of lines (line_file.h): Take only hands out
// ranges, Read fills a batch in any thread, and Number gives the records their numbers, batch by batch in
// order.
// THREADS: one thread calls Take or Next; Number is called by one thread at a time; any thread may call
//          consumed_bytes().
#ifndef LEAFSCORE_ENGINE_IO_RECORD_READER_H_
#define LEAFSCORE_ENGINE_IO_RECORD_READER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/io/input_share.h"
#include "engine/io/line_file.h"
#include "engine/io/reader_options.h"
#include "engine/io/record_batch.h"
#include "engine/io/sequential_input.h"
#include "leafscore/error.h"

namespace leafscore::internal {

// Numbers the records of batches, which come in order, from 1: within each input and within the run.
class RecordNumbering {
 public:
  void Number(RecordBatch& batch) {
    if (batch.input != input_) in_input_ = 0;
    input_ = batch.input;
    batch.first_record_in_input = in_input_ + 1;
    batch.first_record_in_run = in_run_ + 1;
    in_input_ += batch.records.size();
    in_run_ += batch.records.size();
  }

 private:
  std::uint32_t input_ = 0;     // of the latest batch
  std::uint64_t in_input_ = 0;  // records before the next batch
  std::uint64_t in_run_ = 0;
};

class RecordReader {
 public:
  // Checks all inputs before anything is read.
  // REQUIRES: options within the limits of engine/base/limits.h.
  // ERRORS:   Error(kInput) if an input cannot be opened; Error(kUsage) if a file is given twice, even under
  //           two names, or if there is a shard and an input is not a regular file.
  RecordReader(std::vector<std::string> inputs, ReaderOptions options);

  // Fills `batch` with at least one of the next records, all from one input. The memory of the batch is
  // reused.
  // RETURNS: false if there are no more records, or if the run was stopped.
  // ERRORS:  Error(kInput) if reading an input fails, or if it is not a file of records (record_splitter.h).
  //          All records before the failure have already been returned, an unfinished last record as
  //          kTruncatedInput. The error ends the run: every later call throws it. A compressed input that is
  //          not a file of records is read to its end. If this shows that it is damaged, the damage is
  //          reported instead.
  // COST:    at most max(batch_bytes, max_line_bytes) of memory for the batch, and the same for the
  //          unfinished record.
  bool Next(RecordBatch& batch);

  // Do the work of Next in three steps. Take fills a batch, or assigns a range to it. Read fills a batch with
  // a range, as LineFile::Read does; the batch may then have no records. Number gives the records their
  // numbers, and adds the bytes of a range to the checksum.
  // RETURNS: Number returns false if the batch comes after a failed input and must be dropped. After a
  //          failure, Take may still return a few batches.
  bool Take(RecordBatch& batch);
  static void Read(const LineFile::MayHold& may_hold, RecordBatch& batch);
  bool Number(RecordBatch& batch);

  // Sets ReaderOptions::batch_bytes for later batches.
  // THREADS: as Take.
  void set_batch_bytes(std::size_t bytes) { options_.batch_bytes = bytes; }

  // Returns the error with which reading an input in ranges failed.
  // THREADS: as Number.
  const std::optional<Error>& range_error() const { return range_error_; }

  // Returns whether an input was read to its end, without a failure and not only to a limit. For an input
  // that is read in ranges, see LineRange.
  // THREADS: as Take.
  bool ended(std::size_t input) const {
    return input < input_ && (!failed() || input + 1 < input_) && !is_cut(input);
  }

  // Returns whether reading an input ended at ReaderOptions::limit.
  // THREADS: as Take.
  bool is_cut(std::size_t input) const {
    return options_.limit != 0 && progress_[input].limited->count == options_.limit;
  }

  // Returns the checksum of the records, one after another, that were read from an input. REQUIRES: there is
  // a limit.
  // THREADS: as Take.
  const Checksum& records_checksum(std::size_t input) const { return progress_[input].limited->checksum; }

  // Returns whether the run was stopped. Next then returned false, or will return false.
  bool stopped() const { return options_.stopped(); }

  // Return the number of bytes (compressed, for compressed inputs) that were read so far, and the total if
  // all inputs are regular files.
  std::uint64_t consumed_bytes() const noexcept { return consumed_bytes_.load(std::memory_order_relaxed); }
  std::optional<std::uint64_t> total_bytes() const noexcept { return total_bytes_; }

  // Return the number of decompressed bytes that were read so far, from all inputs or from one. If an input
  // is not a file of records, its bytes count only up to the place where this shows.
  // THREADS: as Next.
  std::uint64_t decoded_bytes() const {
    std::uint64_t bytes = 0;
    for (const InputProgress& progress : progress_) bytes += progress.decoded_bytes;
    return bytes;
  }
  std::uint64_t decoded_bytes(std::size_t input) const { return progress_[input].decoded_bytes; }

  bool is_shard() const { return options_.shard.has_value(); }

  // Returns the file sizes of the inputs; all are known if total_bytes() is.
  const std::vector<std::uint64_t>& file_bytes() const { return file_bytes_; }

  // Returns the offset in a file at which reading began, which is 0 except in a shard.
  // THREADS: as Next.
  std::uint64_t first_byte(std::size_t input) const { return progress_[input].first_byte; }

  // Returns the checksum of the bytes (compressed, for compressed inputs) that were read so far from an
  // input.
  // THREADS: as Take, or as Number for an input that is read in ranges; the same applies to decoded_bytes.
  const BlockChecksum& checksum(std::size_t input) const { return progress_[input].checksum; }

 private:
  void OpenInput();
  LineRules line_rules() const { return {options_.format, options_.max_line_bytes, bool(options_.rewrite)}; }
  void OpenRanges(const std::string& input, const InputShare& share);
  void TakeRange(RecordBatch& batch);
  void ReadBatch(RecordBatch& batch);
  bool failed() const { return error_ != nullptr || (sequential_ && sequential_->failed()); }
  // Returns batch_bytes rounded down to whole checksum blocks.
  std::size_t range_bytes() const {
    return options_.batch_bytes / BlockChecksum::kBlockBytes * BlockChecksum::kBlockBytes;
  }

  std::vector<std::string> inputs_;
  ReaderOptions options_;
  std::vector<InputProgress> progress_;    // indexed by input
  std::vector<std::uint64_t> file_bytes_;  // indexed by input
  std::optional<std::uint64_t> total_bytes_;
  std::atomic<std::uint64_t> consumed_bytes_{0};

  std::size_t input_ = 0;                      // the current input
  std::exception_ptr error_;                   // why it cannot be opened, or lacks memory
  std::optional<SequentialInput> sequential_;  // set while it is read sequentially, and after it failed
  std::shared_ptr<const LineFile> lines_;      // set while it is read in ranges
  std::uint64_t range_begin_ = 0;              // the begin of the next range

  RecordNumbering numbering_;
  std::optional<Error> range_error_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_RECORD_READER_H_
