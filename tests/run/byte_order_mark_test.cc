#include <gtest/gtest.h>

#include <string>

#include "leafscore/leafscore.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

Figures ScoreFile(const std::string& content) {
  const TempDir folder;
  FileOptions options;
  options.inputs = {folder / "records.jsonl"};
  WriteFile(options.inputs[0], content);
  return ScoreFiles(Plan({"json_similarity"}), options).scorers.at(0).figures;
}

TEST(ByteOrderMark, IsSkipped) {
  const Figures summary = ScoreFile("\xef\xbb\xbf{\"expected\":1,\"actual\":1}\n");
  EXPECT_EQ(summary.asked, 1u);
  EXPECT_EQ(summary.scored, 1u);
}

// The mark and what stands right behind it look like one token: it must not be skipped as a whole.
TEST(ByteOrderMark, HidesNoGarbageBehindIt) {
  for (const std::string garbage : {"(", "1 ", "null", "\xc2\xa0", "\xef\xbb\xbf"}) {
    const Figures summary = ScoreFile("\xef\xbb\xbf" + garbage +
                                      "{\"expected\":1,\"actual\":1}\n{\"expected\":1,\"actual\":1}\n");
    EXPECT_EQ(summary.asked, 2u) << garbage;
    EXPECT_EQ(summary.scored, 1u) << garbage;
  }
}

}  // namespace
}  // namespace leafscore::internal
