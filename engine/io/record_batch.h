// engine/io/record_batch.h: some hundreds of records of one input, as raw bytes and a span for each record.
// `bytes` holds one unbroken stretch of the (decompressed) input between two paddings; record r is
// bytes[records[r].begin, records[r].end), without surrounding white space. The batch owns everything;
// handing it back to RecordReader::Next reuses its memory. THREADS: one writer, then many readers.
#ifndef LEAFSCORE_ENGINE_IO_RECORD_BATCH_H_
#define LEAFSCORE_ENGINE_IO_RECORD_BATCH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/resource_error.h"
#include "leafscore/error.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

struct RecordSpan {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  // If not kNone, the reader rejected the record: as too long (kLineTooLong, kOverMemoryBudget), or as
  // kTruncatedInput, kInvalidRow or kInvalidJson. The span then has only the first bytes of the record, at
  // most kRejectHeadBytes. If a row is invalid, a sentence that says why stands before the span and ends with
  // a NUL (table_source.h).
  RejectReason reject = RejectReason::kNone;
};

inline constexpr std::size_t kRejectHeadBytes = 200;

class LineFile;

// The part of a file of lines in which the records of a batch begin (line_file.h).
struct LineRange {
  std::shared_ptr<const LineFile> file;
  std::uint64_t begin = 0;  // in the file
  std::uint64_t end = 0;
  std::string blocks = {};          // BlockChecksum::AppendBlocks of the bytes that were read
  std::uint64_t bytes = 0;          // number of bytes in `blocks`
  bool has_rest = false;            // the last record is still to be read
  std::optional<Error> error = {};  // why reading failed after the records
};

struct RecordBatch {
  // The position in `bytes` at which the data begin. kTextPadding zeros come before this position, and as
  // many come after data_end.
  static constexpr std::uint32_t kDataBegin = kTextPadding;

  std::vector<char> bytes;
  std::uint32_t data_end = kDataBegin;
  std::vector<RecordSpan> records;
  bool lines = true;  // line breaks separate the records, and no record contains one

  std::uint32_t input = 0;                  // index into the run's inputs
  std::uint64_t first_record_in_input = 1;  // number of records[0], counted from 1
  std::uint64_t first_record_in_run = 1;    // the same, counted over all inputs
  std::uint64_t data_offset = 0;            // offset of bytes[kDataBegin] in the decompressed input

  std::optional<LineRange> range = {};  // not set if the input is read from beginning to end

  std::string_view Text(const RecordSpan& record) const {
    return {bytes.data() + record.begin, record.end - record.begin};
  }

  // Returns the offset of the record's first byte in the decompressed input.
  std::uint64_t OffsetOf(const RecordSpan& record) const { return data_offset + (record.begin - kDataBegin); }
};

// Makes room for a window of `size` bytes and the padding after it. A window that grows step by step is
// rarely copied. It never gets room for more than `most` bytes, because records may be large.
inline void ReserveWindow(std::vector<char>& bytes, std::size_t size, std::size_t most) {
  size += kTextPadding;
  if (bytes.size() >= size) return;
  AllocateFor(size, "the records of a batch", [&] {
    if (bytes.capacity() < size) {
      bytes.reserve(std::max(size, std::min(2 * bytes.capacity(), most + kTextPadding)));
    }
    bytes.resize(size);
  });
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_RECORD_BATCH_H_
