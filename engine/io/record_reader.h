// engine/io/record_reader.h: reads the inputs of a run as batches of whole records, in order. It is the
// serial source of the pipeline. Bytes are read from the file directly into the batch; only the unfinished
// record at the end of a batch is copied, into the next batch. record_splitter.h describes how inputs are cut
// into records. A batch is handed out when it is full. If the input has no more bytes for now, the batch is
// handed out a tenth of a second after its first bytes came, so that the records of a slow pipe are not held
// back. A shard reads only its share of the inputs (input_share.h), but offsets are relative to the whole
// input.
//
// With ReaderOptions::ranges, many threads read plain files of lines (line_file.h): Take only hands out
// ranges, Read fills a batch in any thread, and Number gives the records their numbers, batch by batch in
// order.
// THREADS: one thread calls Take or Next; Number is called by one thread at a time; any thread may call
//          consumed_bytes().
#ifndef LEAFSCORE_ENGINE_IO_RECORD_READER_H_
#define LEAFSCORE_ENGINE_IO_RECORD_READER_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/base/limits.h"
#include "engine/io/byte_source.h"
#include "engine/io/input_share.h"
#include "engine/io/line_file.h"
#include "engine/io/record_batch.h"
#include "engine/io/record_splitter.h"
#include "engine/io/table_source.h"
#include "leafscore/error.h"

namespace leafscore::internal {

class RecordReader;

struct ReaderOptions {
  // The most bytes that are read for a batch. A batch without a whole record grows by at most as many bytes
  // at a time.
  std::size_t batch_bytes = kBatchBytes.default_value;
  // A longer record is rejected with the reason `too_long`, and not kept in memory.
  std::size_t max_line_bytes = kMaxLineBytes.default_value;
  RejectReason too_long = RejectReason::kLineTooLong;
  std::uint64_t max_ratio = kMaxRatio.default_value;       // for compressed inputs
  std::uint64_t max_window_bytes = kMaxZstdWindow;         // for zstd
  std::optional<InputFormat> format = InputFormat::kAuto;  // nullopt for lines with any content
  // Next returns false soon after this becomes true, even while it waits for a pipe.
  const std::atomic<bool>* stop = nullptr;
  unsigned unpack_threads = 1;  // see OpenByteSource
  std::optional<Shard> shard = {};
  std::uint64_t limit = 0;  // the most records to read of each input, 0 for all; not with ranges
  bool ranges = false;      // read plain files of lines in ranges, if a BlockChecksum block fits into a batch
  // Opens an input. If empty, inputs are opened as files (OpenByteSource).
  std::function<std::unique_ptr<ByteSource>(const std::string& input)> open = {};
  // Replaces the records of an input by other records, one on each line, which are read like the lines of a
  // table (table_source.h). If empty, the records are read as they are.
  std::function<std::unique_ptr<ByteSource>(std::unique_ptr<RecordReader> records, const std::string& input)>
      rewrite = {};
  EmptyCells empty_cells = EmptyCells::kAbsent;  // the meaning of empty cells in tables
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
    return input < input_ && (!error_ || input + 1 < input_) && !is_cut(input);
  }

  // Returns whether reading an input ended at ReaderOptions::limit.
  // THREADS: as Take.
  bool is_cut(std::size_t input) const {
    return options_.limit != 0 && limited_[input].records == options_.limit;
  }

  // Returns the checksum of the records, one after another, that were read from an input. REQUIRES: there is
  // a limit.
  // THREADS: as Take.
  const Checksum& records_checksum(std::size_t input) const { return limited_[input].checksum; }

  // Returns whether the run was stopped. Next then returned false, or will return false.
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  // Return the number of bytes (compressed, for compressed inputs) that were read so far, and the total if
  // all inputs are regular files.
  std::uint64_t consumed_bytes() const noexcept { return consumed_bytes_.load(std::memory_order_relaxed); }
  std::optional<std::uint64_t> total_bytes() const noexcept { return total_bytes_; }

  // Return the number of decompressed bytes that were read so far, from all inputs or from one. If an input
  // is not a file of records, its bytes count only up to the place where this shows.
  // THREADS: as Next.
  std::uint64_t decoded_bytes() const { return std::reduce(decoded_bytes_.begin(), decoded_bytes_.end()); }
  std::uint64_t decoded_bytes(std::size_t input) const { return decoded_bytes_[input]; }

  bool is_shard() const { return options_.shard.has_value(); }

  // Returns the file sizes of the inputs; all are known if total_bytes() is.
  const std::vector<std::uint64_t>& file_bytes() const { return file_bytes_; }

  // Returns the offset in a file at which reading began, which is 0 except in a shard.
  // THREADS: as Next.
  std::uint64_t first_byte(std::size_t input) const { return first_bytes_[input]; }

  // Returns the checksum of the bytes (compressed, for compressed inputs) that were read so far from an
  // input.
  // THREADS: as Take, or as Number for an input that is read in ranges; the same applies to decoded_bytes.
  const BlockChecksum& checksum(std::size_t input) const { return checksums_[input]; }

 private:
  void OpenInput();
  LineRules line_rules() const { return {options_.format, options_.max_line_bytes, bool(options_.rewrite)}; }
  void OpenRanges(const std::string& input, const InputShare& share);
  void TakeRange(RecordBatch& batch);
  void ReadBatch(RecordBatch& batch);
  std::size_t Fill(RecordBatch& batch, std::size_t size, std::size_t data_bytes);
  void CutAtLimit(RecordBatch& batch);
  void EndWithFault();
  void LookForDamage();
  // Returns batch_bytes rounded down to whole checksum blocks.
  std::size_t range_bytes() const {
    return options_.batch_bytes / BlockChecksum::kBlockBytes * BlockChecksum::kBlockBytes;
  }
  // Returns the most bytes that are kept for an unfinished record, or for finding the format.
  std::size_t most_unfinished() const {
    const std::size_t look_ahead =
        splitter_->finds_format() ? std::size_t{kFormatLookAhead.default_value} : 0;
    return std::max(options_.max_line_bytes + 1, look_ahead);
  }
  std::size_t most_window() const {
    return RecordBatch::kDataBegin + std::max(options_.batch_bytes, most_unfinished());
  }

  std::vector<std::string> inputs_;
  ReaderOptions options_;
  std::vector<BlockChecksum> checksums_;  // indexed by input, like the members below
  std::vector<std::uint64_t> decoded_bytes_;
  struct Limited {
    std::uint64_t records = 0;
    Checksum checksum = {};
  };
  std::vector<Limited> limited_;  // if there is a limit
  std::vector<std::uint64_t> file_bytes_;
  std::vector<std::uint64_t> first_bytes_;
  std::optional<std::uint64_t> total_bytes_;
  std::atomic<std::uint64_t> consumed_bytes_{0};
  std::uint64_t records_in_run_ = 0;
  std::exception_ptr error_;
  std::unique_ptr<ByteSource> faulty_;  // the rest of an input that is not a file of records

  // About the current input.
  std::size_t input_ = 0;
  std::unique_ptr<ByteSource> source_;  // null before it is opened
  std::optional<RecordSplitter> splitter_;
  InputState state_ = InputState::kEnded;
  std::uint64_t consumed_before_ = 0;  // bytes of source_ that consumed_bytes_ includes
  std::uint64_t records_in_input_ = 0;
  std::uint64_t offset_ = 0;               // the offset of the next batch's data
  std::vector<char> tail_;                 // the unfinished record, which begins the next batch
  std::shared_ptr<const LineFile> lines_;  // null if the input is not read in ranges
  std::uint64_t range_begin_ = 0;          // the begin of the next range

  // About the batches that were numbered.
  std::uint32_t numbered_input_ = 0;
  std::uint64_t numbered_in_input_ = 0;
  std::optional<Error> range_error_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_RECORD_READER_H_
