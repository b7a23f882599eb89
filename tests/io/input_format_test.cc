#include "engine/io/input_format.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace leafscore::internal {
namespace {

// RETURNS: what is said of a file that is no file of records; nothing where it may be one.
std::string FaultOf(std::string_view text, InputFormat asked = InputFormat::kAuto) {
  const std::optional<FoundFormat> found = FindInputFormat(asked, text, /*no_more=*/true);
  if (!found) return "more bytes";
  return found->fault;
}

bool Contains(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

TEST(InputFormat, FilesOfOtherKindsAreNamed) {
  const std::pair<std::string, std::string_view> kinds[] = {
      {std::string("PAR1\x15\x04\0\0", 8), "Parquet"},
      {std::string("ARROW1\0\0", 8), "Arrow"},
      {std::string("ARROW1\0\0", 8), "leafscore convert FILE -o records.jsonl"},
      {std::string("\xff\xff\xff\xff\x10\0", 6), "a stream of Arrow IPC; leafscore convert"},
      {"FEA1....", "Feather file; leafscore convert"},
      {"PK\x03\x04...", "zip"},
      {std::string("PK\x03\x04") + std::string(22, '\0') + std::string("\x13\0\0\0[Content_Types].xml", 23),
       "spreadsheet; save its sheet as CSV"},
      {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "spreadsheet; save its sheet as CSV"},
      {"BZh91AY", "bzip2"},
      {"\xfd"
       "7zXZ",
       "xz"},
      {"\x1f\x8b\x08", "compressed twice"},
      {std::string("\xff\xfe{\0\"\0", 6), "UTF-16"},
      {"<!DOCTYPE html>", "web page"},
      {"{\n  \"evalId\": \"e\",\n  \"results\": {\n  }\n}\n", "results of promptfoo; leafscore convert"},
      {"id,expected,actual\n1,a,b\n", "CSV"},
      {"id,expected,actual\n1,a,b\n", "say --input-format csv (or tsv)"},
      {"id\texpected\tactual\n1\ta\tb\n", "CSV"},
      {"id;actual\n1;\"{\"\"a\"\": [1, 2]}\"\n", "CSV"},
      {"id,actual\n1,\"a text\nof two lines\"\n", "CSV"},
      {"{\n  \"id\": 1,\n  \"actual\": {\n    \"a\": 1\n  }\n}\n{\n  \"id\": 2\n}\n", "several lines"},
      {"{\n  \"id\": 1,\n  \"items\": [\n    {\"a\": 1},\n    {\"a\": 2}\n  ]\n}\n", "several lines"},
  };
  for (const auto& [text, kind] : kinds) {
    EXPECT_TRUE(Contains(FaultOf(text), kind)) << text << "\n" << FaultOf(text);
    EXPECT_TRUE(Contains(FaultOf(text, InputFormat::kJsonLines), kind)) << text;
    EXPECT_TRUE(Contains(FaultOf(text, InputFormat::kJsonArray), kind)) << text;
  }
  EXPECT_TRUE(Contains(FaultOf("[\n  {\n    \"id\": 1\n  }\n]\n", InputFormat::kJsonLines), "several lines"));
}

// What may be lines with damage is read as lines, so that a broken line costs its neighbours nothing.
TEST(InputFormat, DamagedLinesAreStillLines) {
  for (const std::string_view text : {
           "{\n{\"id\": 1}\n",
           "{\n\"id\": 1}\n{\"id\": 2}\n",
           "[\n{\"id\": 1}\n",
           "\"id\": 1, \"expected\": 2}\n{\"id\": 1, \"expected\": 2}\n",
           "a,b\n{\"id\": 1}\n1,2\n",
           "a,b",
           "a,b\nc\n",
           "a\nb\n",
           "not json\nnor this, at all\n",
           "\xff{\"id\": 1}\n",
           "PAR\n",
       }) {
    EXPECT_EQ(FaultOf(text, InputFormat::kJsonLines), "") << text;
  }
}

// A stream of records is not waited for longer than its first line takes.
TEST(InputFormat, LinesAreKnownAtTheFirstRecord) {
  const auto found = [](std::string_view text) {
    return FindInputFormat(InputFormat::kAuto, text, /*no_more=*/false).has_value();
  };
  EXPECT_TRUE(found("{\"id\": 1}\n"));
  EXPECT_TRUE(found("{broken\n"));
  EXPECT_FALSE(found("{\"id\": 1}"));
  EXPECT_FALSE(found("{ \n"));
  EXPECT_FALSE(found("text\n"));
}

TEST(InputFormat, DecidesOnTheSameBytesHoweverManyThereAre) {
  const std::string line = "a,b\n";
  std::string text;
  while (text.size() <= 5000) text += line;
  for (std::size_t size = 1; size < text.size(); ++size) {
    const std::optional<FoundFormat> found =
        FindInputFormat(InputFormat::kAuto, std::string_view(text).substr(0, size), /*no_more=*/false);
    ASSERT_EQ(found.has_value(), size > 4096) << size;
    if (found.has_value()) {
      ASSERT_EQ(found->fault, FaultOf(text));
    }
  }
}

TEST(InputFormat, NamesTellTables) {
  EXPECT_EQ(FormatByName(InputFormat::kAuto, "a.csv"), InputFormat::kCsv);
  EXPECT_EQ(FormatByName(InputFormat::kAuto, "A.CSV"), InputFormat::kCsv);
  EXPECT_EQ(FormatByName(InputFormat::kAuto, "a.jsonl.tsv.zst"), InputFormat::kTsv);
  EXPECT_EQ(FormatByName(InputFormat::kAuto, "a.csv.gz"), InputFormat::kCsv);
  for (const std::string_view name : {"csv", "a.csvx", "a_csv", "", "-", ".gz"}) {
    EXPECT_EQ(FormatByName(InputFormat::kAuto, name), InputFormat::kAuto) << name;
  }
  EXPECT_EQ(FormatByName(InputFormat::kJsonLines, "a.csv"), InputFormat::kJsonLines);
}

}  // namespace
}  // namespace leafscore::internal
