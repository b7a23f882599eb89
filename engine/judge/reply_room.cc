#include "engine/judge/reply_room.h"

#include <fcntl.h>

#include <cerrno>
#include <filesystem>

namespace leafscore::internal {
namespace {

bool SaysFull(int error) { return error == ENOSPC || error == EDQUOT; }

}  // namespace

bool ReplyRoom::Hold(std::uint64_t bytes) {
  if (bytes <= held_) return true;
  if (!file_.valid()) {
    const std::string folder = std::filesystem::path(path_).parent_path().string();
    file_ = FileDescriptor(
        open(folder.empty() ? "." : folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file_.valid()) return !SaysFull(errno);
  }
  int failed = 0;
  do {
    failed = fallocate(file_.get(), 0, 0, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  } while (failed == EINTR);
  if (failed == 0) held_ = bytes;
  return !SaysFull(failed);
}

void ReplyRoom::GiveBack() {
  file_.Close();
  held_ = 0;
}

}  // namespace leafscore::internal
