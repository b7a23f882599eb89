#include "engine/io/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <thread>

#include "tests/io/io_test_util.h"

namespace leafscore::internal {
namespace {

using std::filesystem::exists;

class OutputFileTest : public testing::TestWithParam<const char*> {
 protected:
  const TempDir dir_;
  const std::string path_ = dir_ / GetParam();
  const std::string partial_ = path_ + ".partial";
};

TEST_P(OutputFileTest, AppearsWhenItIsCommitted) {
  WriteFile(path_, "old");
  const auto file = OutputFile::Open(path_);
  file->Write("one\n");
  file->Write("");
  file->Write("two\n");
  EXPECT_EQ(ReadFile(path_), "old");
  EXPECT_TRUE(exists(partial_));
  file->Commit();
  EXPECT_EQ(ReadAll(path_).bytes, "one\ntwo\n");
  EXPECT_EQ(ReadAll(path_).error, "");
  EXPECT_FALSE(exists(partial_));
}

TEST_P(OutputFileTest, IsWholeWhenNothingWasWritten) {
  OutputFile::Open(path_)->Commit();
  EXPECT_TRUE(exists(path_));
  EXPECT_EQ(ReadAll(path_).bytes, "");
  EXPECT_EQ(ReadAll(path_).error, "");
}

TEST_P(OutputFileTest, LeavesNothingWhenItIsAbandoned) {
  {
    const auto file = OutputFile::Open(path_);
    file->Write("one\n");
  }
  EXPECT_FALSE(exists(path_));
  EXPECT_FALSE(exists(partial_));
}

TEST_P(OutputFileTest, KeepsAReadablePartialFileWhichTheNextRunLeaves) {
  {
    const auto file = OutputFile::Open(path_);
    file->Write("a longer first run\n");
    EXPECT_EQ(file->KeepPartial(), partial_);
  }
  EXPECT_FALSE(exists(path_));
  EXPECT_EQ(ReadAll(partial_).bytes, "a longer first run\n");
  EXPECT_EQ(ReadAll(partial_).error, "");

  const auto file = OutputFile::Open(path_);
  EXPECT_EQ(file->leftovers(), std::vector<std::string>{partial_});
  file->Write("two\n");
  file->Commit();
  EXPECT_EQ(ReadAll(path_).bytes, "two\n");
  EXPECT_EQ(ReadAll(partial_).bytes, "a longer first run\n");
}

TEST_P(OutputFileTest, BytesDoNotDependOnTheSizesOfWrites) {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += std::to_string(i * 7919 % 65'537) + "\n";
  std::string first;
  for (const std::size_t piece :
       {std::size_t{1000}, std::size_t{131'072}, std::size_t{131'073}, text.size()}) {
    const auto file = OutputFile::Open(path_);
    for (std::size_t i = 0; i < text.size(); i += piece) file->Write(std::string_view(text).substr(i, piece));
    file->Commit();
    EXPECT_TRUE(ReadAll(path_).bytes == text);
    if (first.empty()) first = ReadFile(path_);
    EXPECT_TRUE(ReadFile(path_) == first) << piece;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, OutputFileTest,
                         testing::Values("out.jsonl", "out.jsonl.gz", "out.jsonl.zst"));

TEST(OutputFile, RefusesASecondRunToTheSamePath) {
  const TempDir dir;
  const auto file = OutputFile::Open(dir / "out");
  file->Write("one\n");
  EXPECT_EQ(ErrorOf(ErrorCode::kOutput, [&] { OutputFile::Open(dir / "out"); }),
            "another run is writing " + (dir / "out") + ": wait until it ends, or name another output");
  file->Commit();
  EXPECT_EQ(ReadFile(dir / "out"), "one\n");
  OutputFile::Open(dir / "out")->Commit();
  EXPECT_EQ(ReadFile(dir / "out"), "");
}

TEST(OutputFile, NamesWhatCannotBeOpened) {
  const TempDir dir;
  const std::string missing = dir / "none/out";
  EXPECT_EQ(ErrorOf(ErrorCode::kOutput, [&] { OutputFile::Open(missing); }),
            "cannot write " + missing + ".partial for " + missing + ": No such file or directory");
  EXPECT_EQ(ErrorOf(ErrorCode::kOutput, [&] { OutputFile::Open(dir / ""); }),
            "cannot write " + (dir / "") + ": Is a directory");
  EXPECT_NE(ErrorOf(ErrorCode::kOutput, [&] { OutputFile::Open(""); }), "");
  std::filesystem::create_symlink(dir / "elsewhere", dir / "dangling");
  EXPECT_NE(ErrorOf(ErrorCode::kOutput, [&] { OutputFile::Open(dir / "dangling"); }), "");
}

TEST(OutputFile, ReplacesTheFileBehindASymbolicLinkAndKeepsItsPermissions) {
  const TempDir dir;
  WriteFile(dir / "real", "old");
  chmod((dir / "real").c_str(), 0600);
  std::filesystem::create_symlink(dir / "real", dir / "link");
  const auto file = OutputFile::Open(dir / "link");
  file->Write("new\n");
  file->Commit();
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "link"));
  EXPECT_EQ(ReadFile(dir / "real"), "new\n");
  EXPECT_EQ(std::filesystem::status(dir / "real").permissions(), std::filesystem::perms(0600));
}

TEST(OutputFile, WritesDevicesAndPipesDirectly) {
  const auto null = OutputFile::Open("/dev/null");
  null->Write("one\n");
  null->Commit();
  EXPECT_FALSE(exists("/dev/null.partial"));

  const TempDir dir;
  ASSERT_EQ(mkfifo((dir / "fifo").c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = ReadFile(dir / "fifo"); });
  const auto file = OutputFile::Open(dir / "fifo");
  file->Write("one\n");
  file->Commit();
  reader.join();
  EXPECT_EQ(read, "one\n");
}

TEST(OutputFile, ReportsAFullDisk) {
  const auto file = OutputFile::Open("/dev/full");
  EXPECT_EQ(ErrorOf(ErrorCode::kOutput, [&] { file->Write("one\n"); }),
            "cannot write /dev/full after 0 bytes: No space left on device");
  EXPECT_NE(ErrorOf(ErrorCode::kOutput, [&] { file->Commit(); }), "");
}

TEST(OutputFile, ReportsAClosedPipe) {
  signal(SIGPIPE, SIG_IGN);
  const TempDir dir;
  ASSERT_EQ(mkfifo((dir / "fifo").c_str(), 0600), 0);
  const int reader = open((dir / "fifo").c_str(), O_RDONLY | O_NONBLOCK);
  const auto file = OutputFile::Open(dir / "fifo");
  file->Write("one\n");
  close(reader);
  EXPECT_EQ(ErrorOf(ErrorCode::kOutput, [&] { file->Write("two\n"); }),
            "cannot write " + (dir / "fifo") + " after 4 bytes: Broken pipe");
}

// Runs `action` in a child that may not write files larger than `bytes`, and returns its exit status.
template <typename Action>
int RunWithFileSizeLimit(rlim_t bytes, Action&& action) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(action());
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(OutputFile, EndsOnAWholeRecordWhenTheFileCannotGrow) {
  const TempDir dir;
  for (rlim_t limit = 0; limit <= 30; ++limit) {
    const std::string whole = std::to_string(limit / 10 * 10);
    const int status = RunWithFileSizeLimit(limit, [&] {
      const auto file = OutputFile::Open(dir / "out");
      std::string message;
      try {
        for (int i = 0; i < 4; ++i) file->Write("123456789\n");
        return 1;
      } catch (const Error& error) {
        message = error.what();
      }
      if (message != "cannot write " + (dir / "out") + " after " + whole + " bytes: File too large") return 2;
      file->KeepPartial();
      return 0;
    });
    EXPECT_EQ(status, 0) << limit;
    EXPECT_EQ(std::to_string(ReadFile(dir / "out.partial").size()), whole) << limit;
    std::filesystem::remove(dir / "out.partial");
  }
}

TEST(OutputFile, KeepsTheWholePartsOfWhatCouldNotBeWrittenWhole) {
  const TempDir dir;
  const std::vector<std::size_t> ends = {10, 10, 30};
  for (rlim_t limit = 0; limit <= 35; ++limit) {
    const std::size_t whole = limit < 5 ? 0 : limit < 15 ? 5 : limit < 35 ? 15 : 35;
    const int status = RunWithFileSizeLimit(limit, [&] {
      const auto file = OutputFile::Open(dir / "out");
      try {
        file->Write("1234\n");
        file->Write("123456789\n1234567890123456789\n", ends);
        file->KeepPartial();
        return 1;
      } catch (const Error&) {
        file->KeepPartial();
        return file->written_bytes() == whole ? 0 : 2;
      }
    });
    EXPECT_EQ(status, limit == 35 ? 1 : 0) << limit;
    // A file in which there is nothing does not stay.
    EXPECT_EQ(std::filesystem::exists(dir / "out.partial"), whole != 0) << limit;
    EXPECT_EQ(ReadFile(dir / "out.partial").size(), whole) << limit;
    std::filesystem::remove(dir / "out.partial");
  }
}

TEST(OutputFile, ReportsACompressedFileThatCannotGrow) {
  const TempDir dir;
  for (const std::string name : {"out.gz", "out.zst"}) {
    const int status = RunWithFileSizeLimit(5, [&] {
      const auto file = OutputFile::Open(dir / name);
      file->Write("123456789\n");
      try {
        file->Commit();
      } catch (const Error& error) {
        return std::string(error.what()).find(dir / name) == std::string::npos ? 2 : 0;
      }
      return 1;
    });
    EXPECT_EQ(status, 0);
    EXPECT_FALSE(exists(dir / name));
  }
}

// Standard output that is a file shared with others: only our own half record is cut.
TEST(OutputFile, CutsStandardOutputBackToAWholeRecord) {
  const TempDir dir;
  WriteFile(dir / "log", "before\n");
  const int status = RunWithFileSizeLimit(20, [&] {
    const int log = open((dir / "log").c_str(), O_WRONLY | O_APPEND);
    dup2(log, STDOUT_FILENO);
    const auto file = OutputFile::Open("-");
    try {
      for (int i = 0; i < 4; ++i) file->Write("123456789\n");
    } catch (const Error&) {
      return 0;
    }
    return 1;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(ReadFile(dir / "log"), "before\n123456789\n");
}

}  // namespace
}  // namespace leafscore::internal
