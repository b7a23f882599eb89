#include "engine/judge/reply_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/base/file_descriptor.h"
#include "engine/base/suggest.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// SQLite keeps files beside a database. It removes or overwrites them without checking whose they are, so the
// functions below check it first.

using namespace std::string_view_literals;

constexpr std::size_t kBeginBytes = 8;

// Tells whether a non-empty file begins like a file that SQLite keeps beside a database:
// https://sqlite.org/fileformat2.html, sections 3 and 4, and https://sqlite.org/walformat.html, section 1.2.
// An obsolete journal begins with zeros, and so does an index that is not built yet.
bool BeginsAsOf(std::string_view end, std::string_view begin) {
  constexpr std::uint32_t kIndexVersion = 3007000;
  if (end == "-wal")
    return begin.starts_with("\x37\x7f\x06\x82"sv) || begin.starts_with("\x37\x7f\x06\x83"sv);
  if (begin.find_first_not_of('\0') == begin.npos) return true;
  if (end == "-journal") return begin == "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"sv;
  std::uint32_t version = 0;
  if (begin.size() >= sizeof version) std::memcpy(&version, begin.data(), sizeof version);
  return version == kIndexVersion;
}

bool IsOfSqlite(const std::string& name, std::string_view end) {
  struct stat status {};
  if (lstat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink != 1) return false;
  const FileDescriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  std::array<char, kBeginBytes> begin;
  const ssize_t n = file.valid() ? pread(file.get(), begin.data(), begin.size(), 0) : -1;
  return n >= 0 && (n == 0 || BeginsAsOf(end, {begin.data(), static_cast<std::size_t>(n)}));
}

// Checks that PATH-journal, PATH-wal and PATH-shm do not exist, or were left by SQLite for this database. If
// the database does not exist, they must not exist either. ERRORS: Error(kOutput).
void CheckSideFiles(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path database = fs::weakly_canonical(path, error);  // SQLite keeps them beside a link's target
  if (error) return;                                            // then the path cannot be opened
  const bool is_there = fs::exists(database, error);
  for (const std::string_view end : {"-journal", "-wal", "-shm"}) {
    const std::string name = database.string() + std::string(end);
    const bool is_free = !fs::exists(fs::symlink_status(name, error));
    if (is_free || (is_there && IsOfSqlite(name, end))) continue;
    throw Error(
        ErrorCode::kOutput,
        fmt::format(
            "{} does not belong to the cache {} and would be replaced: move it away, or name another cache",
            QuoteForMessage(name, 256), QuoteForMessage(path, 256)));
  }
}

// Numbers in the file that mark it as ours: the id of its kind, and the version of its format.
constexpr int kCacheId = 0x6c736a63;  // "lsjc"
constexpr int kSpareId = 0x6c736a73;  // "lsjs"
constexpr int kForm = 1;

constexpr int kPatienceMs = 10'000;  // the longest wait for another writer

constexpr char kMake[] =
    "CREATE TABLE replies(key BLOB PRIMARY KEY, request BLOB NOT NULL, asked_with BLOB NOT NULL,"
    " body BLOB NOT NULL, checksum BLOB NOT NULL) WITHOUT ROWID";
constexpr char kMakeBatches[] =
    "CREATE TABLE IF NOT EXISTS batches(token BLOB PRIMARY KEY, url BLOB NOT NULL, batch BLOB NOT NULL,"
    " questions BLOB NOT NULL, form INTEGER NOT NULL, left_out INTEGER NOT NULL) WITHOUT ROWID";
constexpr char kFind[] = "SELECT key, request, asked_with, body, checksum FROM replies WHERE key = ?";
constexpr char kAllReplies[] = "SELECT key, request, asked_with, body, checksum FROM replies ORDER BY key";
constexpr char kKeep[] = "INSERT OR IGNORE INTO replies VALUES(?, ?, ?, ?, ?)";

std::string_view ColumnOf(sqlite3_stmt* row, int column) {
  const void* const data = sqlite3_column_blob(row, column);
  const int size = sqlite3_column_bytes(row, column);
  return data == nullptr ? std::string_view()
                         : std::string_view(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

// RETURNS: the reply; nullopt if the row is damaged.
std::optional<KeptReply> ReadRow(sqlite3_stmt* row) {
  const std::string_view key = ColumnOf(row, 0);
  KeptReply reply{std::string(ColumnOf(row, 1)), std::string(ColumnOf(row, 2)),
                  std::string(ColumnOf(row, 3))};
  const bool whole =
      key == BytesOf(KeyOf(reply.request)) && ColumnOf(row, 4) == BytesOf(ChecksumOf(key, reply));
  return whole ? std::optional(std::move(reply)) : std::nullopt;
}

void Bind(sqlite3_stmt* statement, int place, std::string_view bytes) {
  sqlite3_bind_blob64(statement, place, bytes.data(), bytes.size(), SQLITE_STATIC);
}

// Resets a statement when its use ends, even by an exception.
class Use {
 public:
  explicit Use(sqlite3_stmt* statement) : statement_(statement) {}
  ~Use() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  sqlite3_stmt* statement_;
};

// Returns a path as a URI which promises SQLite that the file does not change. SQLite can then read the file
// even in a folder in which it cannot write.
std::string ImmutableUri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

}  // namespace

void ReplyCache::DatabaseCloser::operator()(sqlite3* database) const { sqlite3_close(database); }
void ReplyCache::StatementCloser::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

ReplyCache::ReplyCache(const std::string& path, Access access, Kind kind) : path_(path) {
  Open(access, kind);
  find_ = Prepare(kFind);
  if (access == Access::kReadWrite) keep_ = Prepare(kKeep);
}

// The id is in the header of the file (https://sqlite.org/fileformat2.html, section 1.3).
bool ReplyCache::IsSpare(const std::string& path) {
  constexpr std::size_t kIdBegin = 68;
  std::array<char, kIdBegin + 4> header{};
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  file.read(header.data(), header.size());
  constexpr char kId[] = {kSpareId >> 24, kSpareId >> 16 & 0xff, kSpareId >> 8 & 0xff, kSpareId & 0xff};
  return file.good() && std::equal(std::begin(kId), std::end(kId), header.begin() + kIdBegin);
}

void ReplyCache::Open(Access access, Kind kind) {
  std::error_code error;
  const bool is_there = std::filesystem::exists(path_, error);
  if (access == Access::kReadOnly && !is_there) {
    throw Error(ErrorCode::kInput, fmt::format("there is no judge cache {}", QuoteForMessage(path_, 256)));
  }
  const auto open = [&](const std::string& name, int flags) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(name.c_str(), &opened, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    database_.reset(opened);
    if (opened == nullptr) throw std::bad_alloc();
    if (code != SQLITE_OK) ThrowFailure(code);
    sqlite3_extended_result_codes(opened, 1);
    sqlite3_busy_timeout(opened, kPatienceMs);
  };
  // Without "./", SQLite would not take ":memory:" and "file:..." as file names.
  const std::string name = path_.starts_with('/') ? path_ : "./" + path_;
  CheckSideFiles(path_);
  if (access == Access::kReadWrite) {
    open(name, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    CheckKind(access, kind);
    return;
  }
  // A database in WAL mode needs two files beside it (-wal, -shm), unless it is known not to change. If
  // reading creates them, only a connection that may write removes them afterwards. The files of another run
  // stay, even if that run was killed.
  const bool has_others = std::filesystem::exists(path_ + "-wal", error);
  open(name, has_others ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE);
  const bool would_leave_them = !has_others && sqlite3_db_readonly(database_.get(), "main") == 1;
  const int code = would_leave_them ? SQLITE_READONLY
                                    : sqlite3_exec(database_.get(), "SELECT count(*) FROM sqlite_schema",
                                                   nullptr, nullptr, nullptr);
  if ((code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_READONLY) {
    open(ImmutableUri(path_), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  }
  CheckKind(access, kind);
}

// Sets up a new file, and refuses a file that is not of this kind.
void ReplyCache::CheckKind(Access access, Kind kind) {
  const int id = kind == Kind::kCache ? kCacheId : kSpareId;
  if (access == Access::kReadWrite) {
    // Two runs may find the file empty: the transaction lets only one of them set it up.
    Execute("BEGIN IMMEDIATE");
    if (PragmaText("SELECT count(*) FROM sqlite_schema") == "0" && PragmaText("PRAGMA user_version") == "0") {
      Execute(kMake);
      Execute(fmt::format("PRAGMA application_id = {}", id).c_str());
      Execute(fmt::format("PRAGMA user_version = {}", kForm).c_str());
    }
    Execute("COMMIT");
  }
  const std::string found = PragmaText("PRAGMA application_id");
  const bool reads_spare = access == Access::kReadOnly && found == std::to_string(kSpareId);
  if ((found != std::to_string(id) && !reads_spare) ||
      PragmaText("PRAGMA user_version") != std::to_string(kForm)) {
    throw Error(ErrorCode::kInput,
                fmt::format("{} is not a judge cache of this version of leafscore; name another file",
                            QuoteForMessage(path_, 256)));
  }
  if (access == Access::kReadWrite && kind == Kind::kCache) {
    Execute("PRAGMA journal_mode = WAL");
    Execute("PRAGMA synchronous = NORMAL");
    // Keys are in random order. Each reply therefore changes pages that other replies have changed recently.
    Execute("PRAGMA cache_size = -8192");         // KiB
    Execute("PRAGMA wal_autocheckpoint = 4000");  // pages of 4 KiB
  }
}

void ReplyCache::Execute(const char* sql) {
  const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) ThrowFailure(code);
}

std::string ReplyCache::PragmaText(const char* sql) {
  const Statement statement = Prepare(sql);
  const int code = sqlite3_step(statement.get());
  if (code != SQLITE_ROW) ThrowFailure(code);
  return std::to_string(sqlite3_column_int64(statement.get(), 0));
}

ReplyCache::Statement ReplyCache::Prepare(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), sql, -1, &statement, nullptr);
  if (code != SQLITE_OK) ThrowFailure(code);
  return Statement(statement);
}

void ReplyCache::Probe() {
  std::call_once(probed_, [this] {
    const std::lock_guard lock(mutex_);
    Execute(fmt::format("PRAGMA user_version = {}", kForm).c_str());
  });
}

std::optional<KeptReply> ReplyCache::Find(const Sha256& key) {
  const std::lock_guard lock(mutex_);
  return FindLocked(key);
}

std::optional<KeptReply> ReplyCache::FindLocked(const Sha256& key) {
  const Use use(find_.get());
  Bind(find_.get(), 1, BytesOf(key));
  const int code = sqlite3_step(find_.get());
  if (code == SQLITE_DONE) return std::nullopt;
  if (code != SQLITE_ROW) ThrowFailure(code);
  std::optional<KeptReply> reply = ReadRow(find_.get());
  if (!reply) ThrowFailure(SQLITE_CORRUPT);
  return reply;
}

KeptReply ReplyCache::Keep(const Sha256& key, KeptReply reply) {
  Keyed keyed{key, std::move(reply)};
  Keyed* const one = &keyed;
  KeepAll({&one, 1});
  return std::move(keyed.reply);
}

void ReplyCache::KeepAll(std::span<Keyed* const> replies) {
  const std::lock_guard lock(mutex_);
  int is_gone = 0;
  sqlite3_file_control(database_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &is_gone);
  if (is_gone != 0) {
    throw Error(ErrorCode::kOutput, fmt::format("the judge cache {} was removed or replaced while it was in "
                                                "use, so replies cannot be kept; leave it in place",
                                                QuoteForMessage(path_, 256)));
  }
  InTransaction([&] {
    for (Keyed* const keyed : replies) KeepLocked(*keyed);
  });
}

// Calls write(), and undoes its changes if it fails.
void ReplyCache::InTransaction(const std::function<void()>& write) {
  Execute("BEGIN IMMEDIATE");
  try {
    write();
    Execute("COMMIT");
  } catch (...) {
    sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr,
                 nullptr);  // some failures have already done it
    throw;
  }
}

void ReplyCache::KeepLocked(Keyed& keyed) {
  const KeptReply& reply = keyed.reply;
  const Sha256 checksum = ChecksumOf(BytesOf(keyed.key), reply);
  {
    const Use use(keep_.get());
    Bind(keep_.get(), 1, BytesOf(keyed.key));
    Bind(keep_.get(), 2, reply.request);
    Bind(keep_.get(), 3, reply.asked_with);
    Bind(keep_.get(), 4, reply.body);
    Bind(keep_.get(), 5, BytesOf(checksum));
    const int code = sqlite3_step(keep_.get());
    if (code != SQLITE_DONE) ThrowFailure(code);
  }
  if (sqlite3_changes(database_.get()) != 0) return;
  if (std::optional<KeptReply> first = FindLocked(keyed.key)) keyed.reply = *std::move(first);
}

void ReplyCache::ForEach(const std::function<void(std::string_view, const KeptReply*)>& visit) {
  const std::lock_guard lock(mutex_);
  const Statement all = Prepare(kAllReplies);
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(all.get())) == SQLITE_ROW) {
    const std::optional<KeptReply> reply = ReadRow(all.get());
    visit(ColumnOf(all.get(), 0), reply ? &*reply : nullptr);
  }
  if (code != SQLITE_DONE) ThrowFailure(code);
}

void ReplyCache::Drop(std::span<const std::string> keys) {
  const std::lock_guard lock(mutex_);
  const Statement drop = Prepare("DELETE FROM replies WHERE key = ?");
  InTransaction([&] {
    for (const std::string& key : keys) {
      const Use use(drop.get());
      Bind(drop.get(), 1, key);
      const int code = sqlite3_step(drop.get());
      if (code != SQLITE_DONE) ThrowFailure(code);
    }
  });
}

// Changes a row of the table of batches. The change is on the disk when this returns.
void ReplyCache::WriteBatches(const char* sql, std::span<const std::string_view> values,
                              std::span<const std::uint64_t> numbers) {
  const std::lock_guard lock(mutex_);
  Execute(kMakeBatches);
  Execute("PRAGMA synchronous = FULL");
  {
    const Statement write = Prepare(sql);
    int place = 0;
    for (const std::string_view value : values) Bind(write.get(), ++place, value);
    for (const std::uint64_t number : numbers)
      sqlite3_bind_int64(write.get(), ++place, static_cast<sqlite3_int64>(number));
    const int code = sqlite3_step(write.get());
    if (code != SQLITE_DONE) ThrowFailure(code);
  }
  Execute("PRAGMA synchronous = NORMAL");
}

void ReplyCache::KeepBatch(const SentBatch& batch) {
  const std::string_view texts[] = {batch.token, batch.url, batch.batch, batch.questions};
  const std::uint64_t numbers[] = {batch.form, batch.left_out};
  WriteBatches("INSERT OR REPLACE INTO batches VALUES(?, ?, ?, ?, ?, ?)", texts, numbers);
}

void ReplyCache::ForgetBatch(const std::string& token) {
  const std::string_view texts[] = {token};
  WriteBatches("DELETE FROM batches WHERE token = ?", texts, {});
}

std::vector<SentBatch> ReplyCache::Batches() {
  const std::lock_guard lock(mutex_);
  std::vector<SentBatch> batches;
  if (PragmaText("SELECT count(*) FROM sqlite_schema WHERE name = 'batches'") == "0") return batches;
  const Statement all =
      Prepare("SELECT token, url, batch, questions, form, left_out FROM batches ORDER BY token");
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(all.get())) == SQLITE_ROW) {
    const auto text = [&](int column) { return std::string(ColumnOf(all.get(), column)); };
    const auto number = [&](int column) {
      return static_cast<std::uint64_t>(sqlite3_column_int64(all.get(), column));
    };
    batches.push_back({text(0), text(1), text(2), text(3), number(4), number(5)});
  }
  if (code != SQLITE_DONE) ThrowFailure(code);
  return batches;
}

void ReplyCache::Check() {
  std::call_once(checked_, [this] {
    ForEach([this](std::string_view, const KeptReply* reply) {
      if (reply == nullptr) ThrowFailure(SQLITE_CORRUPT);
    });
  });
}

void ReplyCache::ThrowFailure(int code) const {
  const std::string name = QuoteForMessage(path_, 256);
  switch (code & 0xff) {
    case SQLITE_NOMEM:
      throw std::bad_alloc();
    case SQLITE_NOTADB:
      throw Error(ErrorCode::kInput, fmt::format("{} is not a judge cache; name another file", name));
    case SQLITE_CORRUPT:
      throw Error(ErrorCode::kInput,
                  fmt::format("the judge cache {} is damaged; `leafscore judge-cache verify` shows where, "
                              "and `export` saves the undamaged replies",
                              name));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw Error(
          ErrorCode::kOutput,
          fmt::format("another program has locked the judge cache {} for {} s; try again when it has ended",
                      name, kPatienceMs / 1000));
    case SQLITE_FULL:
      throw Error(ErrorCode::kOutput,
                  fmt::format("the disk is full, so the judge cache {} cannot be written", name));
    default:
      throw Error(ErrorCode::kOutput,
                  fmt::format("the judge cache {} cannot be used: {}", name, sqlite3_errstr(code)));
  }
}

}  // namespace leafscore::internal
