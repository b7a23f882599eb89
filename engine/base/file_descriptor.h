// engine/base/file_descriptor.h: a file descriptor that its owner closes. THREADS: as an int.
#ifndef LEAFSCORE_ENGINE_BASE_FILE_DESCRIPTOR_H_
#define LEAFSCORE_ENGINE_BASE_FILE_DESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace leafscore::internal {

// Owns a file descriptor; -1 means that there is no descriptor.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  ~FileDescriptor() { Close(); }
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.Release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  bool valid() const { return fd_ >= 0; }
  int get() const { return fd_; }
  // Gives up ownership.
  int Release() { return std::exchange(fd_, -1); }
  void Close() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_FILE_DESCRIPTOR_H_
