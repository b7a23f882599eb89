// engine/io/atomic_file.h: a file that is written beside its place and appears there only when it is
// complete. Until then it has a partial name, and under the final name lies what lay there before. It is
// removed with its owner unless it was renamed or kept. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_IO_ATOMIC_FILE_H_
#define LEAFSCORE_ENGINE_IO_ATOMIC_FILE_H_

#include <string>

#include "engine/base/file_descriptor.h"

namespace leafscore::internal {

class AtomicFile {
 public:
  // Opens PATH.partial and empties it. A lock (flock) is held on it until this is closed, so that a second
  // run to the same path fails and nothing is mixed; what a killed or interrupted run left there is
  // overwritten. Where the file system has no locks, two runs at once to the same path are not told apart.
  // ERRORS: Error(kOutput), also when another run is writing it; messages call it `shown`.
  AtomicFile(const std::string& path, const std::string& shown);

  // Makes .NAME.partial in a folder; what lies there, left by a killed run or a link, is removed first.
  // REQUIRES: `folder` stays open, and nobody else writes this name in it.
  // ERRORS:   as above.
  AtomicFile(int folder, const std::string& name, const std::string& shown);

  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  int fd() const { return file_.get(); }  // to write to
  const std::string& partial_name() const { return partial_; }

  // Gives the file its name, in place of what lies there, and keeps it open. RETURNS: false with errno set.
  bool Rename();

  // Makes the new name durable, where folders can be.
  void SyncFolder() const;

  // Leaves the file under its partial name.
  void Keep() { partial_.clear(); }

 private:
  FileDescriptor file_;
  int folder_;           // what the names are relative to
  std::string partial_;  // empty once the file is renamed or kept
  std::string name_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_ATOMIC_FILE_H_
