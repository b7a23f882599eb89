// engine/judge/reply_keeper.h: stores replies in a cache on a thread of its own. Replies that arrive while it
// writes are written together, so a slow disk delays each reply, but does not limit the number of replies.
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

// Disk space reserved beside a file, for replies that are being paid for. It is an unnamed file: nobody sees
// it, and it disappears however the process ends. Once it is released, its space can be used for replies even
// if the disk is full otherwise. On a file system without unnamed files, nothing is reserved, and no call
// fails. THREADS: one at a time.
class ReplyRoom {
 public:
  // The space will be reserved in the folder of this file.
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
    KeptReply reply;             // the stored reply, if it is stored
    bool is_kept = true;         // in the cache or the spare file
    std::exception_ptr failure;  // why the cache must get no more replies; may be null
  };
  // Called once for each reply. It must not throw.
  using Done = std::function<void(Kept&& kept)>;

  // `spare` is the path of a spare file, if possible on another disk; it may be empty. Replies that an
  // earlier run left in the file are moved into the cache, and the file is removed. REQUIRES: the cache
  // outlives this.
  // ERRORS: errors of the cache and of the spare file; std::system_error if no thread can be started.
  ReplyKeeper(ReplyCache& cache, std::string spare);
  ~ReplyKeeper();  // stores all replies that it was given
  ReplyKeeper(const ReplyKeeper&) = delete;
  ReplyKeeper& operator=(const ReplyKeeper&) = delete;

  // Reserves at least `bytes` bytes for replies. RETURNS: false if the disk does not have them.
  bool HoldRoom(std::uint64_t bytes);

  // ERRORS: std::bad_alloc; `done` is then not called.
  void Keep(const Sha256& key, KeptReply reply, Done done);

  // Returns a text for people about the replies that the cache could not take: it says where they are. Empty
  // if the cache took all replies.
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
  std::vector<ReplyCache::Keyed> waiting_;  // not written yet; only for the keeper's thread
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
