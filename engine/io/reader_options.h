// engine/io/reader_options.h: how a RecordReader reads the inputs of a run. Plain data; whoever sets `stop`
// or the functions keeps alive what they refer to.
#ifndef LEAFSCORE_ENGINE_IO_READER_OPTIONS_H_
#define LEAFSCORE_ENGINE_IO_READER_OPTIONS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/limits.h"
#include "engine/io/byte_source.h"
#include "engine/io/table_source.h"
#include "leafscore/files.h"
#include "leafscore/outcome.h"

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

  // Returns whether the run was stopped.
  bool stopped() const { return stop != nullptr && stop->load(); }
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_READER_OPTIONS_H_
