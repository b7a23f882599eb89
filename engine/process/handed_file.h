// engine/process/handed_file.h: a file in the folder for temporary files that is made for a program to read.
//
// It goes when its object does. A run that is killed leaves its files: as each is locked while its run lives,
// a later run of the same user knows them, and removes them.
// THREADS: one at a time for each object; any number of objects at once.
#ifndef LEAFSCORE_ENGINE_PROCESS_HANDED_FILE_H_
#define LEAFSCORE_ENGINE_PROCESS_HANDED_FILE_H_

#include <string>
#include <string_view>

#include "engine/base/file_descriptor.h"

namespace leafscore::internal {

class HandedFile {
 public:
  // Makes the file; the first of a process removes what killed runs have left.
  // ERRORS: std::system_error when it cannot be made or written.
  explicit HandedFile(std::string_view bytes);
  ~HandedFile();
  HandedFile(const HandedFile&) = delete;
  HandedFile& operator=(const HandedFile&) = delete;

  const std::string& path() const { return path_; }

  // Removes the files that killed runs of this user have left. COST: a look at each name in the folder.
  static void RemoveLeft();

 private:
  std::string path_;
  FileDescriptor file_;  // holds the lock
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_PROCESS_HANDED_FILE_H_
