// engine/judge/reply_keeper.h: stores replies in a cache on a thread of its own. Replies that arrive while it
// writes are written together, so the disk bounds the time for a reply, but not the number of replies.
//
// Replies are paid for, so no reply is given up. Disk space for coming replies is reserved beside the cache.
// If the cache still cannot be written, replies go into a spare file, which the next run reads; replies that
// cannot be written anywhere wait in memory for the next try. THREADS: any number may call; results are
// delivered on the keeper's thread.
#ifndef LEAFSCORE_ENGINE_JUDGE_REPLY_KEEPER_H_
#define LEAFSCORE_ENGINE_JUDGE_REPLY_KEEPER_H_

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/file_descriptor.h"
#include "engine/judge/reply_cache.h"

namespace leafscore::internal {

// Disk space reserved beside a file, for replies that are being paid for. It is an unnamed file, so nothing
// is left of it however the process ends, and nobody finds it. Once released, it is room for writing although
// the disk is full. If a file system has no unnamed files, nothing is reserved, and nothing fails. THREADS:
// one at a time.
class ReplyRoom {
 public:
  // Reserves space in the folder of a file.
  explicit ReplyRoom(std::string path) : path_(std::move(path)) {}

  // Reserves at least `bytes` bytes. RETURNS: false if the disk does not have them.
  bool Hold(std::uint64_t bytes);

  void GiveBack();

 private:
  std::string path_;
  FileDescriptor file_;
  std::uint64_t held_ = 0;
};

class ReplyKeeper {
 public:
  // The result for a reply.
  struct Kept {
    KeptReply reply;             // the stored one, if it is stored
    bool is_kept = true;         // in the cache or the spare file
    std::exception_ptr failure;  // null, or why the cache must get no more replies
  };
  // Called once for each reply. It must not throw.
  using Done = std::function<void(Kept&& kept)>;

  // `spare` is a file on another disk, if possible; it may be empty. Replies that an earlier run left there
  // are moved into the cache, and the file is removed. REQUIRES: the cache outlives this.
  // ERRORS: errors of the cache and of the spare file; std::system_error if there is no thread for it.
  ReplyKeeper(ReplyCache& cache, std::string spare);
  ~ReplyKeeper();  // stores all replies that it was given
  ReplyKeeper(const ReplyKeeper&) = delete;
  ReplyKeeper& operator=(const ReplyKeeper&) = delete;

  // Reserves at least `bytes` bytes for replies. RETURNS: false if the disk does not have them.
  bool HoldRoom(std::uint64_t bytes);

  // ERRORS: std::bad_alloc; `done` is then not called.
  void Keep(const Sha256& key, KeptReply reply, Done done);

  // Returns, for people, where the replies are that the cache could not take; empty if there are none.
  std::string Elsewhere() const;

 private:
  struct Given {
    ReplyCache::Keyed keyed;
    Done done;
  };

  void Run();
  void KeepAll(std::vector<Given>& given);
  std::exception_ptr TryToKeep(ReplyCache& cache, std::vector<Given>& given);
  bool KeepInSpare(std::vector<Given>& given);
  void GiveRoomBack();

  ReplyCache& cache_;
  const std::string spare_;
  std::optional<ReplyCache> spare_file_;    // only for the keeper's thread
  std::vector<ReplyCache::Keyed> waiting_;  // the keeper's thread; not written yet
  mutable std::mutex mutex_;                // for everything below
  std::condition_variable changed_;
  std::vector<Given> given_;
  ReplyRoom room_;
  bool holds_room_ = true;  // false once it had to be released
  std::uint64_t in_spare_ = 0;
  std::uint64_t nowhere_ = 0;
  bool ending_ = false;
  std::thread thread_;  // last, as it uses the others
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_REPLY_KEEPER_H_
