// engine/io/write_file.h: writes to file descriptors. THREADS: as the descriptors.
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

// The highest number in a file's name. More files with one name would be a mess that the user should see.
inline constexpr int kMaxFileNumber = 1000;

// Returns the name itself for 1, and NAME-2, NAME-3 and so on for higher numbers.
std::string NumberedName(const std::string& name, int number);

// A newly made file.
struct NewFile {
  FileDescriptor file;    // for reading and writing; not valid, with errno set, if it cannot be made
  int number = 1;         // the number in its name; other files have the lower numbers
  std::string name = {};  // NumberedName of `number`
};

// Makes a new file in a folder, under the first free numbered name. Files that already have such a name are
// not opened, followed or removed. prepare(fd), if given, is called before the file has a name, so that
// nobody sees the file unprepared. If the file system has no unnamed files, or if prepare returns false, a
// file is made under a name, and prepare is called right after that.
NewFile MakeNewFile(int folder, const std::string& name, mode_t mode,
                    const std::function<bool(int fd)>& prepare = {});

// Returns the numbered names of a file that are taken, in the order of the numbers. COST: a look at each name
// in its folder.
// ERRORS: Error(kInput) if the folder exists and cannot be listed.
std::vector<std::string> NumberedNamesThere(const std::string& name);

// Returns whether a name in a folder still means the open file, and not a file that replaced it. RETURNS: if
// false, errno is set (ESTALE: the name belongs to another file).
bool IsNamed(int fd, int folder, const std::string& name);

// Writes all bytes, waiting while a pipe is full.
//
// If `stop` is not null, a pipe, a terminal or anything else that is not a regular file gets whole lines, in
// pieces that it accepts at once. While it accepts nothing, *stop is checked ten times a second. Once *stop
// is true, there is no wait after a whole line. Within a line that is too long for one piece, the wait for
// each further piece is at most half a second.
// RETURNS: the number of bytes written; if fewer than all, errno is set (ECANCELED: stopped).
std::size_t WriteAll(int fd, std::string_view bytes, const std::atomic<bool>* stop = nullptr);

// Makes the written bytes durable. Skips pipes and devices. RETURNS: false, with errno set, if this fails.
bool SyncFile(int fd);

// Throws Error(kOutput) with `what` and the system's message for `error`.
[[noreturn]] void ThrowOutputError(const std::string& what, int error);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_WRITE_FILE_H_
