// engine/judge/reply_keeper.h: keeps replies in a cache on a thread of its own. What came while it wrote is
// written together, so that the disk bounds how long a reply takes, but not how many come.
//
// Replies are paid for, so none is given up. Room for those that are to come is held back on the disk of the
// cache. Where the cache cannot be written for all that, they go into a spare file, which the next run takes
// in, and what cannot be written anywhere waits in memory for the next try. THREADS: any number may call;
// what becomes of a reply is told on the keeper's thread.
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

// Room on the disk of a file, held back for replies that are being paid for. It is a file without a name, so
// that nothing is left of it, and nobody finds it, however the process ends. Given back, it is room for what
// has to be written although the disk is full. Where a file system knows no such files, nothing is held back,
// and nothing fails. THREADS: one at a time.
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

class ReplyKeeper {
 public:
  // What became of a reply.
  struct Kept {
    KeptReply reply;             // the one that is kept, if any is
    bool is_kept = true;         // in the cache or the spare file
    std::exception_ptr failure;  // of the cache, which is to get no more; null: none
  };
  // Called once for each reply. It must not throw.
  using Done = std::function<void(Kept&& kept)>;

  // `spare` is a file on another disk, if possible; empty: none. What an earlier run left there is taken into
  // the cache, and the file is removed. REQUIRES: the cache lives on.
  // ERRORS: those of the cache and of the spare file; std::system_error when there is no thread for it.
  ReplyKeeper(ReplyCache& cache, std::string spare);
  ~ReplyKeeper();  // keeps all that was given
  ReplyKeeper(const ReplyKeeper&) = delete;
  ReplyKeeper& operator=(const ReplyKeeper&) = delete;

  // Holds room for replies of so many bytes, or more. RETURNS: false when the disk has not as many.
  bool HoldRoom(std::uint64_t bytes);

  // ERRORS: std::bad_alloc, and `done` is not called.
  void Keep(const Sha256& key, KeptReply reply, Done done);

  // Returns, for people, where replies are that the cache could not take; empty when there are none.
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
  std::optional<ReplyCache> spare_file_;    // the keeper's thread
  std::vector<ReplyCache::Keyed> waiting_;  // likewise: what could not be written anywhere
  mutable std::mutex mutex_;                // of all below
  std::condition_variable changed_;
  std::vector<Given> given_;
  ReplyRoom room_;
  bool holds_room_ = true;  // until it had to be given back
  std::uint64_t in_spare_ = 0;
  std::uint64_t nowhere_ = 0;
  bool ending_ = false;
  std::thread thread_;  // last, as it uses the others
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_REPLY_KEEPER_H_
