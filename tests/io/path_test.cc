#include "engine/io/path.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/io/byte_source.h"
#include "engine/io/file_tree.h"
#include "engine/io/output_file.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

template <typename Action>
std::string Refusal(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  return "none";
}

// The system would open "victim" instead, and a run would overwrite it.
TEST(Path, WithANullByteIsOpenedNowhere) {
  TempDir folder;
  WriteFile(folder / "victim", "precious");
  const std::string path = (folder / "victim") + std::string("\0.out", 5);
  const std::string end = "victim\\x00.out\" holds a null byte; give one without it";
  EXPECT_TRUE(Refusal([&] { CheckPath(path); }).ends_with(end)) << Refusal([&] { CheckPath(path); });
  EXPECT_TRUE(Refusal([&] { OutputFile::Open(path); }).ends_with(end));
  EXPECT_TRUE(Refusal([&] { OpenByteSource(path); }).ends_with(end));
  EXPECT_TRUE(Refusal([&] { ProbeInput(path); }).ends_with(end));
  EXPECT_TRUE(Refusal([&] { const FileTree tree(path); }).ends_with(end));
  EXPECT_EQ(ReadFile(folder / "victim"), "precious");
  EXPECT_EQ(Refusal([&] { CheckPath(folder / "victim"); }), "none");
}

}  // namespace
}  // namespace leafscore::internal
