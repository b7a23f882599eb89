// engine/io/line_file.h: a plain file of lines, or a part of one, of which threads read ranges side by side.
//
// A line is of the range in which it begins. Who reads a range looks at the byte before it to see whether a
// line begins there, and reads on behind it to the end of its last line. The checksum of the file is made of
// its blocks (BlockChecksum), which lie in the ranges. What the records are is what RecordSplitter says of
// the same bytes in one piece. As a line may be read with the range before it and its checksum with its own,
// a file that changes meanwhile is an error. THREADS: any number may read.
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
    std::uint64_t begin = 0;  // of the bytes that are read
    std::uint64_t end = 0;
    std::uint64_t first_line = 0;  // where the first line begins: nothing but white space comes before
  };

  // How a line is taken.
  struct Lines {
    std::size_t max_bytes;  // a longer one is rejected for `too_long`, without being held
    RejectReason too_long;
  };

  // Asks whether a batch may hold so many bytes more than its range has.
  using MayHold = std::function<bool(std::size_t bytes)>;

  // ERRORS: Error(kInput).
  LineFile(const std::string& path, const Part& part, const Lines& lines);

  const Part& part() const { return part_; }

  // Reads the records of batch.range, which may be none. Where the last one may not be held, it is empty and
  // range.has_rest; where reading breaks, what came before is read and range.error tells why.
  // REQUIRES: the first range holds the begin of the first line.
  void Read(const MayHold& may_hold, RecordBatch& batch) const;

  // RETURNS: an error where the file was written to since it was opened.
  std::optional<Error> Change() const;

  // Reads the last record of a batch with a rest.
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
