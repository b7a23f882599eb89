#include "engine/process/handed_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "engine/io/write_file.h"

namespace leafscore::internal {
namespace {

// Returns whether a path leads to the open file. In a container, /proc may show other processes.
bool LeadsTo(const std::string& path, int fd) {
  struct stat named {};
  struct stat opened {};
  return stat(path.c_str(), &named) == 0 && fstat(fd, &opened) == 0 && named.st_dev == opened.st_dev &&
         named.st_ino == opened.st_ino;
}

}  // namespace

HandedFile::HandedFile(std::string_view bytes) : file_(memfd_create("leafscore-output", MFD_CLOEXEC)) {
  if (!file_.valid()) throw std::system_error(errno, std::generic_category(), "no file for a long answer");
  if (WriteAll(file_.get(), bytes) != bytes.size()) {
    throw std::system_error(errno, std::generic_category(), "no room for the file of a long answer");
  }
  path_ = fmt::format("/proc/{}/fd/{}", getpid(), file_.get());
  if (!LeadsTo(path_, file_.get())) {
    throw std::system_error(ENOENT, std::generic_category(),
                            "long answers are passed through /proc, which is not the /proc of this process");
  }
}

}  // namespace leafscore::internal
