// engine/process/handed_file.h: a text in memory that programs read as a file.
//
// The file is in no folder, so it does not remain after the run, however the run ends, and it cannot clash
// with a user's file. Its path leads through /proc to a descriptor of this process. The path therefore works
// in a program and in the programs that this one starts, whichever descriptors they inherit. Each time the
// file is opened, it is read from its start. The path is valid as long as the object lives. THREADS: one at a
// time for each object; any number of objects at once.
#ifndef LEAFSCORE_ENGINE_PROCESS_HANDED_FILE_H_
#define LEAFSCORE_ENGINE_PROCESS_HANDED_FILE_H_

#include <string>
#include <string_view>

#include "engine/base/file_descriptor.h"

namespace leafscore::internal {

class HandedFile {
 public:
  // ERRORS: std::system_error if the file cannot be made or written, or if /proc is missing or not for this
  // process.
  explicit HandedFile(std::string_view bytes);
  HandedFile(const HandedFile&) = delete;
  HandedFile& operator=(const HandedFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  FileDescriptor file_;
  std::string path_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_PROCESS_HANDED_FILE_H_
