#include "engine/io/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/io/write_file.h"
#include "tests/io/io_test_util.h"

namespace leafscore::internal {
namespace {

using std::filesystem::exists;

void WriteNew(AtomicFile& file) {
  EXPECT_TRUE(file.Begin());
  EXPECT_EQ(WriteAll(file.fd(), "new"), 3u);
}

class AtomicFileTest : public testing::Test {
 protected:
  // Opens the file, by its path or in its folder.
  void Open(bool in_folder) {
    file_.reset();
    if (in_folder) {
      file_.emplace(folder_.get(), "name", "shown");
    } else {
      file_.emplace(path_, "shown", 0666);
    }
    partial_ = in_folder ? dir_ / ".name.partial" : path_ + ".partial";
  }

  const TempDir dir_;
  const std::string path_ = dir_ / "name";
  const FileDescriptor folder_{open((dir_ / "").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  std::string partial_;
  std::optional<AtomicFile> file_;
};

TEST_F(AtomicFileTest, AppearsWhenItIsRenamed) {
  for (const bool in_folder : {false, true}) {
    WriteFile(path_, "old");
    Open(in_folder);
    WriteNew(*file_);
    EXPECT_EQ(ReadFile(path_), "old");
    EXPECT_EQ(ReadFile(partial_), "new");
    EXPECT_TRUE(file_->Rename());
    file_->SyncFolder();
    file_.reset();
    EXPECT_EQ(ReadFile(path_), "new");
    EXPECT_FALSE(exists(partial_));
  }
}

TEST_F(AtomicFileTest, IsRemovedUnlessItIsRenamedOrKept) {
  for (const bool in_folder : {false, true}) {
    Open(in_folder);
    WriteNew(*file_);
    file_.reset();
    EXPECT_FALSE(exists(partial_));
    Open(in_folder);
    WriteNew(*file_);
    file_->Keep();
    file_.reset();
    EXPECT_EQ(ReadFile(partial_), "new");
    EXPECT_FALSE(exists(path_));
  }
}

TEST_F(AtomicFileTest, LeavesAloneWhatLiesUnderPartialNames) {
  for (const bool in_folder : {false, true}) {
    Open(in_folder);
    file_->Keep();
    file_.reset();
    WriteFile(partial_, "left over");
    WriteFile(dir_ / "outside", "kept");
    std::filesystem::create_symlink(dir_ / "outside", partial_ + "-2");
    Open(in_folder);
    WriteNew(*file_);
    EXPECT_TRUE(file_->partial_name().ends_with(".partial-3"));
    ASSERT_EQ(file_->leftovers().size(), 2u);
    EXPECT_TRUE(partial_.ends_with(file_->leftovers()[0]));
    EXPECT_TRUE((partial_ + "-2").ends_with(file_->leftovers()[1]));
    EXPECT_TRUE(file_->Rename());
    EXPECT_EQ(ReadFile(path_), "new");
    EXPECT_EQ(ReadFile(partial_), "left over");
    EXPECT_EQ(ReadFile(dir_ / "outside"), "kept");
  }
}

// What a run leaves that was killed before it wrote anything.
TEST_F(AtomicFileTest, WhatWasMadeAndNotWrittenToIsRemovedByTheNext) {
  for (const int number : {1, 2}) {
    Open(/*in_folder=*/false);
    EXPECT_EQ(file_->partial_number(), 1) << number;
    file_->Keep();
  }
  EXPECT_NE(ReadFile(partial_), "");
  Open(/*in_folder=*/false);
  EXPECT_EQ(file_->partial_name(), partial_);
  EXPECT_TRUE(file_->leftovers().empty());
}

TEST_F(AtomicFileTest, NothingElseIsRemovedThatLooksLikeThat) {
  Open(/*in_folder=*/false);
  file_->Keep();
  file_.reset();
  const std::string mark = ReadFile(partial_);
  std::filesystem::rename(partial_, dir_ / "moved");
  WriteFile(partial_, mark);  // another file with these bytes
  WriteFile(partial_ + "-2", "");
  std::filesystem::create_symlink(dir_ / "moved", partial_ + "-3");
  std::filesystem::create_hard_link(dir_ / "moved", partial_ + "-4");
  Open(/*in_folder=*/false);
  EXPECT_EQ(file_->partial_number(), 5);
  EXPECT_EQ(ReadFile(partial_), mark);
  EXPECT_EQ(ReadFile(dir_ / "moved"), mark);
  std::filesystem::remove(partial_ + "-4");
  file_.reset();
  std::filesystem::remove(partial_);
  std::filesystem::rename(dir_ / "moved", partial_);
  WriteFile(partial_, mark + "more");
  Open(/*in_folder=*/false);
  EXPECT_EQ(ReadFile(partial_), mark + "more");
}

TEST_F(AtomicFileTest, WhatIsStillToBeWrittenIsNotRemoved) {
  Open(/*in_folder=*/false);
  EXPECT_NE(ErrorOf(ErrorCode::kOutput, [&] { AtomicFile(path_, "shown", 0666); }), "");
  EXPECT_TRUE(exists(partial_));
  WriteNew(*file_);
  EXPECT_TRUE(file_->Rename());
  EXPECT_EQ(ReadFile(path_), "new");
}

TEST_F(AtomicFileTest, LeavesAloneWhatTookItsName) {
  for (const bool in_folder : {false, true}) {
    Open(in_folder);
    std::filesystem::rename(partial_, dir_ / "moved");
    EXPECT_FALSE(file_->Rename());
    EXPECT_EQ(errno, ENOENT);
    WriteFile(partial_, "the user's");
    EXPECT_FALSE(file_->Rename());
    EXPECT_EQ(errno, ESTALE);
    file_.reset();
    EXPECT_EQ(ReadFile(partial_), "the user's");
  }
}

TEST_F(AtomicFileTest, TellsWhyItCannotBeRenamed) {
  for (const bool in_folder : {false, true}) {
    std::filesystem::create_directories(path_ + "/full");
    Open(in_folder);
    EXPECT_FALSE(file_->Rename());
    EXPECT_EQ(errno, EISDIR);
    file_.reset();
    EXPECT_FALSE(exists(partial_));
  }
}

TEST_F(AtomicFileTest, IsLockedAtItsPathUnderAnyNumber) {
  const std::string refusal = "another run is writing shown: wait until it ends, or name another output";
  const auto second = [&] { return ErrorOf(ErrorCode::kOutput, [&] { AtomicFile(path_, "shown", 0666); }); };
  WriteFile(partial_ = path_ + ".partial", "left over");
  Open(/*in_folder=*/false);
  EXPECT_EQ(second(), refusal);
  EXPECT_FALSE(exists(partial_ + "-3"));
  std::filesystem::remove(partial_);
  EXPECT_EQ(second(), refusal);
  EXPECT_FALSE(exists(partial_));
  EXPECT_TRUE(file_->Rename());
  file_.reset();
  Open(/*in_folder=*/false);
}

}  // namespace
}  // namespace leafscore::internal
