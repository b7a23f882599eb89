#include "engine/io/file_tree.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

bool IsJson(std::string_view name) { return name.ends_with(".json"); }

class FileTreeTest : public ::testing::Test {
 protected:
  void Put(const std::string& path, const std::string& bytes = "x") {
    fs::create_directories(fs::path(root_ + path).parent_path());
    WriteFile(root_ + path, bytes);
  }
  FileTree Tree() const { return FileTree(root_); }

  static Names Paths(const auto& items) {
    Names names;
    for (const auto& item : items) names.push_back(item.path);
    return names;
  }

  TempDir folder_;
  const std::string root_ = folder_ / "root/";
};

TEST_F(FileTreeTest, ListsBelowTheRootByPath) {
  Put("b.json");
  Put("a/z.json", "1234");
  Put("a/b/c.json");
  Put("a.json");
  Put("a/notes.txt");
  Put(".hidden/x.json");
  const FileTree::Listing listing = Tree().List(IsJson, {});
  EXPECT_EQ(Paths(listing.files), (Names{".hidden/x.json", "a.json", "a/b/c.json", "a/z.json", "b.json"}));
  EXPECT_EQ(listing.files[3].bytes, 4u);
  EXPECT_TRUE(listing.skipped.empty());
}

// As one does that runs out of memory.
TEST_F(FileTreeTest, AnExceptionLeavesNoFolderOpen) {
  Put("a/b.json");
  const FileTree tree = Tree();
  const auto open_files = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  const auto before = open_files();
  EXPECT_THROW(tree.List([](std::string_view) -> bool { throw std::bad_alloc(); }, {}), std::bad_alloc);
  EXPECT_EQ(open_files(), before);
}

TEST_F(FileTreeTest, FollowsNoLinkAndOpensNoPipe) {
  WriteFile(folder_ / "secret.json", "outside");
  fs::create_directories(folder_ / "outside");
  WriteFile(folder_ / "outside/x.json", "outside");
  Put("a.json");
  fs::create_symlink("../secret.json", root_ + "link.json");
  fs::create_directory_symlink("../outside", root_ + "out");
  fs::create_directory_symlink(".", root_ + "loop");
  fs::create_symlink("a.json", root_ + "inside.json");
  ASSERT_EQ(mkfifo((root_ + "pipe.json").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo((root_ + "pipe").c_str(), 0600), 0);  // is not wanted, so not told of
  const FileTree::Listing listing = Tree().List(IsJson, {});
  EXPECT_EQ(Paths(listing.files), Names{"a.json"});
  EXPECT_EQ(Paths(listing.skipped), (Names{"inside.json", "link.json", "loop", "out", "pipe.json"}));
  EXPECT_EQ(listing.skipped[1].why, "it is a symbolic link; these are not followed");
  EXPECT_EQ(listing.skipped[4].why, "it is not a regular file");
}

TEST_F(FileTreeTest, IsNotLedOutsideBySwapsAfterListing) {
  Put("a.json");
  Put("d/x.json");
  const FileTree tree = Tree();
  fs::create_directories(folder_ / "outside");
  WriteFile(folder_ / "outside/x.json", "outside");
  fs::remove(root_ + "a.json");
  fs::create_symlink("../outside/x.json", root_ + "a.json");
  fs::remove_all(root_ + "d");
  fs::create_directory_symlink("../outside", root_ + "d");
  FileTreeReader reader(tree);
  std::string bytes = "untouched";
  EXPECT_NE(reader.Read("a.json", 100, bytes), "");
  EXPECT_NE(reader.Read("d/x.json", 100, bytes), "");
  fs::remove(root_ + "a.json");
  ASSERT_EQ(mkfifo((root_ + "a.json").c_str(), 0600), 0);
  EXPECT_EQ(reader.Read("a.json", 100, bytes), "it is not a regular file");
  EXPECT_EQ(bytes, "untouched");
}

TEST_F(FileTreeTest, ReadsFilesUpToTheLimit) {
  Put("a/f.json", "12345");
  Put("a/bom.json", "\xEF\xBB\xBF{}");
  Put("empty.json", "");
  const FileTree tree = Tree();
  FileTreeReader reader(tree);
  std::string bytes;
  EXPECT_EQ(reader.Read("a/f.json", 4, bytes), "it is larger than --max-file-bytes, 4");
  EXPECT_EQ(reader.Read("a/f.json", 5, bytes), "");
  EXPECT_EQ(bytes, "12345");
  EXPECT_EQ(reader.Read("a/f.json", 6, bytes), "");
  EXPECT_EQ(reader.Read("a/bom.json", 100, bytes), "");
  EXPECT_EQ(bytes, "{}");
  EXPECT_EQ(reader.Read("empty.json", 100, bytes), "");
  EXPECT_EQ(bytes, "");
  EXPECT_EQ(reader.Read("a/none.json", 100, bytes), "No such file or directory");
  EXPECT_EQ(reader.Read("none/f.json", 100, bytes), "No such file or directory");
  EXPECT_EQ(reader.Read("a/f.json", 100, bytes), "");
}

TEST_F(FileTreeTest, PassesOverOneFolder) {
  Put("a.json");
  Put("reports/r.json");
  EXPECT_EQ(Paths(Tree().List(IsJson, FileTree(root_ + "reports").identity()).files), Names{"a.json"});
}

TEST_F(FileTreeTest, TakesASingleFileAndALinkThatTheUserNames) {
  Put("a.json");
  Put("b.json");
  const FileTree file(root_ + "a.json");
  EXPECT_TRUE(file.is_file());
  EXPECT_EQ(Paths(file.List(IsJson, {}).files), Names{"a.json"});
  EXPECT_EQ(file.DisplayPath("a.json"), root_ + "a.json");
  fs::create_directory_symlink("root", folder_ / "named");
  const FileTree named(folder_ / "named");
  EXPECT_EQ(named.root_name(), "root");
  EXPECT_EQ(Paths(named.List(IsJson, {}).files), (Names{"a.json", "b.json"}));
  EXPECT_EQ(named.DisplayPath("a.json"), folder_ / "named/a.json");
  EXPECT_NE(ErrorOf(ErrorCode::kInput, [&] { FileTree(folder_ / "none"); }).find("No such file"),
            std::string::npos);
}

TEST_F(FileTreeTest, GoesSixtyFourFoldersDeep) {
  std::string path;
  for (int depth = 0; depth < 64; ++depth) path += "d/";
  Put(path + "in.json");
  Put(path + "d/out.json");
  const FileTree::Listing listing = Tree().List(IsJson, {});
  EXPECT_EQ(Paths(listing.files), Names{path + "in.json"});
  EXPECT_EQ(Paths(listing.skipped), Names{path + "d"});
  EXPECT_EQ(listing.skipped[0].why, "it lies deeper than 64 folders");
}

TEST_F(FileTreeTest, ShowsNamesThatAreNoUtf8) {
  Put("\xff.json");
  EXPECT_EQ(Paths(Tree().List(IsJson, {}).files), Names{"\xff.json"});
  EXPECT_EQ(Tree().DisplayPath("\xff.json"), root_ + "\uFFFD.json");
}

TEST(Paths, AreSplit) {
  EXPECT_EQ(SplitPath("a/b/c.json").folder, "a/b");
  EXPECT_EQ(SplitPath("a/b/c.json").name, "c.json");
  EXPECT_EQ(SplitPath("c.json").folder, "");
  EXPECT_EQ(SplitPath("c.json").name, "c.json");
  EXPECT_EQ(Stem("11.json"), "11");
  EXPECT_EQ(Stem("a.b.json"), "a.b");
  EXPECT_EQ(Stem(".json"), ".json");
  EXPECT_EQ(Stem("x"), "x");
}

}  // namespace
}  // namespace leafscore::internal
