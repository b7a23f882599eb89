#include "engine/run/source_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace leafscore::internal {
namespace {

std::vector<std::string> Names(std::vector<std::string> paths) { return SourceNames(paths); }

TEST(SourceNames, AreThoseOfTheFilesWithoutKnownEndings) {
  EXPECT_EQ(
      Names({"runs/gpt-4.1.jsonl", "/x/m.json.gz", "n.ndjson.zst", "claude-3.5", "o.txt", "-", "p.zst"}),
      (std::vector<std::string>{"gpt-4.1", "m", "n", "claude-3.5", "o.txt", "-", "p"}));
  EXPECT_EQ(Names({".jsonl", "a/.gz", "b.jsonl.jsonl"}),
            (std::vector<std::string>{".jsonl", ".gz", "b.jsonl"}));
  EXPECT_EQ(Names({}), std::vector<std::string>{});
}

TEST(SourceNames, AreWholePathsWhereTwoWouldBeOne) {
  EXPECT_EQ(Names({"x/m.jsonl", "y/m.jsonl.gz", "y/n.jsonl"}),
            (std::vector<std::string>{"x/m.jsonl", "y/m.jsonl.gz", "n"}));
  EXPECT_EQ(Names({"m.jsonl", "m.jsonl"}), (std::vector<std::string>{"m.jsonl", "m.jsonl"}));
}

TEST(SourceNames, AreValidUtf8) {
  EXPECT_EQ(Names({"caf\xc3\xa9.jsonl", "caf\xe9.jsonl"}),
            (std::vector<std::string>{"caf\xc3\xa9", "caf\xef\xbf\xbd"}));
}

}  // namespace
}  // namespace leafscore::internal
