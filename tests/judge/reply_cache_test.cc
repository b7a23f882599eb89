// The cache of replies: kept, shared, damaged in every byte, held by others, on a disk that is full.
#include "engine/judge/reply_cache.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "engine/judge/sha256.h"
#include "io/io_test_util.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

KeptReply ReplyTo(const std::string& request, const std::string& body = "{\"score\": 1}") {
  return {request, "json_schema", body};
}

class ReplyCacheTest : public ::testing::Test {
 protected:
  ReplyCache Open(ReplyCache::Access access = ReplyCache::Access::kReadWrite) { return {path_, access}; }

  // Does what SQL says, as somebody else might.
  void Execute(const std::string& sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
    sqlite3_close(database);
  }

  // The names of all files there.
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(folder_ / ".")) {
      names.push_back(file.path().filename());
    }
    return names;
  }

  TempDir folder_;
  const std::string path_ = folder_ / "replies.db";
};

// FIPS 180-2, appendix B, behind the length of the text.
TEST(Sha256Test, HashesTextsBehindTheirLengths) {
  // printf '3:abc' | sha256sum
  EXPECT_EQ(HexOf(HashOf({"abc"})), "aab5f9ae99b2e38fb462025c8f72f570c9c811705d2a4277dc855d7fa293fe97");
  EXPECT_NE(HashOf({"ab", "c"}), HashOf({"a", "bc"}));
  EXPECT_NE(HashOf({""}), HashOf({}));
}

TEST_F(ReplyCacheTest, KeepsRepliesFromRunToRun) {
  const KeptReply reply = ReplyTo("question", std::string("{\0}", 3));
  {
    ReplyCache cache = Open();
    EXPECT_EQ(cache.Find(KeyOf("question")), std::nullopt);
    EXPECT_EQ(cache.Keep(KeyOf("question"), reply), reply);
    EXPECT_EQ(cache.Find(KeyOf("question")), reply);
  }
  EXPECT_EQ(Open().Find(KeyOf("question")), reply);
  EXPECT_EQ(Open(ReplyCache::Access::kReadOnly).Find(KeyOf("question")), reply);
  EXPECT_EQ(Open().Find(KeyOf("another")), std::nullopt);
}

TEST_F(ReplyCacheTest, KeepsTheFirstOfTwoReplies) {
  ReplyCache one = Open();
  ReplyCache other = Open();
  EXPECT_EQ(one.Keep(KeyOf("q"), ReplyTo("q", "first")).body, "first");
  EXPECT_EQ(other.Keep(KeyOf("q"), ReplyTo("q", "second")).body, "first");
}

TEST_F(ReplyCacheTest, IsSharedByThreadsAndRuns) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      ReplyCache cache = Open();
      for (int i = 0; i < 50; ++i) {
        const std::string request = std::to_string(i * (t % 2 + 1));
        cache.Keep(KeyOf(request), ReplyTo(request, "of thread " + std::to_string(t)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  int rows = 0;
  Open().ForEach([&](std::string_view, const KeptReply* reply) { rows += reply != nullptr; });
  EXPECT_EQ(rows, 75);  // 0 to 49, and the even numbers up to 98
}

TEST_F(ReplyCacheTest, IsWholeAfterAKillAtAnyMoment) {
  for (int round = 0; round < 5; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      ReplyCache cache = Open();
      for (int i = 0;; ++i) {
        const std::string request = std::to_string(round) + "-" + std::to_string(i);
        cache.Keep(KeyOf(request), ReplyTo(request));
        if (i == 20 * round) std::filesystem::create_directory(folder_ / ("reached" + std::to_string(round)));
      }
    }
    while (!std::filesystem::exists(folder_ / ("reached" + std::to_string(round)))) usleep(1000);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    ReplyCache cache = Open();
    for (int i = 0; i <= 20 * round; ++i) {
      const std::string request = std::to_string(round) + "-" + std::to_string(i);
      ASSERT_EQ(cache.Find(KeyOf(request)), ReplyTo(request)) << request;
    }
  }
}

TEST_F(ReplyCacheTest, FindsEveryChangeOfARow) {
  Open().Keep(KeyOf("q"), ReplyTo("q"));
  for (const char* const change :
       {"body = X'7b7d'", "asked_with = 'text'", "request = 'p'", "checksum = X'00'"}) {
    Execute("CREATE TABLE saved AS SELECT * FROM replies");
    Execute(std::string("UPDATE replies SET ") + change);
    EXPECT_NE(ErrorOf(ErrorCode::kInput, [&] { Open().Find(KeyOf("q")); }).find("is damaged"),
              std::string::npos)
        << change;
    int damaged = 0;
    Open().ForEach([&](std::string_view, const KeptReply* reply) { damaged += reply == nullptr; });
    EXPECT_EQ(damaged, 1) << change;
    Execute("DELETE FROM replies; INSERT INTO replies SELECT * FROM saved; DROP TABLE saved");
  }
  EXPECT_EQ(Open().Find(KeyOf("q")), ReplyTo("q"));
}

// Whatever byte is damaged, a reply is the one that was kept, or there is an error or no reply.
TEST_F(ReplyCacheTest, NeverReadsAnotherReplyFromADamagedFile) {
  const KeptReply reply = ReplyTo("q", std::string(2000, 'x'));
  Open().Keep(KeyOf("q"), reply);
  const std::string whole = ReadFile(path_);
  ASSERT_GT(whole.size(), 4000u);
  for (std::size_t at = 0; at < whole.size(); at += at < 200 ? 1 : 37) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
    WriteFile(path_, damaged);
    try {
      const std::optional<KeptReply> found = Open(ReplyCache::Access::kReadOnly).Find(KeyOf("q"));
      EXPECT_TRUE(!found || *found == reply) << at;
    } catch (const Error&) {
    }
  }
}

TEST_F(ReplyCacheTest, RefusesFilesOfOthers) {
  WriteFile(path_, "id,answer\n1,yes\n" + std::string(2000, '\n'));
  EXPECT_EQ(ErrorOf(ErrorCode::kInput, [&] { Open(); }),
            "\"" + path_ + "\" is not a judge cache; name another file");
  EXPECT_EQ(ReadFile(path_).substr(0, 9), "id,answer");
  std::filesystem::remove(path_);
  Execute("CREATE TABLE mine(a); INSERT INTO mine VALUES(1)");
  const std::string before = ReadFile(path_);
  EXPECT_NE(ErrorOf(ErrorCode::kInput, [&] { Open(); }).find("is not a judge cache of this version"),
            std::string::npos);
  EXPECT_EQ(ReadFile(path_), before);
}

// A spare file is read like a cache, and written to as none.
TEST_F(ReplyCacheTest, TellsASpareFileFromACache) {
  Open().Keep(KeyOf("q"), ReplyTo("q"));
  EXPECT_FALSE(ReplyCache::IsSpare(path_));
  EXPECT_FALSE(ReplyCache::IsSpare(folder_ / "none"));
  EXPECT_NE(ErrorOf(ErrorCode::kInput,
                    [&] { ReplyCache(path_, ReplyCache::Access::kReadWrite, ReplyCache::Kind::kSpare); })
                .find("is not a judge cache"),
            std::string::npos);
  std::filesystem::remove(path_);
  ReplyCache(path_, ReplyCache::Access::kReadWrite, ReplyCache::Kind::kSpare).Keep(KeyOf("q"), ReplyTo("q"));
  EXPECT_TRUE(ReplyCache::IsSpare(path_));
  EXPECT_EQ(Open(ReplyCache::Access::kReadOnly).Find(KeyOf("q")), ReplyTo("q"));
  EXPECT_NE(ErrorOf(ErrorCode::kInput, [&] { Open(); }).find("is not a judge cache"), std::string::npos);
  EXPECT_EQ(Files(), std::vector<std::string>{"replies.db"});
  WriteFile(path_, ReadFile(path_).substr(0, 71));
  EXPECT_FALSE(ReplyCache::IsSpare(path_));
}

TEST_F(ReplyCacheTest, ProbesByAWriteThatChangesNothing) {
  ReplyCache cache = Open();
  cache.Keep(KeyOf("q"), ReplyTo("q"));
  const std::string ahead = ReadFile(path_ + "-wal");
  cache.Probe();
  EXPECT_GT(ReadFile(path_ + "-wal").size(), ahead.size());
  EXPECT_EQ(cache.Find(KeyOf("q")), ReplyTo("q"));
}

TEST_F(ReplyCacheTest, ToReadItMustBeThere) {
  EXPECT_EQ(ErrorOf(ErrorCode::kInput, [&] { Open(ReplyCache::Access::kReadOnly); }),
            "there is no judge cache \"" + path_ + "\"");
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(ReplyCacheTest, IsReadWhereNothingCanBeWritten) {
  Open().Keep(KeyOf("q"), ReplyTo("q"));
  std::filesystem::permissions(path_, std::filesystem::perms::owner_read);
  std::filesystem::permissions(std::filesystem::path(path_).parent_path(),
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_EQ(Open(ReplyCache::Access::kReadOnly).Find(KeyOf("q")), ReplyTo("q"));
  std::filesystem::permissions(std::filesystem::path(path_).parent_path(), std::filesystem::perms::owner_all);
}

TEST_F(ReplyCacheTest, ReadingLeavesNothingBesideIt) {
  Open().Keep(KeyOf("q"), ReplyTo("q"));
  const std::string bytes = ReadFile(path_);
  {
    ReplyCache cache = Open(ReplyCache::Access::kReadOnly);
    EXPECT_EQ(cache.Find(KeyOf("q")), ReplyTo("q"));
    ReplyCache another = Open(ReplyCache::Access::kReadOnly);
    another.Check();
  }
  EXPECT_EQ(Files(), std::vector<std::string>{"replies.db"});
  EXPECT_EQ(ReadFile(path_), bytes);
}

// What a killed run has written ahead is read, and stays for the next one.
TEST_F(ReplyCacheTest, ReadingLeavesWhatAKilledRunHasLeft) {
  const pid_t child = fork();
  if (child == 0) {
    ReplyCache cache = Open();
    cache.Keep(KeyOf("q"), ReplyTo("q"));
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  const std::string ahead = ReadFile(path_ + "-wal");
  const std::string bytes = ReadFile(path_);
  EXPECT_GT(ahead.size(), 0u);
  EXPECT_EQ(Open(ReplyCache::Access::kReadOnly).Find(KeyOf("q")), ReplyTo("q"));
  EXPECT_EQ(ReadFile(path_ + "-wal"), ahead);
  EXPECT_EQ(ReadFile(path_), bytes);
  EXPECT_EQ(Open().Find(KeyOf("q")), ReplyTo("q"));
  EXPECT_EQ(Files(), std::vector<std::string>{"replies.db"});
}

TEST_F(ReplyCacheTest, SaysWhenItCannotBeWritten) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    ReplyCache cache = Open();
    const rlimit limit{100'000, 100'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    int kept = 0;
    try {
      for (; kept < 1000; ++kept) {
        cache.Keep(KeyOf(std::to_string(kept)), ReplyTo(std::to_string(kept), std::string(1000, 'x')));
      }
    } catch (const Error& error) {
      _exit(error.code() == ErrorCode::kOutput ? kept : 251);
    }
    _exit(252);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  const int kept = WEXITSTATUS(status);
  EXPECT_GT(kept, 5);
  EXPECT_LT(kept, 100);
  ReplyCache cache = Open();
  for (int i = 0; i < kept; ++i) {
    EXPECT_EQ(cache.Find(KeyOf(std::to_string(i))), ReplyTo(std::to_string(i), std::string(1000, 'x')));
  }
}

}  // namespace
}  // namespace leafscore::internal
