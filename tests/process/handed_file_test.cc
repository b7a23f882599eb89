// Texts that programs read like files: whole, each time from the start, and nowhere in a folder.
#include "engine/process/handed_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "engine/process/child_process.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

// Returns what a program prints.
std::string OutputOf(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {program};
  all.insert(all.end(), arguments.begin(), arguments.end());
  ChildProcess child({FindProgram(program, "/"), all, "/", std::uint64_t{4} << 30});
  EXPECT_EQ(child.ExchangeAll("", {std::chrono::seconds(60), 1 << 20}), TurnEnd::kExited);
  return std::string(child.output());
}

TEST(HandedFileTest, IsReadFromTheStartEachTime) {
  const HandedFile file("what a program reads\n");
  const HandedFile another("");
  EXPECT_EQ(ReadFile(file.path()), "what a program reads\n");
  EXPECT_EQ(ReadFile(file.path()), "what a program reads\n");
  EXPECT_EQ(ReadFile(another.path()), "");
  EXPECT_EQ(OutputOf("cat", {file.path(), another.path(), file.path()}),
            "what a program reads\nwhat a program reads\n");
}

TEST(HandedFileTest, IsThereForWhatAProgramStartsAndInheritsNothing) {
  const HandedFile file("for all of them");
  EXPECT_EQ(
      OutputOf("sh", {"-c", "for n in 3 4 5 6 7 8 9; do eval \"exec $n>&-\"; done; sh -c 'cat \"$0\"' \"$0\"",
                      file.path()}),
      "for all of them");
}

TEST(HandedFileTest, GoesWithItsObject) {
  std::optional<HandedFile> file("gone");
  const std::string path = file->path();
  file.reset();
  EXPECT_NE(ReadFile(path), "gone");
}

// Such files were removed, whatever was in them.
TEST(HandedFileTest, FilesInTheTemporaryFolderAreLeftAlone) {
  const TempDir folder;
  setenv("TMPDIR", (folder / "").c_str(), 1);
  WriteFile(folder / "leafscore-output-notes.txt", "the user's");
  WriteFile(folder / "leafscore-output-Ab3dEf", "the user's, too");
  { const HandedFile file("an answer"); }
  unsetenv("TMPDIR");
  EXPECT_EQ(ReadFile(folder / "leafscore-output-notes.txt"), "the user's");
  EXPECT_EQ(ReadFile(folder / "leafscore-output-Ab3dEf"), "the user's, too");
  const auto files = std::filesystem::directory_iterator(folder / ".");
  EXPECT_EQ(std::distance(begin(files), end(files)), 2);
}

TEST(HandedFileTest, NoRoomIsAnError) {
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
}

}  // namespace
}  // namespace leafscore::internal
