#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "leafscore/leafscore.h"

namespace leafscore::internal {
namespace {

ScorerSummary ScoreFile(const std::string& path, std::string_view content) {
  std::ofstream(path, std::ios::binary) << content;
  FileOptions options;
  options.inputs = {path};
  const std::vector<ScorerSummary> summaries = Plan({"json_similarity"}).ScoreFiles(options);
  std::remove(path.c_str());
  return summaries.at(0);
}

TEST(ByteOrderMark, IsSkipped) {
  const ScorerSummary summary =
      ScoreFile(testing::TempDir() + "bom_good.jsonl", "\xef\xbb\xbf{\"expected\":1,\"actual\":1}\n");
  EXPECT_EQ(summary.records, 1u);
  EXPECT_EQ(summary.scored, 1u);
}

// The mark and what stands right behind it look like one token: it must not be skipped as a whole.
TEST(ByteOrderMark, HidesNoGarbageBehindIt) {
  for (const std::string garbage : {"(", "1 ", "null", "\xc2\xa0", "\xef\xbb\xbf"}) {
    const ScorerSummary summary = ScoreFile(
        testing::TempDir() + "bom_bad.jsonl",
        "\xef\xbb\xbf" + garbage + "{\"expected\":1,\"actual\":1}\n{\"expected\":1,\"actual\":1}\n");
    EXPECT_EQ(summary.records, 2u) << garbage;
    EXPECT_EQ(summary.scored, 1u) << garbage;
  }
}

}  // namespace
}  // namespace leafscore::internal
