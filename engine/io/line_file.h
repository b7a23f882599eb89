// engine/io/line_file.h: a plain file of lines, or a part of one, whose ranges several threads read at once.
//
// A line belongs to the range in which it begins. The thread that reads a range looks at the byte before the
// range, to see whether a line begins with the range. It reads past the end of the range, to the end of the
// last line. The checksum of the file is built from its blocks (BlockChecksum), which lie within ranges. The
// records are the same as RecordSplitter finds in the whole text. Bytes may be read twice: once for the
// checksum of their own range, and once to complete the last line of the range before. So it is an error if
// the file changes in between. THREADS: any number may read.
#ifndef LEAFSCORE_ENGINE_IO_LINE_FILE_H_
#define LEAFSCORE_ENGINE_IO_LINE_FILE_H_

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "engine/base/file_descriptor.h"
#include "engine/io/record_batch.h"
#include "leafscore/error.h"

namespace leafscore::internal {

class LineFile {
 public:
  struct Part {
    std::uint64_t begin = 0;  // the bytes to read
    std::uint64_t end = 0;
    std::uint64_t first_line = 0;  // where the first line begins; only white space comes before it
  };

  // How to read a line.
  struct Lines {
    std::size_t max_bytes;  // a longer line is rejected for `too_long`, without being kept in memory
    RejectReason too_long;
  };

  // Asked when a batch needs more than twice the memory of its range: returns whether it may use `bytes` more
  // bytes.
  using MayHold = std::function<bool(std::size_t bytes)>;

  // ERRORS: Error(kInput).
  LineFile(const std::string& path, const Part& part, const Lines& lines);

  const Part& part() const { return part_; }

  // Reads the records of batch.range, if it has any. If `may_hold` refuses memory for the last record, this
  // record is left empty and range.has_rest is set. If reading fails, the records before the failure are
  // read, and range.error says why. REQUIRES: the first range contains the start of the first line.
  void Read(const MayHold& may_hold, RecordBatch& batch) const;

  // RETURNS: an error if the file was written to after it was opened.
  std::optional<Error> Change() const;

  // Reads the last record of a batch whose range.has_rest is set.
  void ReadRest(RecordBatch& batch) const;

 private:
  struct Window;
  void ReadTo(std::size_t end, Window& window) const;
  void ReadLines(std::size_t begin, std::size_t size, const MayHold& may_hold, Window& window) const;
  bool HasText(const Window& window, std::size_t line) const;

  std::string name_;
  FileDescriptor file_;
  struct stat opened_ {};
  Part part_;
  Lines lines_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_LINE_FILE_H_
