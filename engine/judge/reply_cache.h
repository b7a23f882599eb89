// engine/judge/reply_cache.h: stores the replies of judges in a file, so that nothing is paid for twice.
//
// The file is an SQLite database with a row for each reply: the SHA-256 of everything that decides it, the
// request, the way of asking, and the reply, with a checksum over them. It is in WAL mode, so a kill leaves
// whole rows, and several runs may share a file. If two ask the same at once, the first reply is stored and
// counts for both. Rows are checked when they are read: a damaged file ends the run.
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
  std::string token = {};      // ours
  std::string url = {};        // of single questions
  std::string batch = {};      // the service's id; empty: it is not known whether the service got it
  std::string questions = {};  // their keys, one after another
  std::uint64_t form = 0;      // JudgeService: how they were asked
  std::uint64_t left_out = 0;
};

class ReplyCache {
 public:
  enum class Access { kReadOnly, kReadWrite };
  // A spare file contains replies that a cache could not take. It can be read like a cache, but never be used
  // as one to write to.
  enum class Kind { kCache, kSpare };

  // Opens the file, which need not exist if it may be written.
  // ERRORS: Error(kInput) if it is missing, damaged, or not such a file; Error(kOutput) if it cannot be
  // written.
  ReplyCache(const std::string& path, Access access, Kind kind = Kind::kCache);

  // Tells whether a file is a spare file.
  static bool IsSpare(const std::string& path);

  const std::string& path() const { return path_; }

  // Writes without changing anything; once it has, later calls do nothing.
  // ERRORS: Error(kOutput) if no reply could be stored.
  void Probe();

  // RETURNS: the reply to a request. ERRORS: Error(kInput) if it or the file is damaged.
  std::optional<KeptReply> Find(const Sha256& key);

  // Stores a reply, unless there already is one to its request. RETURNS: the stored one.
  // ERRORS: Error(kOutput) if the disk is full or another run locks the file for too long.
  KeptReply Keep(const Sha256& key, KeptReply reply);

  // Stores several replies at once, all or none, which costs little more than one. Each is replaced with the
  // one that is stored. ERRORS: as above.
  struct Keyed {
    Sha256 key;
    KeptReply reply;
  };
  void KeepAll(std::span<Keyed* const> replies);

  // Calls visit(key, reply) for each reply, by key; the reply is null if its row is damaged.
  // ERRORS: Error(kInput) if the file is damaged.
  void ForEach(const std::function<void(std::string_view key, const KeptReply* reply)>& visit);

  // Removes replies, all or none. ERRORS: as KeepAll.
  void Drop(std::span<const std::string> keys);

  // Keep, return and forget batches whose replies are still to come. They survive a crash of the machine.
  // ERRORS: as KeepAll.
  void KeepBatch(const SentBatch& batch);
  std::vector<SentBatch> Batches();
  void ForgetBatch(const std::string& token);

  // Checks all replies, because one with a damaged key is never found; once all were good, later calls do
  // nothing. ERRORS: Error(kInput) if one is damaged.
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
