// engine/io/atomic_file.h: a file that is written beside its place and appears there only when it is
// complete. Until then it has a partial name, and under the final name lies what lay there before. It is
// removed with its owner unless it was renamed or kept. THREADS: one at a time.
//
// Names. The file of PATH is made as PATH.partial or, where a file of that name lies, as PATH.partial-2,
// PATH.partial-3 and so on. It is always a new file (O_EXCL): what lies under one of these names, be it what
// a killed run left or a file of the user's, is never written to or followed. So all that earlier runs left
// of PATH is found by counting up from PATH.partial to the first name that is free.
//
// Until it is written to, the file holds a mark: a line that says so and names the file by its number in the
// file system. A file that holds its mark and is locked by nobody is of a run that ended before it wrote
// anything; the next one removes it. No other file is removed, as nothing tells whose it is.
//
// Two runs at once. Each locks its partial file (flock, until it is closed), and then looks at all the names
// that are counted up: whoever finds one locked by another gives up. The later of two to lock sees the lock
// of the other, whoever made its file first; of two that begin in one moment both may give up. A file that
// cannot be opened, or lies where the file system has no locks, does not tell that it is being written; then
// the run that ends last has the final name.
//
// In a folder of our own (the other constructor) the names begin with a dot, and there is no lock: the owner
// of the folder locks that.
#ifndef LEAFSCORE_ENGINE_IO_ATOMIC_FILE_H_
#define LEAFSCORE_ENGINE_IO_ATOMIC_FILE_H_

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "engine/base/file_descriptor.h"
#include "engine/io/write_file.h"

namespace leafscore::internal {

struct ExistingPartial {
  int number;
};

class AtomicFile {
 public:
  // Makes the partial file of a path, with this mode less the caller's umask.
  // ERRORS: Error(kOutput), also when another run is writing it; messages call it `shown`.
  AtomicFile(const std::string& path, const std::string& shown, mode_t mode);

  // Opens the partial file that an earlier run kept of a path, to go on with it; `number` is its
  // partial_number. ERRORS: as above, and when it is no regular file of this user.
  AtomicFile(const std::string& path, const std::string& shown, ExistingPartial existing);

  // Makes .NAME.partial in a folder. REQUIRES: `folder` stays open. ERRORS: as above.
  AtomicFile(int folder, const std::string& name, const std::string& shown);

  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  int fd() const { return made_.file.get(); }  // to write to, after Begin

  // Removes the mark. RETURNS: false with errno set. REQUIRES: nothing was written.
  bool Begin();

  const std::string& partial_name() const { return made_.name; }
  int partial_number() const { return made_.number; }

  // Returns the partial names before this file's own that are taken.
  std::vector<std::string> leftovers() const;

  // Gives the file its name, in place of what lies there, and keeps it open. RETURNS: false with errno set,
  // ESTALE when another file lies under the partial name by now.
  bool Rename();

  // Makes the new name durable, where folders can be.
  void SyncFolder() const;

  // Leaves the file under its partial name.
  void Keep() { has_partial_name_ = false; }

  // Removes it with its owner all the same. REQUIRES: it was kept.
  void Discard() { has_partial_name_ = true; }

 private:
  AtomicFile(int folder, std::string partial, std::string name, const std::string& shown, mode_t mode,
             const std::function<bool(int fd)>& prepare);

  void CheckNoOtherRun(const std::string& shown) const;
  bool AnotherRunIsWriting() const;

  int folder_;           // what the names are relative to
  std::string partial_;  // the first of the numbered names
  std::string name_;
  NewFile made_;
  bool has_partial_name_ = true;  // not renamed or kept yet
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_ATOMIC_FILE_H_
