#include "engine/io/tool_files.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace leafscore::internal {
namespace {

// Returns how a zip archive begins whose first file has this name (APPNOTE.TXT 4.3.7).
std::string Zip(const std::string& name) {
  std::string head("PK\x03\x04", 4);
  head.resize(26);
  head += static_cast<char>(name.size());
  head += std::string(3, '\0');
  return head + name + "content";
}

TEST(ToolFiles, AreKnownByTheirFirstBytes) {
  EXPECT_EQ(ToolFileKind(Zip("_journal/start.json")), "a log of inspect_ai");
  EXPECT_EQ(ToolFileKind(Zip("header.json")), "a log of inspect_ai");
  EXPECT_EQ(ToolFileKind("{\n  \"version\": 2,\n  \"status\": \"success\",\n  \"eval\": {\n \"task\": \"t\""),
            "a log of inspect_ai");
  EXPECT_EQ(ToolFileKind("{\"evalId\": \"e\", \"results\": {"), "results of promptfoo");
  EXPECT_EQ(ToolFileKind("{\"promptIdx\": 0, \"testIdx\": 0, \"testCase\": {"), "results of promptfoo");
  EXPECT_EQ(ToolFileKind("\xef\xbb\xbf{\"doc_id\": 0, \"doc\": {"), "samples of lm_eval");
}

TEST(ToolFiles, OfOtherKindsAreNotNamed) {
  const std::string whole = Zip("_journal/start.json");
  for (std::size_t size = 0; size < 30; ++size) EXPECT_EQ(ToolFileKind(whole.substr(0, size)), "") << size;
  for (const std::string& head :
       {Zip("xl/workbook.xml"), Zip(""), std::string("{\"id\": 1, \"scorer\": \"s\"}"),
        std::string("id,score\n1,0.5\n"), std::string("[{\"doc_id\": 0, \"doc\": 1}]"), std::string(" \n"),
        std::string("{\"doc_id\": 0}")}) {
    EXPECT_EQ(ToolFileKind(head), "") << head;
  }
}

TEST(ToolFiles, TheCommandIsOneThatAShellTakes) {
  EXPECT_EQ(ConvertToScores("logs/a.eval"),
            "leafscore convert logs/a.eval --to scores -o logs/a.scores.jsonl");
  EXPECT_EQ(ConvertToScores("a.jsonl.gz"), "leafscore convert a.jsonl.gz --to scores -o a.scores.jsonl");
  EXPECT_EQ(ConvertToScores("it's a.csv"),
            R"(leafscore convert 'it'\''s a.csv' --to scores -o 'it'\''s a.scores.jsonl')");
}

}  // namespace
}  // namespace leafscore::internal
