// engine/io/write_file.h: writing to file descriptors. THREADS: as the descriptors.
#ifndef LEAFSCORE_ENGINE_IO_WRITE_FILE_H_
#define LEAFSCORE_ENGINE_IO_WRITE_FILE_H_

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/file_descriptor.h"

namespace leafscore::internal {

// Of files with one name: more are a mess that should be seen.
inline constexpr int kMaxFileNumber = 1000;

// Returns the name itself for 1, and NAME-2, NAME-3 and so on for higher numbers.
std::string NumberedName(const std::string& name, int number);

// A file that was not there before.
struct NewFile {
  FileDescriptor file;    // for reading and writing; none (not valid) with errno set when it cannot be made
  int number = 1;         // in its name; under the names before it lie other files
  std::string name = {};  // NumberedName of that
};

// Makes a new file in a folder, under the first numbered name that is free: what lies under the others is
// neither opened nor followed nor removed. prepare(fd), if given, is called before the file has a name, so
// that it is never seen without what that does; where the file system has no files without a name, or it
// returns false, it is called right after.
NewFile MakeNewFile(int folder, const std::string& name, mode_t mode,
                    const std::function<bool(int fd)>& prepare = {});

// Returns the numbered names of a file under which something lies, by number. COST: a look at each name in
// its folder. ERRORS: Error(kInput) when the folder is there and cannot be listed.
std::vector<std::string> NumberedNamesThere(const std::string& name);

// Returns whether a name, in a folder, means the file that is open: what came to lie there since is somebody
// else's. RETURNS: false with errno set, ESTALE where another file lies there.
bool IsNamed(int fd, int folder, const std::string& name);

// Writes all bytes, and waits where a pipe is full.
//
// With `stop`, a pipe, a terminal and whatever else is no regular file gets whole lines in pieces that it
// takes at once, and a wait looks at *stop ten times a second. Once that is true there is no wait after a
// whole line, and a line that is too long for one piece has half a second to get away. RETURNS: how many were
// written; fewer than all, with errno set, when an error came: ECANCELED is a stop.
std::size_t WriteAll(int fd, std::string_view bytes, const std::atomic<bool>* stop = nullptr);

// Makes durable what was written, where it can be: pipes and devices cannot. RETURNS: false with errno set.
bool SyncFile(int fd);

// Throws Error(kOutput): `what`, and what the system says about `error`.
[[noreturn]] void ThrowOutputError(const std::string& what, int error);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_WRITE_FILE_H_
