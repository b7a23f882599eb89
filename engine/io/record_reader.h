// engine/io/record_reader.h: reads the inputs of a run as batches of whole records, in order.
// It is the serial source of the pipeline: bytes go from the file straight into the batch, and only the
// unfinished record at a batch's end is copied, into the next batch. record_splitter.h says how inputs
// are cut into records. A batch is handed on when it is full, and else when its input has nothing more for
// now and its first bytes were read a tenth of a second ago: the records of a slow pipe are not held back.
// A shard of a run reads its share of the inputs (input_share.h) as if the rest were not there; offsets stay
// those in the whole input.
//
// With ReaderOptions::ranges, plain files of lines are read by many threads (line_file.h): Take only hands
// out ranges, Read fills a batch in any thread, and Number, in the order of the batches, says which records
// they hold. THREADS: one calls Take or Next, one at a time Number; consumed_bytes() may be called from any.
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
#include "leafscore/error.h"

namespace leafscore::internal {

struct ReaderOptions {
  // Bytes read for a batch at most; it grows only until one record is whole, by as many at a time.
  std::size_t batch_bytes = kBatchBytes.default_value;
  // A longer record becomes one that is rejected for `too_long`, without being held.
  std::size_t max_line_bytes = kMaxLineBytes.default_value;
  RejectReason too_long = RejectReason::kLineTooLong;
  std::uint64_t max_ratio = kMaxRatio.default_value;       // of a compressed input
  std::uint64_t max_window_bytes = kMaxZstdWindow;         // of one in zstd
  std::optional<InputFormat> format = InputFormat::kAuto;  // none: lines, whatever they hold
  // Next returns false soon after this becomes true, even while it waits for a pipe.
  const std::atomic<bool>* stop = nullptr;
  unsigned unpack_threads = 1;  // of OpenByteSource
  std::optional<Shard> shard = {};
  bool ranges = false;  // plain files of lines are read in ranges, where batches have room for a block
  // Opens an input; where it is empty, inputs are files (OpenByteSource).
  std::function<std::unique_ptr<ByteSource>(const std::string& input)> open;
};

class RecordReader {
 public:
  // ERRORS: Error(kInput) when an input cannot be opened, Error(kUsage) when one is named twice, by
  //         whatever names, or is no regular file and there is a shard: found here, before anything is read.
  // REQUIRES: options within the limits of engine/base/limits.h.
  RecordReader(std::vector<std::string> inputs, ReaderOptions options);

  // Fills `batch` with the next records, at least one, all of one input; its memory is reused.
  // RETURNS: false when there are no more or the run was stopped.
  // ERRORS:  Error(kInput) when an input breaks, or is no file of records (record_splitter.h); the records
  //          before that have been returned by then, an unfinished last one as kTruncatedInput. It ends the
  //          run: every later call throws it. Of a compressed input that is both, it is that it broke,
  //          wherever that shows: it is read to its end for that.
  // COST:    memory of at most max(batch_bytes, max_line_bytes), for the batch and for the unfinished record.
  bool Next(RecordBatch& batch);

  // Does the same in three steps: takes a batch, or the range that it is to be read from; reads such a batch,
  // as LineFile::Read, after which it may have no records; numbers its records and adds what was read to the
  // checksum.
  // RETURNS: Number: false behind an input that broke: the batch is dropped. Take does not return batches for
  //          ever then, but some more.
  bool Take(RecordBatch& batch);
  static void Read(const LineFile::MayHold& may_hold, RecordBatch& batch);
  bool Number(RecordBatch& batch);

  // Sets ReaderOptions::batch_bytes for the batches that come. THREADS: as Take.
  void set_batch_bytes(std::size_t bytes) { options_.batch_bytes = bytes; }

  // Returns what broke an input that is read in ranges. THREADS: as Number.
  const std::optional<Error>& range_error() const { return range_error_; }

  // Returns whether an input was read to its end, and did not break there. THREADS: as Take; of an input that
  // is read in ranges, LineRange tells.
  bool ended(std::size_t input) const { return input < input_ && (!error_ || input + 1 < input_); }

  // Returns whether Next returned false, or will, as the run was stopped.
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  // Returns the (compressed) bytes read so far, and how many there are, if all inputs are regular files.
  std::uint64_t consumed_bytes() const noexcept { return consumed_bytes_.load(std::memory_order_relaxed); }
  std::optional<std::uint64_t> total_bytes() const noexcept { return total_bytes_; }

  // Returns the decompressed bytes read so far, of all inputs and of one; of one that is no file of records,
  // those up to where that shows. THREADS: as Next.
  std::uint64_t decoded_bytes() const { return std::reduce(decoded_bytes_.begin(), decoded_bytes_.end()); }
  std::uint64_t decoded_bytes(std::size_t input) const { return decoded_bytes_[input]; }

  bool is_shard() const { return options_.shard.has_value(); }

  // Returns the sizes of the inputs as files, all of which are known if total_bytes() is.
  const std::vector<std::uint64_t>& file_bytes() const { return file_bytes_; }

  // Returns where in an input that is a file the bytes that were read begin: 0 but in a shard. THREADS: as
  // Next.
  std::uint64_t first_byte(std::size_t input) const { return first_bytes_[input]; }

  // Returns the checksum of the (compressed) bytes read so far of an input that is a file. THREADS: as Take,
  // or as Number of an input that is read in ranges; likewise decoded_bytes.
  const BlockChecksum& checksum(std::size_t input) const { return checksums_[input]; }

 private:
  void OpenInput();
  void OpenRanges(const std::string& input, const InputShare& share);
  void TakeRange(RecordBatch& batch);
  void ReadBatch(RecordBatch& batch);
  std::size_t Fill(RecordBatch& batch, std::size_t size, std::size_t data_bytes);
  void EndWithFault();
  void LookForDamage();
  // Whole blocks, of which checksums are made.
  std::size_t range_bytes() const {
    return options_.batch_bytes / BlockChecksum::kBlockBytes * BlockChecksum::kBlockBytes;
  }
  // What is held of a record, or of what is looked at to find the format.
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
  std::vector<BlockChecksum> checksums_;  // by input, as are these
  std::vector<std::uint64_t> decoded_bytes_;
  std::vector<std::uint64_t> file_bytes_;
  std::vector<std::uint64_t> first_bytes_;
  std::optional<std::uint64_t> total_bytes_;
  std::atomic<std::uint64_t> consumed_bytes_{0};
  std::uint64_t records_in_run_ = 0;
  std::exception_ptr error_;
  std::unique_ptr<ByteSource> faulty_;  // the rest of an input that is no file of records

  // The current input.
  std::size_t input_ = 0;
  std::unique_ptr<ByteSource> source_;  // null before it is opened
  std::optional<RecordSplitter> splitter_;
  InputState state_ = InputState::kEnded;
  std::uint64_t consumed_before_ = 0;  // of source_, that consumed_bytes_ has
  std::uint64_t records_in_input_ = 0;
  std::uint64_t offset_ = 0;               // of the next batch's data
  std::vector<char> tail_;                 // the unfinished record, with which the next batch begins
  std::shared_ptr<const LineFile> lines_;  // that is read in ranges; null: it is not
  std::uint64_t range_begin_ = 0;          // of the next one

  // Of the batches that were numbered.
  std::uint32_t numbered_input_ = 0;
  std::uint64_t numbered_in_input_ = 0;
  std::optional<Error> range_error_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_RECORD_READER_H_
