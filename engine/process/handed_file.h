// engine/process/handed_file.h: a text in memory that programs read like a file.
//
// The file has no name in any folder, so nothing is left of it, however the run ends, and nothing of the
// user's can lie in its place. Its path leads through /proc to the descriptor of this process, so it is the
// same for a program, for those that it starts, and whichever descriptors these inherit. Each time it is
// opened, it is read from its start. The path holds as long as the object. THREADS: one at a time for each
// object; any number of objects at once.
#ifndef LEAFSCORE_ENGINE_PROCESS_HANDED_FILE_H_
#define LEAFSCORE_ENGINE_PROCESS_HANDED_FILE_H_

#include <string>
#include <string_view>

#include "engine/base/file_descriptor.h"

namespace leafscore::internal {

class HandedFile {
 public:
  // ERRORS: std::system_error when it cannot be made or written, and where there is no /proc.
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
