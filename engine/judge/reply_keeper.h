// engine/judge/reply_keeper.h: keeps replies in a cache on a thread of its own. What came while it wrote is
// written together, so that the disk bounds how long a reply takes, but not how many come.
// THREADS: any number may call; what becomes of a reply is told on the keeper's thread.
#ifndef LEAFSCORE_ENGINE_JUDGE_REPLY_KEEPER_H_
#define LEAFSCORE_ENGINE_JUDGE_REPLY_KEEPER_H_

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/judge/reply_cache.h"

namespace leafscore::internal {

class ReplyKeeper {
 public:
  // Called once for each reply, with the one that is kept, or why it could not be. It must not throw.
  using Kept = std::function<void(KeptReply&& reply, const std::exception_ptr& error)>;

  // REQUIRES: the cache lives on. ERRORS: std::system_error when there is no thread for it.
  explicit ReplyKeeper(ReplyCache& cache);
  ~ReplyKeeper();  // keeps all that was given
  ReplyKeeper(const ReplyKeeper&) = delete;
  ReplyKeeper& operator=(const ReplyKeeper&) = delete;

  // ERRORS: std::bad_alloc, and `kept` is not called.
  void Keep(const Sha256& key, KeptReply reply, Kept kept);

 private:
  struct Given {
    ReplyCache::Keyed keyed;
    Kept kept;
  };

  void Run();
  std::exception_ptr KeepAll(std::vector<Given>& given);

  ReplyCache& cache_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Given> given_;
  bool ending_ = false;
  std::thread thread_;  // last, as it uses the others
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_REPLY_KEEPER_H_
