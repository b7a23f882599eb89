// engine/io/record_reader.h: reads the inputs of a run as batches of whole records, in order. It is the
// serial source of the pipeline. Bytes go from the file straight into the batch; only the unfinished record
// at a batch's end is copied, into the next batch. record_splitter.h says how inputs are cut into records. A
// batch is handed out when it is full, or a tenth of a second after its first bytes came if the input has
// nothing more for now, so that the records of a slow pipe are not held back. A shard reads its share of the
// inputs (input_share.h) as if the rest were not there; offsets are still those in the whole input.
//
// With ReaderOptions::ranges, many threads read plain files of lines (line_file.h): Take only hands out
// ranges, Read fills a batch in any thread, and Number, in the order of the batches, numbers their records.
// THREADS: one calls Take or Next, one at a time Number; consumed_bytes() may be called from any.
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
  // Bytes read for a batch, at most. A batch that does not hold one whole record grows by this many at a
  // time.
  std::size_t batch_bytes = kBatchBytes.default_value;
  // A longer record is rejected for `too_long`, without being kept in memory.
  std::size_t max_line_bytes = kMaxLineBytes.default_value;
  RejectReason too_long = RejectReason::kLineTooLong;
  std::uint64_t max_ratio = kMaxRatio.default_value;       // for compressed inputs
  std::uint64_t max_window_bytes = kMaxZstdWindow;         // for zstd
  std::optional<InputFormat> format = InputFormat::kAuto;  // nullopt: lines, whatever they contain
  // Next returns false soon after this becomes true, even while it waits for a pipe.
  const std::atomic<bool>* stop = nullptr;
  unsigned unpack_threads = 1;  // see OpenByteSource
  std::optional<Shard> shard = {};
  bool ranges = false;  // read plain files of lines in ranges, if a batch has room for a block
  // Opens an input; if empty, inputs are files (OpenByteSource).
  std::function<std::unique_ptr<ByteSource>(const std::string& input)> open = {};
  // Turns the records of an input into those to read, one a line, as lines of a table (table_source.h). If
  // empty, the records are read as they are.
  std::function<std::unique_ptr<ByteSource>(std::unique_ptr<RecordReader> records, const std::string& input)>
      rewrite = {};
  EmptyCells empty_cells = EmptyCells::kAbsent;  // of tables
};

class RecordReader {
 public:
  // Checks all inputs before anything is read. REQUIRES: options within the limits of engine/base/limits.h.
  // ERRORS: Error(kInput) if an input cannot be opened; Error(kUsage) if one is named twice, under whatever
  // names, or if there is a shard and an input is not a regular file.
  RecordReader(std::vector<std::string> inputs, ReaderOptions options);

  // Fills `batch` with the next records, at least one, all from one input; its memory is reused.
  // RETURNS: false if there are no more or the run was stopped.
  // ERRORS: Error(kInput) if reading an input fails, or it is not a file of records (record_splitter.h). The
  // records before the failure have been returned by then, an unfinished last one as kTruncatedInput. The
  // error ends the run: every later call throws it. If a compressed input is both damaged and not a file of
  // records, the damage is reported; the input is read to its end to find it.
  // COST: at most max(batch_bytes, max_line_bytes) of memory for the batch, and as much for the unfinished
  // record.
  bool Next(RecordBatch& batch);

  // Does the work of Next in three steps. Take fills a batch or assigns it a range. Read fills a batch that
  // has a range, as LineFile::Read does; it may then have no records. Number numbers the records and adds the
  // bytes to the checksum.
  // RETURNS: Number: false if the batch comes after a failed input and must be dropped. Take may return a few
  // more batches after the failure.
  bool Take(RecordBatch& batch);
  static void Read(const LineFile::MayHold& may_hold, RecordBatch& batch);
  bool Number(RecordBatch& batch);

  // Sets ReaderOptions::batch_bytes for later batches. THREADS: as Take.
  void set_batch_bytes(std::size_t bytes) { options_.batch_bytes = bytes; }

  // Returns why reading an input in ranges failed. THREADS: as Number.
  const std::optional<Error>& range_error() const { return range_error_; }

  // Returns whether an input was read to its end without a failure. For an input that is read in ranges, see
  // LineRange. THREADS: as Take.
  bool ended(std::size_t input) const { return input < input_ && (!error_ || input + 1 < input_); }

  // Returns whether the run was stopped, so that Next returned false or will.
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  // Returns the (compressed) bytes read so far, and the total if all inputs are regular files.
  std::uint64_t consumed_bytes() const noexcept { return consumed_bytes_.load(std::memory_order_relaxed); }
  std::optional<std::uint64_t> total_bytes() const noexcept { return total_bytes_; }

  // Returns the decompressed bytes read so far, of all inputs or of one. If an input is not a file of
  // records, counts only up to where that shows. THREADS: as Next.
  std::uint64_t decoded_bytes() const { return std::reduce(decoded_bytes_.begin(), decoded_bytes_.end()); }
  std::uint64_t decoded_bytes(std::size_t input) const { return decoded_bytes_[input]; }

  bool is_shard() const { return options_.shard.has_value(); }

  // Returns the file sizes of the inputs; all are known if total_bytes() is.
  const std::vector<std::uint64_t>& file_bytes() const { return file_bytes_; }

  // Returns the offset in a file at which reading began: 0 except in a shard. THREADS: as Next.
  std::uint64_t first_byte(std::size_t input) const { return first_bytes_[input]; }

  // Returns the checksum of the (compressed) bytes read so far from an input file. THREADS: as Take, or as
  // Number for an input that is read in ranges; the same holds for decoded_bytes.
  const BlockChecksum& checksum(std::size_t input) const { return checksums_[input]; }

 private:
  void OpenInput();
  LineRules line_rules() const { return {options_.format, options_.max_line_bytes, bool(options_.rewrite)}; }
  void OpenRanges(const std::string& input, const InputShare& share);
  void TakeRange(RecordBatch& batch);
  void ReadBatch(RecordBatch& batch);
  std::size_t Fill(RecordBatch& batch, std::size_t size, std::size_t data_bytes);
  void EndWithFault();
  void LookForDamage();
  // A whole number of checksum blocks.
  std::size_t range_bytes() const {
    return options_.batch_bytes / BlockChecksum::kBlockBytes * BlockChecksum::kBlockBytes;
  }
  // The most that is held of an unfinished record, or to find the format.
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
  std::uint64_t consumed_before_ = 0;  // bytes of source_ that are in consumed_bytes_
  std::uint64_t records_in_input_ = 0;
  std::uint64_t offset_ = 0;               // where the next batch's data begin
  std::vector<char> tail_;                 // the unfinished record, with which the next batch begins
  std::shared_ptr<const LineFile> lines_;  // null: not read in ranges
  std::uint64_t range_begin_ = 0;          // where the next range begins

  // About the batches that were numbered.
  std::uint32_t numbered_input_ = 0;
  std::uint64_t numbered_in_input_ = 0;
  std::optional<Error> range_error_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_RECORD_READER_H_
