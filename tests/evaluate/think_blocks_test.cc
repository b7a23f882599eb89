#include "engine/evaluate/think_blocks.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cstddef>
#include <sstream>
#include <string>

#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

TEST(ThinkBlocks, AreTakenOffAsByTheOrigin) {
  std::istringstream lines(ReadFile(LEAFSCORE_TEST_DATA "/think.jsonl"));
  std::size_t cases = 0;
  for (std::string line; std::getline(lines, line); ++cases) {
    rapidjson::Document vector;
    ASSERT_FALSE(vector.Parse(line.c_str()).HasParseError()) << line;
    const auto text = [&](const char* member) {
      return std::string(vector[member].GetString(), vector[member].GetStringLength());
    };
    EXPECT_EQ(WithoutThinkBlocks(text("answer")), text("want")) << line;
  }
  EXPECT_EQ(cases, 45u);
}

// What Python's `re` says with IGNORECASE, where its letters and words are not ASCII's.
TEST(ThinkBlocks, HaveNamesAsPythonReadsThem) {
  EXPECT_EQ(WithoutThinkBlocks("<TH\u0130NK>a</th\u0131nk>b"), "b");
  EXPECT_EQ(WithoutThinkBlocks("<think\u00e9>a</think>b"), "<think\u00e9>a</think>b");  // the word goes on
  EXPECT_EQ(WithoutThinkBlocks("<think\u00b2>a</think>b"), "<think\u00b2>a</think>b");  // a digit does, too
  EXPECT_EQ(WithoutThinkBlocks("<think\u0301>a</think>b"), "b");  // a mark is no part of a word
}

TEST(ThinkBlocks, AreFoundInLinearTime) {
  std::string starts;
  for (int i = 0; i < 200'000; ++i) starts += "<think>";
  EXPECT_EQ(WithoutThinkBlocks(starts), starts);
  std::string open;
  for (int i = 0; i < 200'000; ++i) open += "<think";
  EXPECT_EQ(WithoutThinkBlocks(open), open);
  EXPECT_EQ(WithoutThinkBlocks(open + "></think>x"), "x");
}

}  // namespace
}  // namespace leafscore::internal
