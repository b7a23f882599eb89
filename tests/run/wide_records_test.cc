#include "engine/run/wide_records.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leafscore/leafscore.h"
#include "scorers/score_testing.h"
#include "tests/io/io_test_util.h"

namespace leafscore::internal {
namespace {

// Returns the lines that stand for the records of a file; sentences of broken rows are in <>.
std::string LinesFrom(const std::string& name, const std::string& text, const std::string& field,
                      ReaderOptions options = {}) {
  options.empty_cells = EmptyCells::kNull;
  const TempDir folder;
  WriteFile(folder / name, text);
  auto records = std::make_unique<RecordReader>(std::vector<std::string>{folder / name}, std::move(options));
  const auto source = LinesOfWideRecords(std::move(records), {.answers = *WideFieldOf(field),
                                                              .source_field = "model",
                                                              .id_field = "id",
                                                              .input = name,
                                                              .is_table = name.ends_with(".csv")});
  std::string lines;
  std::byte piece[7];
  while (const std::size_t size = source->Read(piece)) {
    for (std::size_t i = 0; i < size; ++i) {
      const char c = static_cast<char>(piece[i]);
      lines += c == '\x1e' ? '<' : c == '\0' ? '>' : c;
    }
  }
  return lines;
}

TEST(WideRecords, EachAnswerIsARecord) {
  EXPECT_EQ(LinesFrom("a.jsonl",
                      "{\"id\": 1, \"answers\": {\"a\": {\"x\": 1}, \"b\": \"t\"}, \"expected\": 2}\n"
                      "{\"id\": 2, \"answers\": {\"b\": null, \"a\": 3}}\n",
                      "answers.*"),
            "{\"id\": 1, \"answers\": {\"*\": {\"x\": 1}}, \"expected\": 2, \"model\": \"a\"}\n"
            "{\"id\": 1, \"answers\": {\"*\": \"t\"}, \"expected\": 2, \"model\": \"b\"}\n"
            "{\"id\": 2, \"answers\": {\"*\": 3}, \"model\": \"a\"}\n"
            "{\"id\": 2, \"answers\": {\"*\": null}, \"model\": \"b\"}\n");
  EXPECT_EQ(LinesFrom("a.csv", "id,answer_m1,answer_m2,expected\n1,x,,y\n2,,z,\n", "answer_*"),
            "{\"id\": \"1\", \"expected\": \"y\", \"answer_*\": \"x\", \"model\": \"m1\"}\n"
            "{\"id\": \"1\", \"expected\": \"y\", \"model\": \"m2\"}\n"
            "{\"id\": \"2\", \"model\": \"m1\"}\n"
            "{\"id\": \"2\", \"answer_*\": \"z\", \"model\": \"m2\"}\n");
  EXPECT_EQ(LinesFrom("a.jsonl", "{\"run\": {\"n\": 0, \"by-gpt-out\": 7}, \"id\": 1}", "run.by-*-out"),
            "{\"run\": {\"n\": 0, \"by-*-out\": 7}, \"id\": 1, \"model\": \"gpt\"}\n");
}

TEST(WideRecords, AnArrayMayHaveLineBreaks) {
  EXPECT_EQ(LinesFrom("a.json", "[\n {\"id\": 1,\n  \"o\": {\n   \"a\": [\n1]}}\n]", "o.*"),
            "{\"id\": 1, \"o\": {\"*\": [ 1]}, \"model\": \"a\"}\n");
}

TEST(WideRecords, AModelThatALaterRecordLacksHasNoAnswer) {
  EXPECT_EQ(
      LinesFrom("a.jsonl",
                "{\"id\": 1, \"o\": {\"a\": 1, \"b\": 2}}\n{\"id\": 2, \"o\": {\"a\": 1}}\n{\"id\": 3}\n"
                "{\"id\": 4, \"o\": 5}\n",
                "o.*"),
      "{\"id\": 1, \"o\": {\"*\": 1}, \"model\": \"a\"}\n{\"id\": 1, \"o\": {\"*\": 2}, \"model\": \"b\"}\n"
      "{\"id\": 2, \"o\": {\"*\": 1}, \"model\": \"a\"}\n{\"id\": 2, \"o\": {}, \"model\": \"b\"}\n"
      "{\"id\": 3, \"model\": \"a\"}\n{\"id\": 3, \"model\": \"b\"}\n"
      "{\"id\": 4, \"o\": 5, \"model\": \"a\"}\n{\"id\": 4, \"o\": 5, \"model\": \"b\"}\n");
}

TEST(WideRecords, AModelThatTheFirstRecordLacksIsABrokenRow) {
  EXPECT_EQ(
      LinesFrom("a.jsonl",
                "{\"id\": 0}\n{\"id\": 1, \"o\": {\"a\": 1}}\n{\"id\": 2, \"o\": {\"c\": 1, \"a\": 2}}\n",
                "o.*"),
      "{\"id\": 0}\n"
      "{\"id\": 1, \"o\": {\"*\": 1}, \"model\": \"a\"}\n"
      "<the first record has no \"c\"; give it all answers, null where there is none>"
      "{\"id\": 2, \"o\": {\"c\": 1, \"a\": 2}}\n"
      "{\"id\": 2, \"o\": {\"*\": 2}, \"model\": \"a\"}\n");
}

TEST(WideRecords, ARecordThatCannotBeReadIsALine) {
  ReaderOptions options;
  options.max_line_bytes = 64;
  options.batch_bytes = 64;
  EXPECT_EQ(LinesFrom("a.jsonl",
                      "{\"o\": {\"a\": 1}\n{\"o\": {\"a\": 1}}\n{\"o\": \"" + std::string(90, 'x') + "\"}\n",
                      "o.*", options)
                .substr(0, 109),
            "{\"o\": {\"a\": 1}\n{\"id\": \"2\", \"o\": {\"*\": 1}, \"model\": \"a\"}\n"
            "<the record is longer than --max-line-bytes>{\"o\": \"xx");
}

TEST(WideRecords, AKeyThatOccursTwiceIsABrokenRowBesides) {
  EXPECT_EQ(LinesFrom("a.jsonl", "{\"id\": 1, \"o\": {\"a\": 0, \"a\": 1}}\n", "o.*"),
            "<a key occurs twice; only its last value counts, which may be an answer>"
            "{\"id\": 1, \"o\": {\"a\": 0, \"a\": 1}}\n"
            "{\"id\": 1, \"o\": {\"*\": 1}, \"model\": \"a\"}\n");
}

// Scores a file, and returns the lines by "id model score".
std::string ScoresOf(const std::string& text, const std::string& gold = "") {
  const TempDir folder;
  WriteFile(folder / "w.jsonl", text);
  FileOptions options;
  options.inputs = {folder / "w.jsonl"};
  options.actual_field = "o.*";
  options.source_field = "model";
  if (!gold.empty()) {
    WriteFile(folder / "gold.jsonl", gold);
    options.gold = folder / "gold.jsonl";
  }
  options.output = folder / "scores.jsonl";
  ScoreFiles(Plan::FromConfig("scorers:\n- type: exact_match\n"), options);
  std::string scores;
  for (const std::string& line : SplitLines(ReadFile(options.output))) {
    const rapidjson::Document document = Parsed(line);
    const auto& groups = document["groups"];
    const std::string id =
        document["id"].IsString() ? document["id"].GetString() : std::to_string(document["id"].GetInt());
    scores += id + groups["model"].GetString() +
              (document.HasMember("score") ? std::to_string(document["score"].GetInt()) : "-") + " ";
  }
  return scores;
}

TEST(WideRecords, TheModelsOfAFileAreThoseOfAllItsRecords) {
  EXPECT_EQ(
      ScoresOf("{\"id\": 1, \"expected\": 1, \"o\": {}}\n{\"id\": 2, \"expected\": 1, \"o\": {\"a\": 1}}\n"
               "{\"id\": 3, \"expected\": 1, \"o\": {\"b\": 1, \"a\": 0}}\n"),
      "1a- 1b- 2a1 2b- 3a0 3b1 ");
}

TEST(WideRecords, ARecordWithoutIdHasItsNumber) {
  EXPECT_EQ(
      ScoresOf(
          "{\"expected\": 1, \"o\": {\"a\": 1, \"b\": 0}}\n{\"expected\": 1, \"o\": {\"a\": 1, \"b\": 1}}\n"),
      "1a1 1b0 2a1 2b1 ");
}

// Asked again, a model without a new answer keeps the one that it has.
TEST(WideRecords, WithGoldAnAbsentAnswerReplacesNone) {
  EXPECT_EQ(ScoresOf("{\"id\": 1, \"o\": {\"a\": 0, \"b\": 1}}\n{\"id\": 1, \"o\": {\"a\": 1}}\n",
                     "{\"id\": 1, \"expected\": 1}\n{\"id\": 2, \"expected\": 1}\n"),
            "1a0 1b1 1a1 2a- 2b- ");
}

TEST(WideRecords, TheSourceFieldMustBeFree) {
  try {
    LinesFrom("a.jsonl", "{\"model\": 1, \"o\": {\"a\": 1}}\n", "o.*");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "a.jsonl: a record has a field \"model\", which is to get the name of the model; name another one "
        "with --source-field");
  }
}

TEST(WideRecords, AStarStandsForANameInTheLastStep) {
  EXPECT_FALSE(WideFieldOf("actual"));
  EXPECT_FALSE(WideFieldOf("a.b[0]"));
  EXPECT_FALSE(WideFieldOf("[\"a*\"]"));
  for (const std::string field : {"*", "*.a", "a.*.b", "a.**", "a[0].*"})
    EXPECT_THROW(WideFieldOf(field), Error) << field;
  EXPECT_EQ(WideFieldOf("a.b_*_c")->after, "_c");
}

}  // namespace
}  // namespace leafscore::internal
