// engine/judge/reply_cache.h: the replies of judges, kept in a file, so that what was paid for is not asked
// again.
//
// The file is a database of SQLite with a row for each reply: the SHA-256 of all that decides it, what was
// asked, how, and the reply, with a checksum over all of them. It is written ahead (WAL), so a kill leaves
// whole rows, and several runs may share one. Of two that ask the same at once the first one's reply stays
// and counts for both. What is read is checked: a damaged file ends the run.
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

#include "engine/judge/sha256.h"

struct sqlite3;
struct sqlite3_stmt;

namespace leafscore::internal {

struct KeptReply {
  std::string request;     // all that decides the reply; its hash is the key
  std::string asked_with;  // how a structured reply was asked for (engine/judge/judge_reply.h)
  std::string body;        // of the reply
  bool operator==(const KeptReply&) const = default;
};

class ReplyCache {
 public:
  enum class Access { kReadOnly, kReadWrite };
  // A spare file has replies that a cache could not take. It is read like a cache, and never taken for one to
  // write.
  enum class Kind { kCache, kSpare };

  // Opens the file, which need not be there if it may be written.
  // ERRORS: Error(kInput) for one that is no such file, damaged or not there; Error(kOutput) for one that
  //         cannot be written.
  ReplyCache(const std::string& path, Access access, Kind kind = Kind::kCache);

  // Tells whether a file is a spare one.
  static bool IsSpare(const std::string& path);

  const std::string& path() const { return path_; }

  // Writes something, and changes nothing by that. ERRORS: Error(kOutput) when no reply could be kept.
  void Probe();

  // RETURNS: the reply to a request. ERRORS: Error(kInput) when it or the file is damaged.
  std::optional<KeptReply> Find(const Sha256& key);

  // Keeps a reply, unless there is one to its request. RETURNS: the one that is kept.
  // ERRORS: Error(kOutput) when the disk is full or another run holds the file too long.
  KeptReply Keep(const Sha256& key, KeptReply reply);

  // Keeps several replies at once, all or none, which costs little more than one. Each becomes the one that
  // is kept. ERRORS: as above.
  struct Keyed {
    Sha256 key;
    KeptReply reply;
  };
  void KeepAll(std::span<Keyed* const> replies);

  // Calls visit(key, reply) for each reply, by key; the reply is null where the row is damaged.
  // ERRORS: Error(kInput) when the file is damaged.
  void ForEach(const std::function<void(std::string_view key, const KeptReply* reply)>& visit);

  // Checks all replies, as a damaged key leads nowhere. ERRORS: Error(kInput) when one is damaged.
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
  std::string PragmaText(const char* sql);
  Statement Prepare(const char* sql);
  std::optional<KeptReply> FindLocked(const Sha256& key);
  void KeepLocked(Keyed& keyed);
  [[noreturn]] void ThrowFailure(int code) const;

  const std::string path_;
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
