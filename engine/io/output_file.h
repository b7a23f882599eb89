// engine/io/output_file.h: one output of a run, which appears under its name only when it is complete.
// A regular file is written beside its final place and renamed by Commit (engine/io/atomic_file.h). "-" is
// standard output; it and what already exists and is no regular file (a pipe, /dev/null) are written
// directly. A final name in .gz or .zst compresses. A symbolic link stays: the file it leads to is replaced.
//
// With a stop flag, what is written directly waits for nobody once it is true: not for the reader of a named
// pipe that was never opened, nor for one that does not read (WriteAll says how lines end then).
//
// REQUIRES: SIGPIPE and SIGXFSZ are ignored by the process, so that their causes arrive as errors.
// THREADS: one.
#ifndef LEAFSCORE_ENGINE_IO_OUTPUT_FILE_H_
#define LEAFSCORE_ENGINE_IO_OUTPUT_FILE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/file_descriptor.h"
#include "engine/io/atomic_file.h"
#include "engine/io/codec.h"

namespace leafscore::internal {

class OutputFile {
 public:
  // ERRORS: Error(kOutput) when the path cannot be written or another run is writing it; Error(kUsage) from
  //         CheckPath; Error(kInterrupted) when *stop, which may be null, becomes true here or in a write.
  static std::unique_ptr<OutputFile> Open(const std::string& path, const std::atomic<bool>* stop = nullptr);

  // Opens what an earlier run kept of an output under the partial name with this number (partial_number), and
  // goes on behind its first bytes, of which CutTo says how many stay. A compressed output begins anew.
  // ERRORS: as above; Error(kOutput) when it is not there, or no regular file of this user.
  static std::unique_ptr<OutputFile> Reopen(const std::string& path, int partial_number,
                                            const std::atomic<bool>* stop = nullptr);

  // Cuts an output that was reopened, and is to be written next. ERRORS: Error(kOutput).
  void CutTo(std::uint64_t bytes);

  // Closes the file; what was neither committed nor kept is removed, unless it was written directly.
  ~OutputFile() = default;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Appends whole records. The file's bytes do not depend on how the records are spread over calls.
  // ERRORS: Error(kOutput) names the path, the bytes written and the cause; an uncompressed regular file
  //         is cut back first: to the last of the `ends` in these records up to which all was written, or
  //         else to where they begin. Nothing may be written after it.
  void Write(std::string_view whole_records, std::span<const std::size_t> ends = {});

  // Returns how many bytes were written, compressed ones where it is.
  std::uint64_t written_bytes() const { return written_bytes_; }

  // Returns whether it appears under its name only when it is committed, as regular files do.
  bool beside() const { return beside_.has_value(); }
  // The number in its partial name. REQUIRES: beside().
  int partial_number() const { return beside_->partial_number(); }

  bool compressed() const { return encoder_ != nullptr; }
  int fd() const { return fd_; }  // to read, or to make durable, what was written

  // Returns what lies beside it under its partial names, of runs that did not end: it was not touched.
  std::vector<std::string> leftovers() const {
    return beside_ ? beside_->leftovers() : std::vector<std::string>();
  }

  // Writes what is still to write and makes it durable, so that Commit has little left that can fail.
  // ERRORS: Error(kOutput). Nothing may be written after it.
  void Complete();

  // Completes the file, unless that is done, and gives it its final name.
  // ERRORS: Error(kOutput); the final name is then untouched.
  void Commit();

  // Ends an interrupted run: completes what was written as a readable file, where that can be, without
  // renaming it. One of which nothing could be written is removed, unless `keeps_empty`. RETURNS: the name
  // under which it lies; empty when it was removed, or was written directly, and that failed.
  std::string KeepPartial(bool keeps_empty = false);

 private:
  OutputFile(const std::string& path, const std::atomic<bool>* stop) : path_(path), stop_(stop) {}

  void OpenDirect(bool is_pipe);
  void Begin();

  void EncodeStaged(bool last);
  void WriteBytes(std::string_view bytes, std::span<const std::size_t> ends = {});
  void FinishStream();
  void Close();
  [[noreturn]] void Throw(const std::string& what, int error) const;

  std::string path_;  // as the user named it
  const std::atomic<bool>* stop_;
  std::optional<AtomicFile> beside_;  // of a regular file
  FileDescriptor direct_;             // of a pipe or device
  int fd_ = -1;                       // that of either, or standard output; -1: closed
  bool failed_ = false;               // a write failed; the stream cannot be completed
  bool begun_ = false;                // no mark of the partial file is left
  bool complete_ = false;
  std::uint64_t written_bytes_ = 0;
  std::unique_ptr<Encoder> encoder_;  // null: not compressed
  std::string staged_;                // records that the encoder has not seen
  std::string encoded_;               // scratch
};

// Returns the path of the file that an output replaces: where a symbolic link leads. ERRORS: Error(kOutput).
std::string WithoutLinks(const std::string& path);

// Checks that an output's name, less .gz or .zst, has no suffix or one of these. Names such as "-", and of
// what is no regular file, are not looked at. RETURNS: the suffix, or "". ERRORS: Error(kUsage) that lists
// the known ones.
std::string CheckOutputSuffix(std::string_view path, std::span<const std::string_view> known);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_OUTPUT_FILE_H_
