// engine/io/output_file.h: one output of a run, which appears under its name only when it is complete.
// A regular file is written beside its final place as PATH.partial and renamed by Commit. "-" is standard
// output; it and what already exists and is no regular file (a pipe, /dev/null) are written directly.
// A final name in .gz or .zst compresses. A symbolic link stays: the file it leads to is replaced.
//
// A lock (flock) is held on PATH.partial while it is written, so a second run to the same path fails at
// Open and nothing is mixed; what a killed or interrupted run left there is overwritten. Where the file
// system has no locks, two runs at once to the same path are not told apart.
//
// REQUIRES: SIGPIPE and SIGXFSZ are ignored by the process, so that their causes arrive as errors.
// THREADS: one.
#ifndef LEAFSCORE_ENGINE_IO_OUTPUT_FILE_H_
#define LEAFSCORE_ENGINE_IO_OUTPUT_FILE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/io/codec.h"

namespace leafscore::internal {

class OutputFile {
 public:
  // ERRORS: Error(kOutput) when the path cannot be written or another run is writing it.
  static std::unique_ptr<OutputFile> Open(const std::string& path);

  // Abandons what was not committed or kept.
  ~OutputFile() { Abandon(); }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Appends whole records. The file's bytes do not depend on how the records are spread over calls.
  // ERRORS: Error(kOutput) names the path, the bytes written and the cause; an uncompressed regular file
  //         is cut back to the last whole Write first. Nothing may be written after it.
  void Write(std::string_view whole_records);

  // Completes the file, makes it durable and gives it its final name.
  // ERRORS: Error(kOutput); the final name is then untouched.
  void Commit();

  // Ends an interrupted run: completes what was written as a readable file without renaming it.
  // RETURNS: the name under which it lies.
  // ERRORS:  Error(kOutput).
  std::string KeepPartial();

  // Closes the file and removes it, unless it was written directly. Does nothing after Commit or KeepPartial.
  void Abandon() noexcept;

 private:
  explicit OutputFile(const std::string& path) : path_(path) {}

  void OpenPartial();
  void EncodeStaged(bool last);
  void WriteAll(std::string_view bytes);
  void FinishStream();
  void Close();
  [[noreturn]] void ThrowErrno(const std::string& what, int error) const;

  std::string path_;     // as the user named it
  std::string target_;   // final name, symbolic links resolved; empty when written directly
  std::string partial_;  // empty when written directly
  int fd_ = -1;          // -1: closed
  bool failed_ = false;  // a write failed; the stream cannot be completed
  std::uint64_t written_bytes_ = 0;
  std::unique_ptr<Encoder> encoder_;  // null: not compressed
  std::string staged_;                // records that the encoder has not seen
  std::string encoded_;               // scratch
};

// Checks that writing `output` does not replace one of the run's other files. Names that are empty or "-",
// and outputs that are no regular files, replace none. ERRORS: Error(kUsage).
void CheckReplacesNone(const std::string& output, std::span<const std::string> others);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_OUTPUT_FILE_H_
