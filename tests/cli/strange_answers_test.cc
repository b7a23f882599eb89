// Answers that are made otherwise than what is expected, by the command: who gave them is told, loud or
// quiet.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/subprocess.h"
#include "io/io_test_util.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kStrange[] =
    "answers that are not an object or array where one is expected, such as prose: \"prose\" 2 of 20; leaves "
    "of answers that nothing expects, such as those under other keys: \"wrapped\" 100%";

class StrangeAnswersTest : public ::testing::Test {
 protected:
  // Writes the answers of models to one file: texts of JSON, a tenth of which is prose, or that wrap what is
  // right, or that have as many leaves too many as right ones.
  void SetUp() override {
    std::string all;
    for (int id = 0; id < 20; ++id) {
      const std::string right = fmt::format("\"a\": {}, \"b\": [1, 2]", id);
      const auto add = [&](const char* model, const std::string& actual) {
        all += fmt::format("{{\"id\": {}, \"model\": \"{}\", \"expected\": {{{}}}, \"actual\": {}}}\n", id,
                           model, right, actual);
      };
      add("text", fmt::format("\"Answer: {{\\\"a\\\": {}, \\\"b\\\": [1, 2]}}\"", id));
      add("prose", id % 10 == 0 ? "\"I cannot tell.\"" : "{" + right + "}");
      add("wrapped", "{\"result\": {" + right + "}}");
      add("talkative", "{" + right + ", \"x\": 1, \"y\": [2, {\"z\": 3}]}");
    }
    WriteFile(Path("all.jsonl"), all);
  }

  std::string Path(const std::string& name) const { return folder_ / name; }

  SubprocessResult Score(const std::string& output, std::vector<std::string> more) const {
    more.insert(more.begin(), {"score", Path("all.jsonl"), "-s", "json_similarity", "-s", "json_diff", "-s",
                               "exact_match", "--source-field", "model", "-o", Path(output)});
    return RunCommand(more);
  }

  TempDir folder_;
};

TEST_F(StrangeAnswersTest, AreToldBySourceEvenWithQuiet) {
  const SubprocessResult quiet = Score("q.jsonl", {"-q", "--summary", Path("q.json")});
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.err, std::string("leafscore: ") + kStrange + "\n");
  const SubprocessResult loud = Score("l.jsonl", {});
  EXPECT_THAT(loud.err, HasSubstr(kStrange));
  EXPECT_EQ(ReadFile(Path("l.jsonl")), ReadFile(Path("q.jsonl")));
  const std::string summary = ReadFile(Path("q.json"));
  EXPECT_THAT(summary, AllOf(HasSubstr("\"of_other_kind\": 2"), HasSubstr("\"unexpected_share\": 1"),
                             HasSubstr("\"unexpected_share\": 0.5"), HasSubstr("\"read_from_text\": 20")));
  const std::string scores = ReadFile(Path("q.jsonl"));
  EXPECT_THAT(scores,
              HasSubstr("\"scorer\": \"json_diff\", \"groups\": {\"model\": \"wrapped\"}, \"outcome\": "
                        "\"scored\", \"score\": 0, \"unexpected_share\": 1, "));
}

// json_diff reads JSON in the texts of either side, so what it finds equal there is no leaf that nobody
// expects.
TEST_F(StrangeAnswersTest, LeavesInTextsThatJsonDiffReadsAreExpected) {
  const auto share = [&](const std::string& expected, const std::string& actual) {
    WriteFile(Path("one.jsonl"), fmt::format("{{\"expected\": {}, \"actual\": {}}}\n", expected, actual));
    EXPECT_EQ(
        RunCommand({"score", Path("one.jsonl"), "-s", "json_diff", "-q", "-o", Path("o.jsonl")}).exit_code,
        0);
    const rapidjson::Document line = ParseLine(ReadFile(Path("o.jsonl")));
    const auto member = line.FindMember("unexpected_share");
    return member == line.MemberEnd() ? 0 : member->value.GetDouble();
  };
  EXPECT_EQ(share(R"("[1]")", "[1]"), 0);
  EXPECT_EQ(share(R"("{\"a\": 1}")", R"({"a": 1})"), 0);
  EXPECT_EQ(share(R"({"a": "{\"b\": 1}"})", R"({"a": {"b": 1}})"), 0);
  EXPECT_EQ(share(R"("{\"a\": 1}")", R"("{\"a\": 1, \"b\": 2}")"), 0.5);
  EXPECT_EQ(share(R"("prose")", R"({"a": 1})"), 1);
  EXPECT_EQ(share(R"({"a": "prose"})", R"({"a": {"b": 1}})"), 1);
}

TEST_F(StrangeAnswersTest, AllAnswersAreOneSourceWhereNobodyIsNamed) {
  const std::string line = "{\"expected\": {\"a\": 1}, \"actual\": [1]}\n";
  WriteFile(Path("lists.jsonl"), line + line);
  const SubprocessResult run =
      RunCommand({"score", Path("lists.jsonl"), "-s", "json_similarity", "-q", "-o", Path("l.jsonl")});
  EXPECT_EQ(
      run.err,
      "leafscore: answers that are not an object or array where one is expected, such as prose: 2 of 2; "
      "leaves of answers that nothing expects, such as those under other keys: 100%\n");
}

TEST_F(StrangeAnswersTest, LeaderboardsTellThemInEachFormat) {
  ASSERT_EQ(Score("s.jsonl", {"-q"}).exit_code, 0);
  const auto board = [&](const std::string& format) {
    return RunCommand({"leaderboard", Path("s.jsonl"), "--by", "model", "--format", format});
  };
  const SubprocessResult table = board("table");
  EXPECT_EQ(table.exit_code, 0) << table.err;
  const std::string note = std::string("\nA") + (kStrange + 1) + "\n";
  EXPECT_THAT(table.out, EndsWith(note));
  EXPECT_THAT(table.err,
              AllOf(HasSubstr("warning: under the scorer \"json_diff\", models have many answers that are "
                              "not an object or array where one is expected, such as prose: "
                              "\"prose\"\n"),
                    HasSubstr("models have answers whose leaves are mostly unexpected, such as those under "
                              "other keys: \"wrapped\"\n"),
                    Not(HasSubstr("exact_match")), Not(HasSubstr("talkative"))));
  EXPECT_THAT(board("md").out, HasSubstr("such as prose: \"prose\" 2 of 20;"));
  const std::string json = board("json").out;
  EXPECT_THAT(json, AllOf(HasSubstr("\"of_other_kind\": 2, \"unexpected_share\": 0,"),
                          HasSubstr("\"of_other_kind\": 0, \"unexpected_share\": 1,"),
                          HasSubstr("\"of_other_kind\": 0, \"unexpected_share\": 0.5,")));
}

}  // namespace
}  // namespace leafscore::internal
