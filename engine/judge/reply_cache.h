// engine/judge/reply_cache.h: stores the replies of judges in a file, so that nothing is paid for twice.
//
// The file is an SQLite database with a row for each reply: the SHA-256 of the request as the key, the
// request with everything that decides the reply, the way of asking, the reply, and a checksum over all of
// them. The file is in WAL mode, so a killed run leaves only whole rows, and several runs may share a file.
// If two runs ask the same question at once, the first reply is stored and counts for both. Rows are checked
// when they are read; a damaged row ends the run.
// THREADS: any number may call.
#ifndef LEAFSCORE_ENGINE_JUDGE_REPLY_CACHE_H_
#define LEAFSCORE_ENGINE_JUDGE_REPLY_CACHE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/judge/sha256.h"

struct sqlite3;
struct sqlite3_stmt;

namespace leafscore::internal {

struct KeptReply {
  std::string request;     // everything that decides the reply; its hash is the key
  std::string asked_with;  // how a structured reply was asked for (engine/judge/judge_reply.h)
  std::string body;        // the body of the reply
  bool operator==(const KeptReply&) const = default;
};

// A batch of questions that was handed over to a service, or may have been.
struct SentBatch {
  std::string token = {};      // our name for it
  std::string url = {};        // the URL for single questions
  std::string batch = {};      // the service's id; empty until the service confirms the batch
  std::string questions = {};  // the keys of its questions, one after another
  std::uint64_t form = 0;      // how they were asked, as in JudgeRequest::Body
  std::uint64_t left_out = 0;
};

class ReplyCache {
 public:
  enum class Access { kReadOnly, kReadWrite };
  // A spare file contains replies that a cache could not take. It can be read like a cache, but not opened as
  // a cache for writing.
  enum class Kind { kCache, kSpare };

  // Opens the file. If it may be written, it is created if needed.
  // ERRORS: Error(kInput) if the file is missing, damaged, or not of this kind; Error(kOutput) if it cannot
  // be written.
  ReplyCache(const std::string& path, Access access, Kind kind = Kind::kCache);

  // Tells whether a file is a spare file.
  static bool IsSpare(const std::string& path);

  const std::string& path() const { return path_; }

  // Checks that replies can be stored, by a write that changes nothing. Once that succeeds, later calls do
  // nothing. ERRORS: Error(kOutput) if replies cannot be stored.
  void Probe();

  // RETURNS: the reply with this key; nullopt if there is no such reply. ERRORS: Error(kInput) if the row or
  // the file is damaged.
  std::optional<KeptReply> Find(const Sha256& key);

  // Stores a reply, unless the cache already has a reply with this key. RETURNS: the stored reply.
  // ERRORS: Error(kOutput) if the disk is full, another run locks the file for too long, or the file was
  // removed.
  KeptReply Keep(const Sha256& key, KeptReply reply);

  // Stores all of these replies or, after an error, no reply. Each element of `replies` gets the stored
  // reply. ERRORS: as Keep. COST: little more than Keep for one reply.
  struct Keyed {
    Sha256 key;
    KeptReply reply;
  };
  void KeepAll(std::span<Keyed* const> replies);

  // Calls visit(key, reply) for each reply, in the order of their keys. `reply` is null if the row is
  // damaged.
  // ERRORS: Error(kInput) if the file is damaged.
  void ForEach(const std::function<void(std::string_view key, const KeptReply* reply)>& visit);

  // Removes the replies with these keys or, after an error, no reply. ERRORS: as Keep.
  void Drop(std::span<const std::string> keys);

  // Store, return and remove batches whose replies are still to come. Stored batches survive a crash of the
  // machine. ERRORS: as Keep.
  void KeepBatch(const SentBatch& batch);
  std::vector<SentBatch> Batches();
  void ForgetBatch(const std::string& token);

  // Checks all replies. Find alone is not enough: it does not find a reply whose key is damaged. Once all are
  // good, later calls do nothing. ERRORS: Error(kInput) if a reply is damaged.
  void Check();

 private:
  struct DatabaseCloser {
    void operator()(sqlite3* database) const;
  };
  struct StatementCloser {
    void operator()(sqlite3_stmt* statement) const;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, StatementCloser>;

  void Open(Access access, Kind kind);
  void CheckKind(Access access, Kind kind);
  void Execute(const char* sql);
  void InTransaction(const std::function<void()>& write);
  void WriteBatches(const char* sql, std::span<const std::string_view> values,
                    std::span<const std::uint64_t> numbers);
  std::string PragmaText(const char* sql);
  Statement Prepare(const char* sql);
  std::optional<KeptReply> FindLocked(const Sha256& key);
  void KeepLocked(Keyed& keyed);
  [[noreturn]] void ThrowFailure(int code) const;

  const std::string path_;
  std::once_flag checked_;
  std::once_flag probed_;
  std::mutex mutex_;
  std::unique_ptr<sqlite3, DatabaseCloser> database_;
  Statement find_;
  Statement keep_;
};

// Returns the checksum of a row.
inline Sha256 ChecksumOf(std::string_view key, const KeptReply& reply) {
  return HashOf({key, reply.request, reply.asked_with, reply.body});
}

// Returns the key of a request.
inline Sha256 KeyOf(std::string_view request) { return HashOf({"leafscore judge 1", request}); }

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_REPLY_CACHE_H_
