#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

#include "leafscore/leafscore.h"

namespace leafscore::internal {
namespace {

Figures ScoreFile(const std::string& path, std::string_view content) {
  std::ofstream(path, std::ios::binary) << content;
  FileOptions options;
  options.inputs = {path};
  const RunReport report = ScoreFiles(Plan({"json_similarity"}), options);
  std::remove(path.c_str());
  return report.scorers.at(0).figures;
}

TEST(ByteOrderMark, IsSkipped) {
  const Figures summary =
      ScoreFile(testing::TempDir() + "bom_good.jsonl", "\xef\xbb\xbf{\"expected\":1,\"actual\":1}\n");
  EXPECT_EQ(summary.asked, 1u);
  EXPECT_EQ(summary.scored, 1u);
}

// The mark and what stands right behind it look like one token: it must not be skipped as a whole.
TEST(ByteOrderMark, HidesNoGarbageBehindIt) {
  for (const std::string garbage : {"(", "1 ", "null", "\xc2\xa0", "\xef\xbb\xbf"}) {
    const Figures summary = ScoreFile(
        testing::TempDir() + "bom_bad.jsonl",
        "\xef\xbb\xbf" + garbage + "{\"expected\":1,\"actual\":1}\n{\"expected\":1,\"actual\":1}\n");
    EXPECT_EQ(summary.asked, 2u) << garbage;
    EXPECT_EQ(summary.scored, 1u) << garbage;
  }
}

}  // namespace
}  // namespace leafscore::internal
