#include "engine/judge/reply_keeper.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <exception>
#include <filesystem>
#include <utility>

#include "engine/base/signals.h"
#include "engine/base/suggest.h"

namespace leafscore::internal {
namespace {

bool SaysFull(int error) { return error == ENOSPC || error == EDQUOT; }

// Moves the replies that an earlier run left in a spare file into the cache.
void TakeIn(const std::string& spare, ReplyCache& cache) {
  if (spare.empty() || !ReplyCache::IsSpare(spare)) return;
  {
    ReplyCache left(spare, ReplyCache::Access::kReadOnly);
    left.Check();
    std::vector<ReplyCache::Keyed> replies;
    left.ForEach([&](std::string_view, const KeptReply* reply) {
      replies.push_back({KeyOf(reply->request), *reply});
    });
    std::vector<ReplyCache::Keyed*> all;
    for (ReplyCache::Keyed& reply : replies) all.push_back(&reply);
    cache.KeepAll(all);
  }
  std::error_code error;
  std::filesystem::remove(spare, error);  // if it stays, it is read again next time
}

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

ReplyKeeper::ReplyKeeper(ReplyCache& cache, std::string spare)
    : cache_(cache), spare_(std::move(spare)), room_(cache.path()) {
  TakeIn(spare_, cache_);
  thread_ = std::thread([this] { Run(); });
}

ReplyKeeper::~ReplyKeeper() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

bool ReplyKeeper::HoldRoom(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  return holds_room_ && room_.Hold(bytes);
}

void ReplyKeeper::GiveRoomBack() {
  const std::lock_guard lock(mutex_);
  holds_room_ = false;
  room_.GiveBack();
}

void ReplyKeeper::Keep(const Sha256& key, KeptReply reply, Done done) {
  bool was_empty = false;
  {
    const std::lock_guard lock(mutex_);
    was_empty = given_.empty();
    given_.push_back({{key, std::move(reply)}, std::move(done)});
  }
  if (was_empty) changed_.notify_one();
}

std::string ReplyKeeper::Elsewhere() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  if (in_spare_ != 0) {
    text = fmt::format(
        "; {} replies that came later are in {}, and the next run with this cache and output adds them",
        in_spare_, QuoteForMessage(spare_, 256));
  }
  if (nowhere_ != 0) text += fmt::format("; {} replies could not be kept anywhere", nowhere_);
  return text;
}

void ReplyKeeper::Run() {
  BlockSignals();
  std::vector<Given> given;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ending_ || !given_.empty(); });
      if (given_.empty()) break;
      given.swap(given_);
    }
    KeepAll(given);
    given.clear();
  }
  if (!waiting_.empty()) KeepAll(given);
}

// Stores replies, together with the waiting ones. If the cache cannot be written, releases the reserved space
// and tries the cache again, then the spare file.
void ReplyKeeper::KeepAll(std::vector<Given>& given) {
  const std::exception_ptr failure = TryToKeep(cache_, given);
  bool is_kept = failure == nullptr;
  if (!is_kept) {
    GiveRoomBack();
    is_kept = TryToKeep(cache_, given) == nullptr || KeepInSpare(given);
  }
  if (is_kept) waiting_.clear();
  if (!is_kept) {
    for (Given& one : given) waiting_.push_back(std::move(one.keyed));
  }
  {
    const std::lock_guard lock(mutex_);
    nowhere_ = waiting_.size();
  }
  for (Given& one : given) one.done({std::move(one.keyed.reply), is_kept, failure});
}

// RETURNS: why the replies could not be stored; null if they were stored.
std::exception_ptr ReplyKeeper::TryToKeep(ReplyCache& cache, std::vector<Given>& given) {
  try {
    std::vector<ReplyCache::Keyed*> replies;
    for (ReplyCache::Keyed& reply : waiting_) replies.push_back(&reply);
    for (Given& one : given) replies.push_back(&one.keyed);
    cache.KeepAll(replies);
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

bool ReplyKeeper::KeepInSpare(std::vector<Given>& given) {
  if (spare_.empty()) return false;
  try {
    if (!spare_file_) spare_file_.emplace(spare_, ReplyCache::Access::kReadWrite, ReplyCache::Kind::kSpare);
  } catch (const std::exception&) {
    return false;
  }
  if (TryToKeep(*spare_file_, given) != nullptr) return false;
  const std::lock_guard lock(mutex_);
  in_spare_ += waiting_.size() + given.size();
  return true;
}

}  // namespace leafscore::internal
