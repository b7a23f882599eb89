// Files for programs: whole, removed, and what killed runs have left of them.
#include "engine/process/handed_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>

#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;

class HandedFileTest : public ::testing::Test {
 protected:
  void SetUp() override { setenv("TMPDIR", (folder_ / "").c_str(), 1); }
  void TearDown() override { unsetenv("TMPDIR"); }

  std::set<std::string> Files() const {
    std::set<std::string> names;
    for (const auto& file : fs::directory_iterator(folder_ / ".")) names.insert(file.path().filename());
    return names;
  }

  // Returns the path of the file that a run with these bytes has left as it was killed.
  std::string LeftByAKilledRun(const std::string& bytes) const {
    const std::set<std::string> before = Files();
    const pid_t child = fork();
    if (child == 0) {
      const HandedFile file(bytes);
      kill(getpid(), SIGKILL);
    }
    waitpid(child, nullptr, 0);
    for (const std::string& name : Files()) {
      if (!before.contains(name)) return folder_ / name;
    }
    return "";
  }

  const TempDir folder_;
};

TEST_F(HandedFileTest, IsThereAsLongAsItsObject) {
  {
    const HandedFile file("what a program reads\n");
    const HandedFile another("");
    EXPECT_EQ(ReadFile(file.path()), "what a program reads\n");
    EXPECT_EQ(Files().size(), 2u);
  }
  EXPECT_EQ(Files().size(), 0u);
}

TEST_F(HandedFileTest, OfAKilledRunItIsRemovedAndOfOthersNot) {
  const std::string left = LeftByAKilledRun("left");
  ASSERT_EQ(ReadFile(left), "left");
  const HandedFile mine("mine");
  WriteFile(folder_ / "leafscore-result", "a name of somebody else");
  fs::create_directory(folder_ / "leafscore-output-folder");
  fs::create_symlink(folder_ / "leafscore-result", folder_ / "leafscore-output-link");
  HandedFile::RemoveLeft();
  EXPECT_EQ(Files(), (std::set<std::string>{fs::path(mine.path()).filename(), "leafscore-output-folder",
                                            "leafscore-output-link", "leafscore-result"}));
  EXPECT_EQ(ReadFile(mine.path()), "mine");
}

// Only the first file of a process looks: this one is executed anew.
TEST_F(HandedFileTest, TheFirstOfARunRemovesWhatIsLeft) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::string left = LeftByAKilledRun("left");
  ASSERT_NE(left, "");
  EXPECT_EXIT(
      {
        const HandedFile file("mine");
        _exit(fs::exists(left) ? 1 : 0);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(HandedFileTest, WhatFindsNoRoomIsRemoved) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      const HandedFile file(std::string(1001, 'x'));
    } catch (const std::system_error& error) {
      _exit(error.code() == std::errc::file_too_large ? 0 : 1);
    }
    _exit(2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Files().size(), 0u);
}

}  // namespace
}  // namespace leafscore::internal
