#include "engine/judge/reply_keeper.h"

#include <utility>

#include "engine/base/signals.h"

namespace leafscore::internal {

ReplyKeeper::ReplyKeeper(ReplyCache& cache) : cache_(cache), thread_([this] { Run(); }) {}

ReplyKeeper::~ReplyKeeper() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void ReplyKeeper::Keep(const Sha256& key, KeptReply reply, Kept kept) {
  bool was_empty = false;
  {
    const std::lock_guard lock(mutex_);
    was_empty = given_.empty();
    given_.push_back({{key, std::move(reply)}, std::move(kept)});
  }
  if (was_empty) changed_.notify_one();
}

void ReplyKeeper::Run() {
  BlockSignals();
  std::vector<Given> given;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ending_ || !given_.empty(); });
      if (given_.empty()) return;
      given.swap(given_);
    }
    const std::exception_ptr error = KeepAll(given);
    for (Given& one : given) one.kept(std::move(one.keyed.reply), error);
    given.clear();
  }
}

// RETURNS: why they could not be kept; null when they are.
std::exception_ptr ReplyKeeper::KeepAll(std::vector<Given>& given) {
  try {
    std::vector<ReplyCache::Keyed*> replies;
    for (Given& one : given) replies.push_back(&one.keyed);
    cache_.KeepAll(replies);
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

}  // namespace leafscore::internal
