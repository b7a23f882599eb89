// engine/io/atomic_file.h: a file that is written beside its final place and appears there only when it is
// complete. Until then it has a partial name, and the final name keeps its old file. The partial file is
// removed with its owner unless it was renamed or kept. THREADS: one at a time.
//
// Names. The partial file of PATH is PATH.partial or, if that name is taken, PATH.partial-2, PATH.partial-3
// and so on. It is always a new file (O_EXCL): a file that already has one of these names, from a killed run
// or from the user, is never written to or followed. So a run finds the files that earlier runs left of PATH:
// it counts up from PATH.partial to the first free name, or past a few free names when it removes abandoned
// files.
//
// Marks. Until it is written to, the file holds a mark: a line which says that nothing was written yet, and
// which contains the file's inode number. A file that still holds its mark and is not locked belongs to a run
// that ended before it wrote anything; the next run removes it. Any other file stays, as its owner is
// unknown.
//
// Two runs at once. Each run locks its partial file (flock, until the file is closed). Then it looks at all
// partial files of the path, and gives up if another run holds a lock on one of them. The run that locks
// later sees the lock of the other run, whichever file is older. If two runs begin at the same moment, both
// may give up. A lock is not seen if the file cannot be opened, or if its file system has no locks; then the
// run that ends last gets the final name.
//
// In a folder of our own (the constructor with `folder`), names begin with a dot. The files are not locked,
// because the owner of the folder locks the folder.
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
  // Makes the partial file of a path, with this mode minus the umask.
  // ERRORS: Error(kOutput), also if another run is writing the file; messages call the file `shown`.
  AtomicFile(const std::string& path, const std::string& shown, mode_t mode);

  // Opens the partial file that an earlier run kept, to continue it; `number` is its partial_number.
  // ERRORS: as above; also if the file is not a regular file of this user alone.
  AtomicFile(const std::string& path, const std::string& shown, ExistingPartial existing);

  // Makes .NAME.partial in a folder. REQUIRES: `folder` stays open. ERRORS: Error(kOutput).
  AtomicFile(int folder, const std::string& name, const std::string& shown);

  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  int fd() const { return made_.file.get(); }  // write to it only after Begin

  // Removes the mark. REQUIRES: nothing was written. RETURNS: false, with errno set, if this fails.
  bool Begin();

  const std::string& partial_name() const { return made_.name; }
  int partial_number() const { return made_.number; }

  // Returns the partial names that are taken and have lower numbers than this file's name.
  std::vector<std::string> leftovers() const;

  // Renames the file to its final name, replacing any file there, and keeps it open. RETURNS: false, with
  // errno set, if this fails (ESTALE: the partial name now belongs to another file).
  bool Rename();

  // Makes the new name durable, on file systems that can sync folders.
  void SyncFolder() const;

  // Lets the file stay under its partial name when its owner ends.
  void Keep() { has_partial_name_ = false; }

  // Takes back Keep: the file is removed with its owner after all.
  void Discard() { has_partial_name_ = true; }

 private:
  AtomicFile(int folder, std::string partial, std::string name, const std::string& shown, mode_t mode,
             const std::function<bool(int fd)>& prepare);

  void CheckNoOtherRun(const std::string& shown) const;
  bool AnotherRunIsWriting() const;

  int folder_;           // the folder to which the names are relative
  std::string partial_;  // the first of the numbered names
  std::string name_;
  NewFile made_;
  bool has_partial_name_ = true;  // not yet renamed or kept
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_ATOMIC_FILE_H_
