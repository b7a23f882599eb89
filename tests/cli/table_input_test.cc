// Tables of separated values as inputs of the command: they score as the records that they stand for.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/subprocess.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

using ::testing::HasSubstr;

class TableInputTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_ / name; }

  std::string File(const std::string& name, const std::string& text) const {
    WriteFile(Path(name), text);
    return Path(name);
  }

  static SubprocessResult Score(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"score", "-q", "-s", "json_similarity"});
    return RunCommand(arguments);
  }

  // Returns a table of many records, in which every hundredth row is broken.
  static std::string ManyRows(int rows) {
    std::string table = "id,model,expected,actual\n";
    for (int i = 0; i < rows; ++i) {
      const int n = i * 7919 % 100003;
      table += fmt::format(
          "{0},m{1},\"{{\"\"total\"\": {2}, \"\"name\"\": \"\"name {2}\"\"}}\","
          "\"{{\"\"total\"\": {2},\r\n \"\"name\"\": \"\"mane {2}\"\"}}\"{3}\n",
          i, i % 5, n, i % 100 == 99 ? ",one more" : "");
    }
    return table;
  }

  const TempDir folder_;
};

TEST_F(TableInputTest, ATableScoresAsTheJsonLinesThatItStandsFor) {
  const std::string lines = File("a.jsonl",
                                 R"({"id": 7, "expected": {"a": 1}, "actual": {"a": 1}}
{"id": "b, c", "expected": {"a": 1, "b": "x"}, "actual": {"a": 2, "b": "x"}}
{"id": 9, "expected": {"a": 1}}
{"id": 10, "expected": {"a": [1, 2]}, "actual": "no JSON"}
)");
  const std::string table =
      File("a.csv",
           "id,expected,actual\r\n"
           "7,\"{\"\"a\"\":1}\",\"{\"\"a\"\":1}\"\r\n"
           "\"b, c\",\"{\"\"a\"\":1,\"\"b\"\":\"\"x\"\"}\",\"{\"\"a\"\":2,\"\"b\"\":\"\"x\"\"}\"\r\n"
           "9,\"{\"\"a\"\":1}\",\r\n"
           "10,\"{\"\"a\"\":[1, 2]}\",no JSON\r\n");
  const SubprocessResult of_lines = Score({lines});
  const SubprocessResult of_table = Score({table});
  EXPECT_EQ(of_table.exit_code, of_lines.exit_code) << of_table.err;
  const std::vector<std::string> wanted = SplitLines(of_lines.out);
  const std::vector<std::string> found = SplitLines(of_table.out);
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const rapidjson::Document a = ParseLine(wanted[i]);
    const rapidjson::Document b = ParseLine(found[i]);
    EXPECT_STREQ(b["outcome"].GetString(), a["outcome"].GetString()) << found[i];
    EXPECT_EQ(b.HasMember("score"), a.HasMember("score")) << found[i];
    if (a.HasMember("score")) {
      EXPECT_EQ(b["score"].GetDouble(), a["score"].GetDouble()) << found[i];
    }
    if (a.HasMember("reason")) {
      EXPECT_STREQ(b["reason"].GetString(), a["reason"].GetString()) << found[i];
    }
    const std::string id = a["id"].IsInt() ? std::to_string(a["id"].GetInt()) : a["id"].GetString();
    EXPECT_EQ(b["id"].GetString(), id);
  }
  const SubprocessResult by_option = Score({File("a.data", ReadFile(table)), "--input-format", "csv"});
  EXPECT_EQ(SplitLines(by_option.out).size(), wanted.size()) << by_option.err;
}

// Ids are compared as texts, so any of the files may be a table.
TEST_F(TableInputTest, GoldAndAnswersMayBeTables) {
  const std::string gold_lines =
      File("gold.jsonl", "{\"id\": 1, \"expected\": {\"a\": 1}}\n{\"id\": 2, \"expected\": {\"a\": 2}}\n");
  const std::string gold =
      File("gold.csv", "id,expected,task\n1,\"{\"\"a\"\": 1}\",t\n2,\"{\"\"a\"\": 2}\",u\n");
  const std::string answers = File("m.jsonl", "{\"id\": 1, \"actual\": \"{\\\"a\\\": 1}\"}\n");
  const std::string table = File("m2.csv.gz", Gzip("id,actual\n1,\"{\"\"a\"\": 1}\"\n"));
  for (const auto& [of_gold, of_answers] : {std::pair{gold_lines, table}, {gold, answers}, {gold, table}}) {
    const SubprocessResult run = Score({of_answers, "--gold", of_gold});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::vector<std::string> lines = SplitLines(run.out);
    ASSERT_EQ(lines.size(), 2u) << of_gold << of_answers;
    EXPECT_THAT(lines[0], HasSubstr("\"score\": 1,"));
    EXPECT_THAT(lines[1], HasSubstr("\"outcome\": \"unanswered\""));
  }
  EXPECT_THAT(Score({table, "--gold", gold, "--group-by", "task"}).out,
              HasSubstr("\"groups\": {\"task\": \"t\"}"));
}

TEST_F(TableInputTest, ABrokenRowIsARecordWithItsReason) {
  const std::string table = File("a.csv", "id,expected,actual\n1,a,a\n2,{\"b\": 1, \"c\": 2},b\n3,c,c\n");
  const SubprocessResult run = RunCommand({"score", table, "-q", "-s", "exact_match"});
  const std::vector<std::string> lines = SplitLines(run.out);
  ASSERT_EQ(lines.size(), 3u) << run.err;
  EXPECT_EQ(
      lines[1],
      R"({"id": "2", "id_from": "line", "scorer": "exact_match", "outcome": "error", "reason": "invalid_row", )"
      R"("message": "row 2 (line 3) has 4 cells, but the first row names 3 columns; quote each cell that holds )"
      R"(a separator, a quote or a line break", "file": ")" +
          table +
          R"(", "record": 2, "offset": 167, "text": "{\"id\":\"2\",\"expected\":\"{\\\"b\\\": 1\",)"
          R"(\"actual\":\" \\\"c\\\": 2}\"}"})");
  EXPECT_THAT(lines[2], HasSubstr("\"id\": \"3\""));
}

TEST_F(TableInputTest, EveryCommandThatReadsRecordsReadsTables) {
  const std::string gold = File("gold.tsv", "id\texpected\n1\tyes\n2\tno\n3\tyes\n4\tno\n");
  const std::string table =
      File("a.tsv", "id\texpected\tactual\tlabel\n1\tyes\tyes\t1\n2\tno\tyes\t0\n3\tyes\tyes\t1\n");
  const SubprocessResult explained = RunCommand({"explain", "2", table, "-s", "exact_match"});
  EXPECT_EQ(explained.exit_code, 0) << explained.err;
  EXPECT_THAT(explained.out, HasSubstr("record 2 ("));
  const SubprocessResult linted = RunCommand({"lint", gold, table, "-s", "exact_match"});
  EXPECT_EQ(linted.exit_code, 0) << linted.err;
  EXPECT_THAT(linted.out, HasSubstr("4 records"));
  const SubprocessResult checked =
      RunCommand({"judge-check", table, "-s", "exact_match", "--label-field", "label"});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  const SubprocessResult piped =
      RunCommand({"score", "-", "-q", "-s", "exact_match", "--input-format", "tsv"}, ReadFile(table));
  EXPECT_EQ(SplitLines(piped.out).size(), 3u) << piped.err;
}

TEST_F(TableInputTest, ATableWithoutItsNameEndsInTheOptionThatReadsIt) {
  const SubprocessResult run = Score({File("a.txt", "id,expected,actual\n1,a,a\n")});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(
      run.err,
      HasSubstr("a.txt, byte 0: this looks like a table of separated values (CSV); give it a name that "
                "ends in .csv or .tsv, or say --input-format csv (or tsv)"));
  const SubprocessResult parquet = Score({File("a.parquet", "PAR1....")});
  EXPECT_THAT(parquet.err, HasSubstr("leafscore convert FILE -o records.jsonl"));
}

TEST_F(TableInputTest, ShardsThreadsAndRunsThatGoOnGiveTheSameBytes) {
  const std::string table = File("many.csv", ManyRows(20000));
  const std::string second = File("few.csv", ManyRows(200));
  const std::vector<std::string> arguments = {table,           second, "-o", Path("out.jsonl"),
                                              "--batch-bytes", "20000"};
  const auto score = [&](const std::vector<std::string>& more, const SubprocessOptions& options = {}) {
    std::vector<std::string> all = {"score", "-q", "-s", "json_similarity"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.insert(all.end(), more.begin(), more.end());
    return RunCommand(all, {}, options);
  };
  ASSERT_EQ(score({}).exit_code, 0);
  const std::string whole = ReadFile(Path("out.jsonl"));
  const std::string manifest = ReadFile(Path("out.jsonl.manifest.json"));
  EXPECT_EQ(SplitLines(whole).size(), 20200u);
  EXPECT_EQ(std::ranges::count(SplitLines(whole), true,
                               [](const std::string& line) { return line.find("invalid_row") != line.npos; }),
            202);
  EXPECT_THAT(manifest, HasSubstr("\"checksum\": \"" + BlockChecksumOf(ReadFile(table)) + "\""));

  std::filesystem::remove(Path("out.jsonl"));
  EXPECT_EQ(score({"--threads", "3"}).exit_code, 0);
  EXPECT_TRUE(ReadFile(Path("out.jsonl")) == whole);

  std::filesystem::remove(Path("out.jsonl"));
  EXPECT_EQ(score({}, {.max_file_size = 900000}).exit_code, 2);
  const SubprocessResult rest = score({"--resume"});
  EXPECT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_THAT(rest.err, HasSubstr("went on after "));
  EXPECT_TRUE(ReadFile(Path("out.jsonl")) == whole);
  EXPECT_EQ(ReadFile(Path("out.jsonl.manifest.json")), manifest);

  std::filesystem::remove(Path("out.jsonl"));
  for (const std::string shard : {"1/3", "2/3", "3/3"}) EXPECT_EQ(score({"--shard", shard}).exit_code, 0);
  const SubprocessResult merged =
      RunCommand({"merge", "-o", Path("out.jsonl"), Path("out.jsonl.shard-1-of-3"),
                  Path("out.jsonl.shard-2-of-3"), Path("out.jsonl.shard-3-of-3")});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_TRUE(ReadFile(Path("out.jsonl")) == whole);
}

}  // namespace
}  // namespace leafscore::internal
