#include "engine/report/csv_scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "engine/report/text_table.h"
#include "io/io_test_util.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr char kHead[] = "id,id_from,scorer,groups.m,outcome,score,passed,details,reason\n";

// Reads the text in pieces of this size.
std::string LinesOf(const std::string& text, std::size_t piece,
                    std::optional<CsvFields> fields = CsvFields::kSafe) {
  CsvScores scores(fields);
  std::string lines;
  for (std::size_t at = 0; at < text.size(); at += piece) scores.Add(text.substr(at, piece), lines);
  EXPECT_TRUE(scores.done());
  return lines;
}

TEST(CsvScoresTest, RowsAreTheLinesThatTheyWouldHaveBeen) {
  const std::string text = std::string(kHead) +
                           "a,,s,x,scored,0.5,true,\"{\"\"n\"\": \"\"a,b\"\"}\",\n"
                           "\"two\nlines, \"\"q\"\"\",line,s,,unreadable,,,,no_answer\n"
                           "'=1,,s,,scored,1e-7,false,{},\n";
  const std::string want =
      "{\"id\": \"a\", \"scorer\": \"s\", \"outcome\": \"scored\", \"score\": 0.5, \"passed\": true, "
      "\"details\": "
      "{\"n\": \"a,b\"}, \"groups\": {\"m\": \"x\"}}\n"
      "{\"id\": \"two\\nlines, \\\"q\\\"\", \"id_from\": \"line\", \"scorer\": \"s\", \"outcome\": "
      "\"unreadable\", "
      "\"reason\": \"no_answer\"}\n"
      "{\"id\": \"=1\", \"scorer\": \"s\", \"outcome\": \"scored\", \"score\": 1e-7, \"passed\": false, "
      "\"details\": "
      "{}}\n";
  for (std::size_t piece = 1; piece <= 80; ++piece) EXPECT_EQ(LinesOf(text, piece), want) << piece;
  EXPECT_EQ(LinesOf(text, text.size()), want);
}

TEST(CsvScoresTest, ARowWithOtherColumnsIsRefused) {
  EXPECT_THAT(ErrorOf(ErrorCode::kInput, [] { LinesOf(std::string(kHead) + "a,b\n", 1); }),
              ::testing::HasSubstr("2 cells, and the first one names 9 columns"));
}

// A control character in an id, and the text of its escape, are one text in CSV.
TEST(CsvScoresTest, AnIdThatMayBeAnotherIsRefused) {
  EXPECT_THAT(
      ErrorOf(ErrorCode::kInput, [] { LinesOf(std::string(kHead) + "\\u001B0,,s,,scored,1,,{},\n", 1); }),
      ::testing::HasSubstr("score to JSON Lines"));
}

TEST(CsvScoresTest, ApostrophesOfFormulasAreToldApart) {
  for (const std::string id : {"=x", "'=x", "''=x", "'x", "'", "''"}) {
    std::string cell;
    AppendCsvField(cell, id);
    EXPECT_THAT(LinesOf(std::string(kHead) + cell + ",,s,,scored,1,,{},\n", 7),
                ::testing::HasSubstr("{\"id\": \"" + id + "\", "));
  }
}

// With --csv-raw nothing is put before a formula, nor escaped, and so nothing may be taken off.
TEST(CsvScoresTest, RawIdsAreReadAsTheyStand) {
  for (const std::string id : {"=x", "'=x", "''=x", "\\u001B0"}) {
    std::string cell;
    AppendCsvField(cell, id, CsvFields::kRaw);
    EXPECT_THAT(LinesOf(std::string(kHead) + cell + ",,s,,scored,1,,{},\n", 7, CsvFields::kRaw),
                ::testing::HasSubstr("{\"id\": \"" + std::string(id[0] == '\\' ? "\\" : "") + id + "\", "));
  }
}

TEST(CsvScoresTest, AnIdThatMayBeRawOrNotIsRefused) {
  const auto lines = [](const std::string& id) {
    return LinesOf(std::string(kHead) + id + ",,s,,scored,1,,{},\n", 7, std::nullopt);
  };
  EXPECT_THAT(
      ErrorOf(ErrorCode::kInput, [&] { lines("'=x"); }),
      ::testing::HasSubstr("without a manifest nothing tells whether the apostrophe of the id \"'=x\""));
  EXPECT_THAT(lines("=x"), ::testing::HasSubstr("{\"id\": \"=x\", "));
  EXPECT_THAT(lines("'x"), ::testing::HasSubstr("{\"id\": \"'x\", "));
}

TEST(CsvScoresTest, AnEmptyIdIsOneAndAnEmptyGroupStandsInQuotes) {
  EXPECT_EQ(LinesOf(std::string(kHead) + ",,s,\"\",scored,1,,{},\n,,s,,scored,1,,{},\n", 1),
            "{\"id\": \"\", \"scorer\": \"s\", \"outcome\": \"scored\", \"score\": 1, \"details\": {}, "
            "\"groups\": {\"m\": \"\"}}\n"
            "{\"id\": \"\", \"scorer\": \"s\", \"outcome\": \"scored\", \"score\": 1, \"details\": {}}\n");
}

TEST(CsvScoresTest, ARowThatIsCutIsNotDone) {
  CsvScores scores(CsvFields::kSafe);
  std::string lines;
  scores.Add(std::string(kHead) + "a,,s", lines);
  EXPECT_FALSE(scores.done());
  EXPECT_EQ(lines, "");
}

}  // namespace
}  // namespace leafscore::internal
