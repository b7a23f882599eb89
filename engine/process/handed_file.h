// engine/process/handed_file.h: a text in memory that programs read as a file.
//
// The file is in no folder, so it cannot be left behind, however the run ends, or clash with a file of the
// user's. Its path leads through /proc to the descriptor of this process, so it works in a program and in the
// programs that it starts, whichever descriptors they inherit. Each opening reads it from its start. The path
// is valid as long as the object lives. THREADS: one at a time for each object; any number of objects at
// once.
#ifndef LEAFSCORE_ENGINE_PROCESS_HANDED_FILE_H_
#define LEAFSCORE_ENGINE_PROCESS_HANDED_FILE_H_

#include <string>
#include <string_view>

#include "engine/base/file_descriptor.h"

namespace leafscore::internal {

class HandedFile {
 public:
  // ERRORS: std::system_error if it cannot be made or written, or if there is no /proc.
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
