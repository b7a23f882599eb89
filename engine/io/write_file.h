// engine/io/write_file.h: writing to file descriptors. THREADS: as the descriptors.
#ifndef LEAFSCORE_ENGINE_IO_WRITE_FILE_H_
#define LEAFSCORE_ENGINE_IO_WRITE_FILE_H_

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/base/file_descriptor.h"

namespace leafscore::internal {

// Makes a new file in a folder, for reading and writing; what lies there is removed first.
// RETURNS: none (not valid) with errno set when it cannot be made.
FileDescriptor MakeNewFile(int folder, const std::string& name, mode_t mode);

// Writes all bytes, and waits where a pipe is full. RETURNS: how many were written; fewer than all, with
// errno set, when an error came.
std::size_t WriteAll(int fd, std::string_view bytes);

// Makes durable what was written, where it can be: pipes and devices cannot. RETURNS: false with errno set.
bool SyncFile(int fd);

// Throws Error(kOutput): `what`, and what the system says about `error`.
[[noreturn]] void ThrowOutputError(const std::string& what, int error);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_WRITE_FILE_H_
