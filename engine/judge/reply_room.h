// engine/judge/reply_room.h: room on the disk of a file, held back for replies that are being paid for. It is
// a file without a name, so that nothing is left of it, and nobody finds it, however the process ends. Given
// back, it is room for what has to be written although the disk is full.
//
// Where a file system knows no such files, nothing is held back, and nothing fails. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_JUDGE_REPLY_ROOM_H_
#define LEAFSCORE_ENGINE_JUDGE_REPLY_ROOM_H_

#include <cstdint>
#include <string>
#include <utility>

#include "engine/base/file_descriptor.h"

namespace leafscore::internal {

class ReplyRoom {
 public:
  // Holds room in the folder of a file.
  explicit ReplyRoom(std::string path) : path_(std::move(path)) {}

  // Holds so many bytes, or more. RETURNS: false when the disk has not as many.
  bool Hold(std::uint64_t bytes);

  void GiveBack();

 private:
  std::string path_;
  FileDescriptor file_;
  std::uint64_t held_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_REPLY_ROOM_H_
