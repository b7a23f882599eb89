#include "engine/run/result_writer.h"

#include <string>
#include <vector>

#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

// Reads CSV (RFC 4180) with quotes and line breaks in fields.
std::vector<std::vector<std::string>> ParseCsv(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      rows.back().emplace_back();
    } else if (!quoted && c == '\n') {
      rows.push_back({""});
    } else {
      rows.back().back() += c;
    }
  }
  EXPECT_FALSE(quoted);
  EXPECT_EQ(rows.back(), std::vector<std::string>{""});  // the last line ended
  rows.pop_back();
  return rows;
}

TEST(OutputFormat, IsInTheName) {
  EXPECT_EQ(OutputFormatOf("a.csv"), OutputFormat::kCsv);
  EXPECT_EQ(OutputFormatOf("a.csv.gz"), OutputFormat::kCsv);
  EXPECT_EQ(OutputFormatOf("a.csv.zst"), OutputFormat::kCsv);
  EXPECT_EQ(OutputFormatOf("csv"), OutputFormat::kJsonLines);
  EXPECT_EQ(OutputFormatOf("a.csv.jsonl"), OutputFormat::kJsonLines);
  EXPECT_EQ(OutputFormatOf("b/.x/a.ndjson.gz"), OutputFormat::kJsonLines);
  EXPECT_EQ(OutputFormatOf("/dev/stdout"), OutputFormat::kJsonLines);
  EXPECT_EQ(OutputFormatOf("-"), OutputFormat::kJsonLines);
  EXPECT_EQ(OutputFormatOf(""), OutputFormat::kJsonLines);
}

TEST(OutputFormat, AnUnknownSuffixIsRefusedWithTheKnownOnes) {
  for (const std::string path : {"a.parquet", "a.json", "a.csv.bz2", "a.jsonl.partial", "a.CSV"}) {
    EXPECT_NE(
        ErrorOf(ErrorCode::kUsage, [&] { OutputFormatOf(path); }).find("known are .jsonl, .ndjson, .csv"),
        std::string::npos)
        << path;
  }
}

class ResultWriterTest : public RunTest {};

// A spreadsheet must not take what a model wrote for a formula. Numbers are none.
TEST_F(ResultWriterTest, CsvCellsAreNoFormulas) {
  FileOptions options;
  options.group_by = {"g", "h"};
  options.inputs = {Input("in.jsonl",
                          R"({"id": "=1+1", "g": "@x", "expected": "a", "actual": "a"})"
                          "\n"
                          R"({"id": "-2.5", "g": "-x", "h": "\t=1", "expected": "a", "actual": "a"})"
                          "\n"
                          R"({"id": "+", "g": "+1", "h": "=\"a,b\"", "expected": "a", "actual": "a"})"
                          "\n")};
  options.output = folder_ / "out.csv";
  options.details = DetailLevel::kNone;
  EXPECT_EQ(Run(Plan({"exact_match"}), options).output,
            "id,id_from,scorer,groups.g,groups.h,outcome,score,passed,nothing_compared,of_other_kind,"
            "unexpected_share,causes,details,reason,message,file,record,offset,text\n"
            "'=1+1,,exact_match,'@x,,scored,1,true,,,,,,,,,,,\n"
            "-2.5,,exact_match,'-x,'\t=1,scored,1,true,,,,,,,,,,,\n"
            "'+,,exact_match,+1,\"'=\"\"a,b\"\"\",scored,1,true,,,,,,,,,,,\n");
  options.csv_raw = true;
  EXPECT_EQ(Run(Plan({"exact_match"}), options).lines.at(1),
            "=1+1,,exact_match,@x,,scored,1,true,,,,,,,,,,,");
}

TEST_F(ResultWriterTest, CsvReadsBack) {
  FileOptions options;
  options.inputs = {Input("a,b\n\"c\".jsonl",
                          R"({"id": "x,\"y\"\r\nz", "expected": {"k": "kitten"}, "actual": {"k": "sitting"}})"
                          "\n"
                          R"({"id": {"a": "b"}, "expected": "abc", "actual": "abd"})"
                          "\n"
                          "{\"id\": \"q\xc3\x28\",\n"
                          R"({"id": 5.0, "actual": 1})"
                          "\n")};
  options.output = folder_ / "out.csv";
  const Plan plan = Plan::FromConfig(
      R"({"scorers": [{"type": "json_similarity", "name": "s,\"1\""}, {"type": "levenshtein"}]})");
  const FinishedRun run = Run(plan, options);
  const std::string file = options.inputs[0];
  const auto rows = ParseCsv(run.output);
  ASSERT_EQ(rows.size(), 9u);
  using Row = std::vector<std::string>;
  EXPECT_EQ(rows[0], (Row{"id", "id_from", "scorer", "outcome", "score", "passed", "nothing_compared",
                          "of_other_kind", "unexpected_share", "causes", "details", "reason", "message",
                          "file", "record", "offset", "text"}));
  EXPECT_EQ(rows[1],
            (Row{"x,\"y\"\r\nz", "", "s,\"1\"", "scored", "0.5714285714285714", "", "", "", "", "",
                 R"({"matched_leaves": 0.5714285714285714, "total_leaves": 1})", "", "", "", "", "", ""}));
  EXPECT_EQ(rows[2], (Row{"x,\"y\"\r\nz", "", "levenshtein", "scored", "0.8", "true", "", "", "", "",
                          R"({"distance": 3, "label": "pass"})", "", "", "", "", "", ""}));
  EXPECT_EQ(rows[3][0], R"({"a":"b"})");
  EXPECT_EQ(rows[4][5], "false");
  EXPECT_EQ(rows[5], (Row{"3", "record", "s,\"1\"", "error", "", "", "", "", "", "", "", "invalid_utf8",
                          "the text is not valid UTF-8", file, "3", "144", "{\"id\": \"q\uFFFD(\","}));
  EXPECT_EQ(rows[6][2], "levenshtein");
  EXPECT_EQ(rows[7], (Row{"5.0", "", "s,\"1\"", "error", "", "", "", "", "", "", "", "missing_expected",
                          "the record has no expected value", file, "4", "149", ""}));
  EXPECT_EQ(rows[8][4], "0");
}

TEST_F(ResultWriterTest, CsvSaysWhereNothingWasCompared) {
  FileOptions options;
  options.output = folder_ / "out.csv";
  const auto rows =
      ParseCsv(RunText(Plan({"json_similarity"}),
                       "{\"expected\": {}, \"actual\": 1}\n{\"expected\": 1, \"actual\": 1}\n", options)
                   .output);
  ASSERT_EQ(rows.size(), 3u);
  ASSERT_EQ(rows[0][6], "nothing_compared");
  EXPECT_EQ(rows[1][6], "true");
  EXPECT_EQ(rows[2][6], "");
}

TEST_F(ResultWriterTest, SaysWhereAnIdIsFrom) {
  const std::string input = R"({"id": "a\u0041", "expected": 1, "actual": 1})"
                            "\n"
                            R"({"id": "b\u0042", "expected": 1, "actual)"
                            "\n"
                            R"({"expected": 1, "actual": 1})"
                            "\n";
  FileOptions options;
  const FinishedRun run = RunText(Plan({"exact_match"}), input, options);
  const std::vector<std::string> begins = {R"({"id": "a\u0041", "scorer")",
                                           R"({"id": "bB", "id_from": "line", "scorer")",
                                           R"({"id": 3, "id_from": "record", "scorer")"};
  ASSERT_EQ(run.lines.size(), begins.size());
  for (std::size_t i = 0; i < begins.size(); ++i)
    EXPECT_TRUE(run.lines[i].starts_with(begins[i])) << run.lines[i];
  options.output = folder_ / "out.csv";
  const auto rows = ParseCsv(RunText(Plan({"exact_match"}), input, options).output);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[1][0] + "|" + rows[1][1], "aA|");
  EXPECT_EQ(rows[2][0] + "|" + rows[2][1], "bB|line");
  EXPECT_EQ(rows[3][0] + "|" + rows[3][1], "3|record");
}

TEST_F(ResultWriterTest, CsvWithoutDetails) {
  FileOptions options;
  options.output = folder_ / "out.csv";
  options.details = DetailLevel::kNone;
  const FinishedRun run = RunText(Plan({"exact_match"}), R"({"id": 1, "expected": 1, "actual": 2})", options);
  EXPECT_EQ(run.lines.at(1), "1,,exact_match,scored,0,false,,,,,,,,,,,");
}

TEST_F(ResultWriterTest, FileNamesOfAnyBytesAreValidUtf8) {
  FileOptions options;
  options.inputs = {Input("caf\xe9.jsonl", "{broken\n")};
  const std::string file = folder_ / "caf\uFFFD.jsonl";
  EXPECT_EQ(ParseLine(Run(Plan({"contains"}), options).lines.at(0))["file"].GetString(), file);
  options.output = folder_ / "out.csv";
  EXPECT_EQ(ParseCsv(Run(Plan({"contains"}), options).output).at(1).at(13), file);
}

// The text of a rejected record is clipped to 200 bytes, wherever that falls, and is always valid UTF-8.
TEST_F(ResultWriterTest, TextOfRejectedRecords) {
  std::string input;
  std::vector<std::string> want;
  for (std::size_t ascii = 195; ascii <= 201; ++ascii) {
    const std::string head(ascii, 'x');
    input += head + "\U0001F600 and more\n";
    std::string text = head.substr(0, 200);
    if (ascii <= 196) {
      text += "\U0001F600";
      text += std::string(" and").substr(0, 196 - ascii);
    } else {
      for (std::size_t i = ascii; i < 200; ++i) text += "\uFFFD";
    }
    want.push_back(text);
  }
  input += "\x01\x80\xed\xa0\x80\xf5|\"\\\t\x7f\n";
  want.push_back("\x01\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD|\"\\\t\x7f");
  const FinishedRun run = RunText(Plan({"contains"}), input);
  ASSERT_EQ(run.lines.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_EQ(ParseLine(run.lines[i])["text"].GetString(), want[i]);
  }
}

}  // namespace
}  // namespace leafscore::internal
