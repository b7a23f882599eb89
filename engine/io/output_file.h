// engine/io/output_file.h: one output of a run, which appears under its name only when it is complete. A
// regular file is written beside its final place and renamed by Commit (engine/io/atomic_file.h). Standard
// output ("-"), and an existing path that is not a regular file (a pipe, /dev/null), are written directly. A
// name that ends in .gz or .zst compresses. A symbolic link stays: the file to which it leads is replaced.
//
// Once the stop flag is true, direct writing no longer waits until the reader of a named pipe opens the pipe
// or reads. WriteAll (write_file.h) says where the output then ends.
//
// REQUIRES: the process ignores SIGPIPE and SIGXFSZ, so that their causes arrive as errors.
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
  // ERRORS: Error(kOutput) if the path cannot be written or another run is writing it; Error(kUsage) from
  // CheckPath; Error(kInterrupted) if *stop, which may be null, becomes true here or in a write.
  static std::unique_ptr<OutputFile> Open(const std::string& path, const std::atomic<bool>* stop = nullptr);

  // Opens the partial output that an earlier run kept under this partial_number, to continue it. CutTo sets
  // how many of its bytes stay. A compressed output begins anew.
  // ERRORS: as above; Error(kOutput) if it is missing, or not a regular file of this user.
  static std::unique_ptr<OutputFile> Reopen(const std::string& path, int partial_number,
                                            const std::atomic<bool>* stop = nullptr);

  // Cuts a reopened output; call it before the first Write. ERRORS: Error(kOutput).
  void CutTo(std::uint64_t bytes);

  // Closes the file. If it was neither committed nor kept, it is removed, unless it was written directly.
  ~OutputFile() = default;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Appends whole records. The bytes of the file do not depend on how the records are spread over calls.
  // ERRORS: Error(kOutput), which names the path, the bytes written and the cause. Before that, an
  // uncompressed regular file is cut back to the last position in `ends` that the written bytes reached or,
  // if they reached no such position, to the start of these records. Nothing may be written after an error.
  void Write(std::string_view whole_records, std::span<const std::size_t> ends = {});

  // Returns the number of bytes written, after compression.
  std::uint64_t written_bytes() const { return written_bytes_; }

  // Returns whether the output appears under its name only when it is committed, as a regular file does.
  bool beside() const { return beside_.has_value(); }
  // Returns the number in its partial name. REQUIRES: beside().
  int partial_number() const { return beside_->partial_number(); }

  bool compressed() const { return encoder_ != nullptr; }
  int fd() const { return fd_; }  // for reading the output or making it durable

  // Returns the partial outputs that unfinished runs left beside this one. They were not touched.
  std::vector<std::string> leftovers() const {
    return beside_ ? beside_->leftovers() : std::vector<std::string>();
  }

  // Writes everything still pending and makes it durable, so that little can fail in Commit. Nothing may be
  // written after this call.
  // ERRORS: Error(kOutput).
  void Complete();

  // Completes the file, if this has not been done, and gives it its final name.
  // ERRORS: Error(kOutput); the final name is then untouched.
  void Commit();

  // Whether KeepPartial keeps an output to which nothing could be written. A journal may say how to continue
  // it.
  enum class IfEmpty : std::uint8_t { kRemove, kKeep };

  // Ends an interrupted run: completes the output as a readable file, if possible, without renaming it.
  // RETURNS: the name of the file; empty if the file was removed, or if it was written directly and a write
  // failed.
  std::string KeepPartial(IfEmpty if_empty = IfEmpty::kRemove);

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
  std::optional<AtomicFile> beside_;  // for a regular file
  FileDescriptor direct_;             // for a pipe or device
  int fd_ = -1;                       // file, pipe, device or standard output; -1: closed
  bool failed_ = false;               // a write failed; the stream cannot be completed
  bool begun_ = false;                // the partial file no longer has its mark
  bool complete_ = false;
  std::uint64_t written_bytes_ = 0;
  std::unique_ptr<Encoder> encoder_;  // null: not compressed
  std::string staged_;                // records that were not yet encoded
  std::string encoded_;               // scratch
};

// Returns the path of the file that an output replaces, with symbolic links followed. ERRORS: Error(kOutput).
std::string WithoutLinks(const std::string& path);

// Checks that the name of an output, without .gz or .zst, has a known suffix or no suffix. "-", and paths
// that are not regular files, are not checked. RETURNS: the suffix, or "". ERRORS: Error(kUsage), which lists
// the known suffixes.
std::string CheckOutputSuffix(std::string_view path, std::span<const std::string_view> known);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_OUTPUT_FILE_H_
