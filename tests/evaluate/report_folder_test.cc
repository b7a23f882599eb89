#include "engine/evaluate/report_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/checksum.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;

TEST(ReportNames, NeverLeadOutOfTheFolder) {
  ReportNames names;
  EXPECT_EQ(names.NameFor("112c1b56-2f"), "112c1b56-2f.json");
  EXPECT_EQ(names.NameFor("../../etc/passwd"), "_._.._etc_passwd.json");
  EXPECT_EQ(names.NameFor(".."), "_..json");
  EXPECT_EQ(names.NameFor(""), "_.json");
  EXPECT_EQ(names.NameFor(std::string("a\0b\n", 4)), "a_b_.json");
  EXPECT_EQ(names.NameFor("_aggregate"), "_aggregate-2.json");
  EXPECT_EQ(names.NameFor("_summary"), "_summary-2.json");
  EXPECT_EQ(names.NameFor("_reports"), "_reports-2.json");
}

TEST(ReportNames, AreDistinct) {
  ReportNames names;
  EXPECT_EQ(names.NameFor("a-2"), "a-2.json");
  EXPECT_EQ(names.NameFor("a"), "a.json");
  EXPECT_EQ(names.NameFor("a"), "a-3.json");
  EXPECT_EQ(names.NameFor("a"), "a-4.json");
  EXPECT_EQ(names.NameFor("a-2"), "a-2-2.json");
  EXPECT_EQ(names.NameFor("x/y"), "x_y.json");
  EXPECT_EQ(names.NameFor("x_y"), "x_y-2.json");
}

TEST(ReportNames, AreCutBetweenCodePoints) {
  ReportNames names;
  EXPECT_EQ(names.NameFor(std::string(200, 'a')), std::string(200, 'a') + ".json");
  EXPECT_EQ(names.NameFor(std::string(201, 'a')), std::string(200, 'a') + "-2.json");
  EXPECT_EQ(names.NameFor(std::string(199, 'a') + "é"), std::string(199, 'a') + ".json");
}

class ReportFolderTest : public ::testing::Test {
 protected:
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_)) names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }
  TempDir folder_;
  const std::string path_ = folder_ / "new/reports";
};

TEST_F(ReportFolderTest, HoldsWholeFilesOnly) {
  ReportFolder reports(path_);
  reports.Write("a.json", "old");
  reports.Write("a.json", "new");
  const std::string large = '"' + std::string(3'000'000, 'x') + '"';
  reports.KeepForAggregate(large + '\n');
  reports.KeepForAggregate("1\n{}\n");
  EXPECT_EQ(Files(), std::vector<std::string>{"a.json"});
  reports.WriteAggregate([](JsonWriter& json) { json.Key("a").Bool(true); });
  EXPECT_EQ(Files(), (std::vector<std::string>{"_aggregate.json", "a.json"}));
  EXPECT_EQ(ReadFile(path_ + "/a.json"), "new");
  EXPECT_EQ(ReadFile(path_ + "/_aggregate.json"),
            "{\n  \"a\": true,\n  \"results\": [\n    " + large + ",\n    1,\n    {}\n  ]\n}\n");
}

TEST_F(ReportFolderTest, ReplacesLinksInsteadOfFollowingThem) {
  ReportFolder reports(path_);
  WriteFile(folder_ / "outside", "kept");
  for (const char* const name : {"/a.json", "/.a.json.partial", "/_aggregate.json"}) {
    fs::create_symlink(folder_ / "outside", path_ + name);
  }
  reports.Write("a.json", "report");
  reports.WriteAggregate([](JsonWriter&) {});
  EXPECT_EQ(ReadFile(folder_ / "outside"), "kept");
  EXPECT_FALSE(fs::is_symlink(path_ + "/a.json"));
  EXPECT_EQ(ReadFile(path_ + "/a.json"), "report");
  EXPECT_EQ(Files(), (std::vector<std::string>{".a.json.partial", "_aggregate.json", "a.json"}));
}

TEST_F(ReportFolderTest, LeavesAloneWhatLiesUnderPartialNames) {
  fs::create_directories(path_);
  for (const char* const name : {"/.a.json.partial", "/._aggregate.json.results"}) {
    WriteFile(path_ + name, "kept");
  }
  ReportFolder reports(path_);
  reports.Write("a.json", "report");
  reports.KeepForAggregate("1\n");
  reports.WriteAggregate([](JsonWriter&) {});
  EXPECT_EQ(Files(), (std::vector<std::string>{"._aggregate.json.results", ".a.json.partial",
                                               "_aggregate.json", "a.json"}));
  EXPECT_EQ(ReadFile(path_ + "/.a.json.partial"), "kept");
  EXPECT_EQ(ReadFile(path_ + "/._aggregate.json.results"), "kept");
}

TEST_F(ReportFolderTest, LeavesNothingBehindWhenANameIsTaken) {
  ReportFolder reports(path_);
  fs::create_directories(path_ + "/a.json/full");
  EXPECT_NE(ErrorOf(ErrorCode::kOutput, [&] { reports.Write("a.json", "x"); })
                .find("cannot write " + path_ + "/a.json: "),
            std::string::npos);
  EXPECT_EQ(Files(), std::vector<std::string>{"a.json"});
}

// Of two runs, the first wrote a, b and c.
TEST_F(ReportFolderTest, KnowsWhatEarlierRunsHaveWritten) {
  const auto write = [](ReportFolder& reports, const std::string& name, const std::string& bytes) {
    reports.Record(name, reports.Write(name, bytes));
  };
  {
    ReportFolder reports(path_);
    for (const char* const name : {"a.json", "b.json", "c.json", "d.json"}) write(reports, name, "old");
    EXPECT_EQ(reports.EndList(/*clean=*/true).there, 0u);
  }
  WriteFile(path_ + "/mine.json", "old");
  WriteFile(path_ + "/c.json", "new");  // of the same size
  fs::remove(path_ + "/d.json");
  {
    ReportFolder reports(path_);
    write(reports, "a.json", "new");
    EXPECT_EQ(reports.EndList(/*clean=*/false).there, 2u);
  }
  {
    ReportFolder reports(path_);
    write(reports, "e.json", "new");
    const EarlierReports earlier = reports.EndList(/*clean=*/true);
    EXPECT_EQ(earlier.there, 3u);  // a, b and c, as far as sizes tell
    EXPECT_EQ(earlier.removed, 2u);
  }
  EXPECT_EQ(Files(), (std::vector<std::string>{"_reports.json", "c.json", "e.json", "mine.json"}));
  fs::remove(path_ + "/c.json");
  EXPECT_EQ(ReportFolder(path_).EndList(/*clean=*/true).removed, 1u);
  EXPECT_EQ(Files(), std::vector<std::string>{"mine.json"});
}

TEST_F(ReportFolderTest, AListNeverLeadsOutOfTheFolder) {
  WriteFile(folder_ / "outside", "x");
  fs::create_directories(path_);
  const std::string checksum = ChecksumOf("x");
  ReportList list;
  for (const char* const name : {"../../outside", "/etc/hostname", "..", ".", "", "../a.json", "notes.txt",
                                 ".hidden.json", "a.json.bak"}) {
    list[name] = {1, checksum};
  }
  EXPECT_TRUE(ParseReportList(ReportListJson(list)).empty());
  list["a.json"] = {1, checksum};
  EXPECT_EQ(ParseReportList(ReportListJson(list)).size(), 1u);
  fs::create_symlink(folder_ / "outside", path_ + "/a.json");
  WriteFile(path_ + "/_reports.json", ReportListJson(list));
  ReportFolder reports(path_);
  EXPECT_EQ(reports.EndList(/*clean=*/true).there, 0u);
  EXPECT_EQ(ReadFile(folder_ / "outside"), "x");
  for (const char* const broken :
       {"", "[]", "{", R"({"reports": [1, {"name": "a"}, {"name": 1, "bytes": -1}]})"}) {
    EXPECT_TRUE(ParseReportList(broken).empty()) << broken;
  }
}

TEST_F(ReportFolderTest, BelongsToOneRun) {
  const ReportFolder reports(path_);
  EXPECT_NE(ErrorOf(ErrorCode::kOutput, [&] { ReportFolder other(path_); }).find("another run is writing"),
            std::string::npos);
  WriteFile(folder_ / "file", "x");
  EXPECT_NE(
      ErrorOf(ErrorCode::kOutput, [&] { ReportFolder other(folder_ / "file"); }).find("Not a directory"),
      std::string::npos);
}

}  // namespace
}  // namespace leafscore::internal
