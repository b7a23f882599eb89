#include "engine/io/replaced_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/io/io_test_util.h"

namespace leafscore::internal {
namespace {

using Files = std::vector<std::string>;

class ReplacedFilesTest : public testing::Test {
 protected:
  ReplacedFilesTest() {
    WriteFile(in_, "");
    std::filesystem::create_directory(dir_ / "sub");
    std::filesystem::create_directory_symlink(dir_ / "sub", dir_ / "link");
  }

  std::string Refusal(const Files& outputs, const Files& inputs) {
    return ErrorOf(ErrorCode::kUsage, [&] { CheckReplacesNone(outputs, inputs); });
  }

  const TempDir dir_;
  const std::string in_ = dir_ / "in";
};

TEST_F(ReplacedFilesTest, DifferentFilesAreFine) {
  EXPECT_NO_THROW(CheckReplacesNone(Files{dir_ / "a", dir_ / "b", "", "-", "/dev/null"},
                                    Files{in_, in_, "", "-", "/dev/null", dir_ / "absent", dir_ / "no/a"}));
  EXPECT_NO_THROW(
      CheckReplacesNone(Files{"", "", "/dev/null", "/dev/null", dir_ / "no/a", dir_ / "no/a"}, Files{}));
}

TEST_F(ReplacedFilesTest, AnInputUnderAnyName) {
  std::filesystem::create_hard_link(in_, dir_ / "hard");
  std::filesystem::create_symlink(in_, dir_ / "soft");
  for (const std::string& output : Files{in_, dir_ / "hard", dir_ / "soft", dir_ / "sub/../in"}) {
    EXPECT_EQ(Refusal({"-", output}, {"-", in_}),
              "writing " + output + " would change " + in_ + ", which this run uses too: name another file");
  }
}

TEST_F(ReplacedFilesTest, APipeOnBothSides) {
  ASSERT_EQ(mkfifo((dir_ / "pipe").c_str(), 0600), 0);
  Refusal({dir_ / "pipe"}, {dir_ / "pipe"});
}

TEST_F(ReplacedFilesTest, TwoOutputsThatAreStillToBeMade) {
  Refusal({dir_ / "a", dir_ / "a"}, {});
  Refusal({dir_ / "sub/a", dir_ / "link/a"}, {});
  EXPECT_NO_THROW(CheckReplacesNone(Files{dir_ / "sub/a", dir_ / "a"}, Files{}));
}

TEST_F(ReplacedFilesTest, AnOutputWithThePartialNameOfAnother) {
  const std::string refusal = (dir_ / "link/a.partial") + " is the name of " + (dir_ / "sub/a") +
                              " until that is complete: name another file";
  EXPECT_EQ(Refusal({dir_ / "sub/a", dir_ / "link/a.partial"}, {}), refusal);
  EXPECT_EQ(Refusal({dir_ / "link/a.partial", dir_ / "sub/a"}, {}), refusal);
  EXPECT_NO_THROW(CheckReplacesNone(Files{dir_ / "a"}, Files{dir_ / "a.partial"}));
}

TEST_F(ReplacedFilesTest, AnOutputWithTheNameOfTheJournalOfAnother) {
  EXPECT_EQ(Refusal({dir_ / "sub/a", dir_ / "link/a.journal"}, {}),
            (dir_ / "link/a.journal") + " is the name of the journal of " + (dir_ / "sub/a") +
                " until that is complete: name another file");
}

TEST_F(ReplacedFilesTest, AFolderOfReports) {
  for (const char* const name : {"sub/a.json", "sub/a.yaml", "a.json"}) WriteFile(dir_ / name, "");
  EXPECT_NO_THROW(
      CheckHoldsNone(dir_ / "sub", Files{dir_ / "sub/a.yaml", dir_ / "a.json", "", "-", dir_ / "sub"}));
  EXPECT_NO_THROW(CheckHoldsNone(dir_ / "absent", Files{dir_ / "a.json"}));
  EXPECT_EQ(ErrorOf(ErrorCode::kUsage, [&] { CheckHoldsNone(dir_ / "link", Files{dir_ / "sub/a.json"}); }),
            "a report could replace " + (dir_ / "sub/a.json") +
                ", which this run reads: name another folder for the reports");
}

}  // namespace
}  // namespace leafscore::internal
