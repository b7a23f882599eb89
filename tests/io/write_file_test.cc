#include "engine/io/write_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/io/io_test_util.h"

namespace leafscore::internal {
namespace {

TEST(MakeNewFile, TakesTheFirstFreeNumberAndTouchesNothing) {
  const TempDir dir;
  const FileDescriptor folder(open((dir / "").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  EXPECT_EQ(MakeNewFile(folder.get(), "f", 0600).number, 1);
  WriteFile(dir / "f", "kept");
  std::filesystem::create_symlink(dir / "nowhere", dir / "f-2");
  const NewFile third = MakeNewFile(folder.get(), "f", 0600);
  EXPECT_TRUE(third.file.valid());
  EXPECT_EQ(NumberedName("f", third.number), "f-3");
  EXPECT_TRUE(std::filesystem::exists(dir / "f-3"));
  EXPECT_EQ(ReadFile(dir / "f"), "kept");
  EXPECT_FALSE(std::filesystem::exists(dir / "nowhere"));
}

TEST(MakeNewFile, TellsWhyThereIsNone) {
  EXPECT_FALSE(MakeNewFile(AT_FDCWD, "/no/such/folder/f", 0600).file.valid());
  EXPECT_EQ(errno, ENOENT);
}

class WriteAllTest : public testing::Test {
 protected:
  WriteAllTest() { EXPECT_EQ(pipe2(ends_, O_CLOEXEC), 0); }
  ~WriteAllTest() override {
    close(ends_[0]);
    close(ends_[1]);
  }

  // Reads so many bytes, less only at the end.
  std::string Read(std::size_t bytes) const {
    std::string text(bytes, '\0');
    std::size_t size = 0;
    while (size < bytes) {
      const ssize_t n = read(ends_[0], text.data() + size, bytes - size);
      if (n <= 0) break;
      size += static_cast<std::size_t>(n);
    }
    text.resize(size);
    return text;
  }

  int ends_[2];  // to read from, to write to
};

std::string Lines(std::size_t count, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += std::string(bytes - 1, static_cast<char>('a' + i % 26)) + '\n';
  return text;
}

TEST_F(WriteAllTest, AReaderGetsAllWhateverTheSizeOfALine) {
  const std::atomic<bool> stop{false};
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{100}, std::size_t{PIPE_BUF} - 1,
                                  std::size_t{PIPE_BUF}, std::size_t{PIPE_BUF} + 1, std::size_t{300'000}}) {
    const std::string text = Lines(600'000 / bytes, bytes);
    std::string read;
    std::thread reader([&] { read = Read(text.size()); });
    EXPECT_EQ(WriteAll(ends_[1], text, &stop), text.size());
    reader.join();
    EXPECT_TRUE(read == text) << bytes;
  }
}

TEST_F(WriteAllTest, AStopEndsTheWaitForAStuckReaderAfterAWholeLine) {
  const std::atomic<bool> stop{true};
  const std::string text = Lines(20'000, 97);
  const std::size_t written = WriteAll(ends_[1], text, &stop);
  EXPECT_EQ(errno, ECANCELED);
  EXPECT_GT(written, 0u);
  EXPECT_LT(written, text.size());
  EXPECT_EQ(written % 97, 0u);
  EXPECT_EQ(WriteAll(ends_[1], "more\n", &stop), 0u);
  EXPECT_EQ(Read(written), text.substr(0, written));
}

TEST_F(WriteAllTest, AfterAStopALineThatWasBegunIsFinished) {
  const std::atomic<bool> stop{true};
  const std::string text = Lines(2, 200'000);
  std::string read;
  std::thread reader([&] { read = Read(200'000); });
  const std::size_t written = WriteAll(ends_[1], text, &stop);
  reader.join();
  EXPECT_GE(written, 200'000u);
  EXPECT_TRUE(read == text.substr(0, 200'000));
}

TEST_F(WriteAllTest, AStopDoesNotWaitLongForTheRestOfALine) {
  const std::atomic<bool> stop{true};
  const std::size_t written = WriteAll(ends_[1], Lines(1, 1'000'000), &stop);
  EXPECT_EQ(errno, ECANCELED);
  EXPECT_LT(written, 1'000'000u);
}

TEST_F(WriteAllTest, AStopDoesNotCutWhatGoesToAFile) {
  const TempDir dir;
  const std::atomic<bool> stop{true};
  const std::string text = Lines(2, 200'000);
  const NewFile made = MakeNewFile(AT_FDCWD, dir / "f", 0600);
  EXPECT_EQ(WriteAll(made.file.get(), text, &stop), text.size());
  EXPECT_TRUE(ReadFile(dir / "f") == text);
}

}  // namespace
}  // namespace leafscore::internal
