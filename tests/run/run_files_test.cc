#include "engine/run/run_files.h"

#include <rapidjson/pointer.h>

#include <map>
#include <string>
#include <vector>

#include "run/run_testing.h"
#include "sanitized.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kLineLimit = 400;

Plan AllScorers() { return Plan({"json_similarity", "exact_match", "contains", "levenshtein"}); }

TEST_F(RunTest, ThreadsAndBatchSizesDoNotChangeABit) {
  const std::vector<TestLine> lines = MixedLines(180, kLineLimit);
  FileOptions options;
  options.inputs = {Input("a.jsonl", JoinLines(lines)), Input("b.jsonl", "\r\n \n" + lines[0].text)};
  options.group_by = {"model", "id"};
  options.max_groups = 5;
  options.max_line_bytes = kLineLimit;
  options.details = DetailLevel::kLeaves;
  const Plan plan = AllScorers();
  options.threads = 1;
  const FinishedRun base = Run(plan, options);
  EXPECT_FALSE(base.result.error);
  EXPECT_EQ(base.lines.size(), 181u * 4);
  EXPECT_EQ(base.result.summary.totals().records_read, 181u);
  EXPECT_EQ(base.result.summary.totals().rejected, 60u);
  ExpectSameBytes(plan, options, base, {1, 2, 7, 64, 100, 1000, 65536});
}

// Threads read their ranges of files; with small batches, files are read from begin to end.
TEST_F(RunTest, FilesReadInRangesGiveTheSameBytes) {
  constexpr std::size_t kLongLine = 40000;
  constexpr int kLines = kSanitized ? 500 : 1500;
  const std::vector<TestLine> lines = MixedLines(kLines, kLongLine);
  FileOptions options;
  options.inputs = {Input("a.jsonl", JoinLines(lines)), Input("b.jsonl.gz", Gzip(JoinLines(lines))),
                    Input("c.jsonl", "\xef\xbb\xbf\r\n \n" + JoinLines(lines) + lines[0].text)};
  options.group_by = {"model", "id"};
  options.max_groups = 5;
  options.max_line_bytes = kLongLine;
  const Plan plan = AllScorers();
  options.threads = 1;
  options.batch_bytes = 1000;
  const FinishedRun base = Run(plan, options);
  EXPECT_FALSE(base.result.error);
  EXPECT_EQ(base.result.summary.totals().records_read, 3u * kLines + 1);
  ExpectSameBytes(plan, options, base, {16384, 40000, 1 << 20});
}

TEST_F(RunTest, AProfileHasTheTimeOfEachStage) {
  FileOptions options;
  options.profile = true;
  const FinishedRun run = RunText(AllScorers(), JoinLines(MixedLines(500, 1000)), options);
  double serial = 0;
  double parallel = 0;
  for (const StageTime& stage : run.result.stages) {
    serial += stage.serial_seconds;
    parallel += stage.parallel_seconds;
    const bool is_parallel = stage.stage == "flatten" || stage.stage == "read";
    EXPECT_TRUE(!is_parallel || stage.serial_seconds == 0);
    EXPECT_TRUE(stage.stage != "sink" || stage.serial_seconds > 0);
  }
  EXPECT_GT(serial, 0);
  EXPECT_GT(parallel, 0);
  options.profile = false;
  EXPECT_TRUE(RunText(AllScorers(), JoinLines(MixedLines(10, 1000)), options).result.stages.empty());
}

// Checks every line of a run against what the input was made of.
TEST_F(RunTest, RejectsAreReportedExactlyAndHarmNoNeighbour) {
  const std::vector<TestLine> lines = MixedLines(90, kLineLimit);
  FileOptions options;
  options.max_line_bytes = kLineLimit;
  options.batch_bytes = 1000;
  const Plan plan({"levenshtein"});
  const FinishedRun run = RunText(plan, JoinLines(lines), options);
  ASSERT_EQ(run.lines.size(), lines.size());
  std::size_t offset = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const TestLine& line = lines[i];
    const rapidjson::Document result = ParseLine(run.lines[i]);
    SCOPED_TRACE(run.lines[i]);
    if (line.reason != RejectReason::kNone) {
      if (line.reason == RejectReason::kNotAnObject) {
        EXPECT_EQ(result["id"].GetUint64(), i + 1);
        EXPECT_STREQ(result["id_from"].GetString(), "record");
      } else if (line.reason == RejectReason::kLineTooLong) {
        EXPECT_STREQ(result["id"].GetString(), "long");
        EXPECT_STREQ(result["id_from"].GetString(), "line");
      } else {
        EXPECT_EQ(result["id"].GetUint64(), i % 10);
        EXPECT_STREQ(result["id_from"].GetString(), "line");
      }
      EXPECT_STREQ(result["outcome"].GetString(), "error");
      EXPECT_EQ(result["reason"].GetString(), RejectReasonName(line.reason));
      EXPECT_GT(result["message"].GetStringLength(), 0u);
      EXPECT_EQ(result["file"].GetString(), folder_ / "in.jsonl");
      EXPECT_EQ(result["record"].GetUint64(), i + 1);
      EXPECT_EQ(result["offset"].GetUint64(), offset + line.fault);
      std::string head = line.text.substr(0, 200);
      if (line.reason == RejectReason::kInvalidUtf8) head.replace(head.find('\xff'), 1, "\uFFFD");
      EXPECT_EQ(result["text"].GetString(), head);
      EXPECT_FALSE(result.HasMember("score"));
    } else if (line.text.find("\"actual\"") == std::string::npos) {
      EXPECT_STREQ(result["reason"].GetString(), "missing_actual");
      EXPECT_EQ(result["offset"].GetUint64(), offset);
      EXPECT_FALSE(result.HasMember("text"));
    } else {
      EXPECT_STREQ(result["outcome"].GetString(), "scored");
      EXPECT_FALSE(result.HasMember("reason"));
      // Alone, the record has the same score.
      const FinishedRun alone = RunText(plan, line.text);
      EXPECT_EQ(ParseLine(alone.lines.at(0))["score"], result["score"]);
    }
    offset += line.text.size() + 1;
  }
}

TEST_F(RunTest, ALineCutAtEveryByteSparesItsNeighbours) {
  const std::string good = R"({"id": 1, "expected": ["é", {"a": -1.5e3}], "actual": ["\u00e9", null]})";
  const Plan plan({"json_similarity"});
  const std::string scored = RunText(plan, good).output;
  for (std::size_t cut = 1; cut < good.size(); ++cut) {
    const FinishedRun run = RunText(plan, good + "\n" + good.substr(0, cut) + "\n" + good);
    ASSERT_EQ(run.lines.size(), 3u) << cut;
    EXPECT_EQ(run.lines[0] + "\n", scored) << cut;
    const std::string id = cut > 8 ? R"({"id": 1, "id_from": "line")" : R"({"id": 2, "id_from": "record")";
    EXPECT_NE(run.lines[1].find(id + R"(, "scorer": "json_similarity", "outcome": "error")"),
              std::string::npos)
        << run.lines[1];
    EXPECT_EQ(run.lines[2] + "\n", scored) << cut;
    EXPECT_EQ(run.result.summary.totals().rejected, 1u) << cut;
  }
}

TEST_F(RunTest, LinesAndArraysOfTheSameRecordsGiveTheSameBytes) {
  std::string lines;
  std::string array;
  for (const TestLine& line : MixedLines(180, kLineLimit)) {
    if (line.reason != RejectReason::kNone || line.text.find("\"actual\"") == std::string::npos ||
        line.text.find("\"expected\"") == std::string::npos) {
      continue;
    }
    lines += line.text + "\n";
    array += (array.empty() ? "[" : ",") + line.text;
  }
  array += "]";
  const Plan plan = AllScorers();
  const FinishedRun base = RunText(plan, lines);
  EXPECT_EQ(base.result.summary.Overall(0).counts().scored, 100u);
  for (const std::size_t batch_bytes : {1, 100, 65536}) {
    FileOptions options;
    options.batch_bytes = batch_bytes;
    EXPECT_EQ(RunText(plan, "\xef\xbb\xbf" + lines, options).output, base.output) << batch_bytes;
    options.input_format = InputFormat::kJsonArray;
    EXPECT_EQ(RunText(plan, array, options).output, base.output) << batch_bytes;
    EXPECT_EQ(RunText(plan, "\n" + PrettyPrint(array) + "\n", options).output, base.output) << batch_bytes;
  }
}

// Before, a file whose first byte was [ was one array, and all behind its end was lost: one rejected record.
TEST_F(RunTest, AFirstLineThatIsAnArrayHidesNoLines) {
  const std::string good = R"({"expected": 1, "actual": 1})"
                           "\n";
  std::string text = "[1, 2]\n";
  for (int i = 0; i < 20'000; ++i) text += good;
  for (const std::string name : {"in.jsonl", "in.txt"}) {
    FileOptions options;
    options.inputs = {Input(name, text)};
    const FinishedRun run = Run(Plan({"exact_match"}), options);
    EXPECT_FALSE(run.result.error);
    EXPECT_EQ(run.result.summary.totals().rejected, 1u);
    EXPECT_EQ(run.result.summary.Overall(0).counts().scored, 20'000u);
    EXPECT_NE(run.lines.at(0).find("\"reason\": \"not_an_object\""), std::string::npos);
  }
}

TEST_F(RunTest, TextBehindAnArrayEndsTheRunWithAnInputError) {
  FileOptions options;
  options.inputs = {Input("in.json", R"([{"expected": 1, "actual": 1},
  {"expected": 1, "actual": 1}]
{"expected": 1, "actual": 1}
)")};
  const FinishedRun run = Run(Plan({"exact_match"}), options);
  ASSERT_TRUE(run.result.error);
  EXPECT_EQ(run.result.error->code(), ErrorCode::kInput);
  EXPECT_EQ(run.result.error->what(),
            options.inputs[0] +
                ", byte 63: text follows the array of records; if each line is a record, say "
                "--input-format jsonl");
  EXPECT_EQ(run.lines.size(), 2u);
  EXPECT_NE(run.result.partial_output, "");
}

TEST_F(RunTest, AFileOfAnotherKindIsOneError) {
  FileOptions options;
  options.inputs = {Input("in", "id,expected,actual\n1,a,a\n2,b,b\n")};
  const FinishedRun run = Run(Plan({"exact_match"}), options);
  ASSERT_TRUE(run.result.error);
  EXPECT_EQ(run.result.error->code(), ErrorCode::kInput);
  EXPECT_EQ(run.result.summary.totals().records_read, 0u);
  options.inputs = {Input("in", R"({"expected": 1, "actual": 1})")};
  options.gold = Input("gold.jsonl", "id,expected\n1,a\n2,b\n");
  EXPECT_THROW(RunFiles(Plan({"exact_match"}).scorers(), options), Error);
}

TEST_F(RunTest, CompressedInputsAndOutputsHoldTheSameBytes) {
  const std::string text = JoinLines(MixedLines(90, kLineLimit));
  const Plan plan({"json_similarity"});
  FileOptions options;
  options.inputs = {Input("in", text)};  // one name, as results state it
  const std::string plain = Run(plan, options).output;
  for (const std::string& bytes :
       {Gzip(text), Zstd(text), Gzip(text.substr(0, 999)) + Gzip(text.substr(999))}) {
    Input("in", bytes);
    EXPECT_EQ(Run(plan, options).output, plain);
  }
  Input("in", text);
  for (const std::string name : {"o.jsonl.gz", "o.jsonl.zst"}) {
    options.output = folder_ / name;
    const std::string compressed = Run(plan, options).output;
    EXPECT_LT(compressed.size(), plain.size() / 4);
    const ReadResult unpacked = ReadAll(options.output);
    EXPECT_EQ(unpacked.bytes, plain);
    EXPECT_EQ(unpacked.error, "");
    options.batch_bytes = 7;
    EXPECT_EQ(Run(plan, options).output, compressed);
  }
}

TEST_F(RunTest, EachInputCountsItsOwnRecords) {
  FileOptions options;
  options.inputs = {Input("a", "{\"expected\": 1, \"actual\": 1}\n\n  [1]\r\n"), Input("empty", ""),
                    Input("b", "[{\"expected\": 1, \"actual\": 1}, 2]")};
  const FinishedRun run = Run(Plan({"exact_match"}), options);
  ASSERT_EQ(run.lines.size(), 4u);
  const std::string scored =
      R"("scorer": "exact_match", "outcome": "scored", "score": 1, "passed": true, "details": {}})";
  EXPECT_EQ(run.lines[0], R"({"id": 1, "id_from": "record", )" + scored);
  EXPECT_EQ(
      run.lines[1],
      R"({"id": 2, "id_from": "record", "scorer": "exact_match", "outcome": "error", "reason": "not_an_object", )"
      R"("message": "a record must be a JSON object; --input-format json reads an array of records", )"
      R"("file": ")" +
          (folder_ / "a") + R"(", "record": 2, "offset": 32, "text": "[1]"})");
  EXPECT_EQ(run.lines[2], R"({"id": 3, "id_from": "record", )" + scored);
  EXPECT_EQ(
      run.lines[3],
      R"({"id": 4, "id_from": "record", "scorer": "exact_match", "outcome": "error", "reason": "not_an_object", )"
      R"("message": "a record must be a JSON object", "file": ")" +
          (folder_ / "b") + R"(", "record": 2, "offset": 31, "text": "2"})");
}

TEST_F(RunTest, IdsOfEveryKindStayAsTheyWere) {
  const std::vector<std::pair<std::string, std::string>> ids = {
      {R"("id": "plain", )", R"("plain")"},
      {R"("id": "a\u0041\"\\\/\n é", )", R"("a\u0041\"\\\/\n é")"},
      {R"("id": "", )", R"("")"},
      {R"("id": -1.50E+2, )", "-1.50E+2"},
      {R"("id": 123456789012345678901234567890, )", "123456789012345678901234567890"},
      {R"("id": {"b": [1, "x\u0041"], "a": {}}, )", R"({"b":[1,"xA"],"a":{}})"},
      {R"("id": [ ], )", "[]"},
      {R"("id": null, )", "8, \"id_from\": \"record\""},  // which is none
      {R"("id": true, )", "true"},
      {"", "10, \"id_from\": \"record\""},
      {R"("id": 1, "id": 2, )", "2"},
      {R"("i\u0064": 3, )", "3"},
  };
  std::string input;
  for (const auto& [member, written] : ids) input += "{" + member + R"("expected": 1, "actual": 1})" + "\n";
  const FinishedRun run = RunText(Plan({"exact_match"}), input);
  ASSERT_EQ(run.lines.size(), ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::string head = "{\"id\": " + ids[i].second + ", \"scorer\"";
    EXPECT_EQ(run.lines[i].substr(0, head.size()), head);
  }
}

TEST_F(RunTest, FieldsMayHaveOtherNames) {
  FileOptions options;
  options.id_field = "ké\"y";
  options.expected_field = "gold";
  options.actual_field = "model.answer";
  const FinishedRun run =
      RunText(Plan({"exact_match"}),
              R"({"id": 1, "k\u00e9\"y": 2, "expected": 5, "gold": 3, "model.answer": 3})", options);
  EXPECT_EQ(
      run.output,
      R"({"id": 2, "scorer": "exact_match", "outcome": "scored", "score": 1, "passed": true, "details": {}})"
      "\n");
}

TEST_F(RunTest, FieldsMayBeNested) {
  FileOptions options;
  options.id_field = "meta.id";
  options.expected_field = "want[1]";
  options.actual_field = "output.answer";
  options.group_by = {"meta.task"};
  const FinishedRun run = RunText(
      Plan({"exact_match"}),
      R"({"meta": {"id": 7, "task": "t"}, "want": [0, {"a": 1}], "output": {"answer": {"a": 1}}})", options);
  EXPECT_EQ(run.output,
            R"({"id": 7, "scorer": "exact_match", "groups": {"meta.task": "t"}, "outcome": "scored", )"
            R"("score": 1, "passed": true, "details": {}})"
            "\n");
}

// RETURNS: what ended the run over these lines, or "".
class FieldsRunTest : public RunTest {
 protected:
  std::string ErrorOfRun(const Plan& plan, const std::string& input, const FileOptions& options = {}) {
    const FinishedRun run = RunText(plan, input, options);
    if (!run.result.error) return "";
    EXPECT_EQ(run.result.error->code(), ErrorCode::kInput);
    EXPECT_NE(run.result.partial_output, "");  // not committed as a good one
    return run.result.error->what();
  }
};

TEST_F(FieldsRunTest, AFieldThatNoRecordHasEndsTheRun) {
  const Plan plan({"exact_match"});
  const std::string input = R"({"id": 1, "expected": 1, "output": {"answer": 1}, "meta": [{"task": "t"}]})"
                            "\nnot json\n{}\n";
  const std::string there =
      R"(; the first one has: "id", "expected", "output", "meta", "output.answer", "meta[0]", "meta[0].task")";
  EXPECT_EQ(ErrorOfRun(plan, input), R"(no record has the field "actual" (--actual-field))" + there);
  FileOptions options;
  options.actual_field = "output.answr";
  EXPECT_EQ(
      ErrorOfRun(plan, input, options),
      R"(no record has the field "output.answr" (--actual-field; did you mean "output.answer"?))" + there);
  options.actual_field = "answer";
  options.expected_field = "expectd";
  options.id_field = "ID";
  EXPECT_EQ(
      ErrorOfRun(plan, input, options),
      R"(no record has the field "ID" (--id-field; did you mean "id"?), "expectd" (--expected-field; did you mean "expected"?), )"
      R"("answer" (--actual-field; did you mean "output.answer"?))" +
          there);
  options = {};
  options.actual_field = "output.answer";
  options.group_by = {"meta[0].task", "model"};
  EXPECT_EQ(ErrorOfRun(plan, input, options), R"(no record has the field "model" (--group-by))" + there);
  options.group_by = {"meta[0].task"};
  EXPECT_EQ(ErrorOfRun(plan, input, options), "");
}

TEST_F(FieldsRunTest, CallsMayHaveAFieldOfTheirOwn) {
  const Plan plan({"tool_calls"});
  const std::string input = R"({"id": 1, "expected": ["a"], "run": {"calls": ["a"]}})"
                            "\n"
                            R"({"id": 2, "expected": ["a"], "actual": ["a"]})"
                            "\n";
  FileOptions options;
  options.calls_field = "run.calls";
  const std::string output = RunText(plan, input, options).output;
  EXPECT_NE(output.find(R"({"id": 1, "scorer": "tool_calls", "outcome": "scored", "score": 1)"), output.npos);
  EXPECT_NE(output.find(R"({"id": 2, "scorer": "tool_calls", "outcome": "unanswered")"), output.npos)
      << output;
  EXPECT_NE(output.find(R"(the record lacks the calls field \"run.calls\")"), output.npos) << output;
  options.calls_field = "run.call";
  EXPECT_EQ(ErrorOfRun(plan, input, options),
            R"(no record has the field "run.call" (--calls-field; did you mean "run.calls"?); )"
            R"(the first one has: "id", "expected", "run", "expected[0]", "run.calls", "run.calls[0]")");
}

TEST_F(FieldsRunTest, OneRecordWithTheFieldIsEnough) {
  const std::string input = std::string(R"({"x": 1})") + "\n" + R"({"expected": 1, "actual": 1})" + "\n";
  for (const std::size_t batch_bytes : {1, 10, 65536}) {
    FileOptions options;
    options.batch_bytes = batch_bytes;
    EXPECT_EQ(ErrorOfRun(Plan({"exact_match"}), input, options), "");
  }
  // Nothing is known of its fields.
  EXPECT_NE(ErrorOfRun(Plan({"exact_match"}), "not json\n").find("not one record was scored"),
            std::string::npos);
}

TEST_F(FieldsRunTest, ScorersThatCanDoWithoutExpectedDo) {
  const std::string input = R"({"actual": "abc"})";
  EXPECT_NE(ErrorOfRun(Plan({"levenshtein"}), input), "");
  EXPECT_NE(ErrorOfRun(Plan({"contains"}), input), "");
  const auto with = [](const std::string& option) {
    return Plan::FromConfig("evaluators: [" + option + "]");
  };
  EXPECT_EQ(ErrorOfRun(with("{type: contains, search_text: b}"), input), "");
  EXPECT_EQ(ErrorOfRun(with("{type: levenshtein, default_expected: abc}"), input), "");
  EXPECT_NE(ErrorOfRun(with("{type: contains, search_text: b}, {type: exact_match}"), input), "");
  FileOptions options;
  options.expected_field = "want";
  EXPECT_NE(ErrorOfRun(with("{type: contains, search_text: b}"), input, options), "");
}

TEST_F(FieldsRunTest, RecordsThatLackAGroupFieldAreCounted) {
  FileOptions options;
  options.group_by = {"task", "model"};
  const FinishedRun run =
      RunText(Plan({"exact_match"}), R"({"expected": 1, "actual": 1, "task": 1, "model": 1}
{"expected": 1, "actual": 1, "model": null}
not json
{"expected": 1, "actual": 1, "model": 1}
)",
              options);
  const RunReport report = run.result.summary.Report();
  EXPECT_EQ(report.lacking, (std::vector<std::uint64_t>{2, 0}));
  EXPECT_NE(report.ToTable().find("\ntask: 2 records lack the field\n"), std::string::npos)
      << report.ToTable();
  EXPECT_EQ(report.ToTable().find("model: "), std::string::npos);
  EXPECT_NE(run.summary.find("\"records_without\": 2"), std::string::npos);
}

// Returns group name -> number of records.
std::map<std::string, std::uint64_t> Groups(const RunSummary& summary, std::size_t field) {
  std::map<std::string, std::uint64_t> groups;
  for (const std::uint32_t group : summary.GroupsToReport(field)) {
    groups[summary.group_name(field, group)] += summary.Statistics(0, field, group).counts().asked();
  }
  return groups;
}

TEST_F(RunTest, GroupsByValuesOfEveryKind) {
  std::string input;
  const std::string longest(kMaxGroupValueBytes, 'v');
  for (const std::string value : {R"("a")", R"("\u0061")", R"("")", "1", "1.0", "true", "null",
                                  R"({"k": [1]})", R"({"k":[1]})", R"("x\ny")"}) {
    input += R"({"expected": 1, "actual": 1, "g": )" + value + "}\n";
  }
  input += R"({"expected": 1, "actual": 1, "g": ")" + longest + "\"}\n";
  input += R"({"expected": 1, "actual": 1, "g": ")" + longest + "v\"}\n";
  input += R"({"expected": 1, "actual": 1, "h": 1})"
           "\n";
  input += "not json\n";
  FileOptions options;
  options.group_by = {"g", "h"};
  const FinishedRun run = RunText(Plan({"exact_match"}), input, options);
  const std::map<std::string, std::uint64_t> want = {
      {"a", 2},           {"", 1},     {"1", 1},     {"1.0", 1},    {"true", 1},   {"null", 1},
      {"{\"k\":[1]}", 2}, {"x\ny", 1}, {longest, 1}, {"(none)", 2}, {"(other)", 1}};
  EXPECT_EQ(Groups(run.result.summary, 0), want);
  EXPECT_EQ(Groups(run.result.summary, 1), (std::map<std::string, std::uint64_t>{{"1", 1}, {"(none)", 13}}));
}

TEST_F(RunTest, AGroupFieldNamedTwiceIsOneField) {
  FileOptions options;
  options.group_by = {"model", "id", "model"};
  const FinishedRun run = RunText(AllScorers(), JoinLines(MixedLines(20, kLineLimit)), options);
  EXPECT_EQ(run.result.summary.group_fields(), (std::vector<std::string>{"model", "id"}));
}

TEST_F(RunTest, MaxGroupsAtItsLimit) {
  std::string input;
  for (int i = 0; i < 10; ++i)
    input += R"({"expected": 1, "actual": 1, "g": )" + std::to_string(i % 5) + "}\n";
  FileOptions options;
  options.group_by = {"g"};
  const auto groups_at = [&](std::size_t max_groups) {
    options.max_groups = max_groups;
    return Groups(RunText(Plan({"exact_match"}), input, options).result.summary, 0);
  };
  const std::map<std::string, std::uint64_t> all = {{"0", 2}, {"1", 2}, {"2", 2}, {"3", 2}, {"4", 2}};
  EXPECT_EQ(groups_at(6), all);
  EXPECT_EQ(groups_at(5), all);
  EXPECT_EQ(groups_at(4),
            (std::map<std::string, std::uint64_t>{{"0", 2}, {"1", 2}, {"2", 2}, {"3", 2}, {"(other)", 2}}));
}

TEST_F(RunTest, MaxLineBytesAtItsLimit) {
  const std::string line = R"({"id": "x", "expected": "abc", "actual": "abc"})";
  const std::string neighbour = "{\"expected\":1,\"actual\":1}";
  for (const std::size_t batch_bytes : {1, 13, 65536}) {
    for (const int difference : {-1, 0, 1}) {
      FileOptions options;
      options.batch_bytes = batch_bytes;
      options.max_line_bytes = line.size() + static_cast<std::size_t>(difference);
      for (const std::string& input : {neighbour + "\n" + line + "\n" + neighbour,
                                       "[" + neighbour + "," + line + "," + neighbour + "]"}) {
        options.input_format = input[0] == '[' ? InputFormat::kJsonArray : InputFormat::kJsonLines;
        const FinishedRun run = RunText(Plan({"exact_match"}), input, options);
        ASSERT_EQ(run.lines.size(), 3u);
        const bool rejected = run.lines[1].find("\"reason\": \"line_too_long\"") != std::string::npos;
        EXPECT_EQ(rejected, difference < 0) << input << " in batches of " << batch_bytes;
        EXPECT_EQ(run.result.summary.Overall(0).counts().scored, difference < 0 ? 2u : 3u);
      }
    }
  }
}

TEST_F(RunTest, MaxDepthAtItsLimit) {
  // The record's own braces are a level.
  const auto record = [](std::size_t levels) {
    return R"({"expected": )" + std::string(levels - 1, '[') + std::string(levels - 1, ']') +
           R"(, "actual": 1})";
  };
  for (const std::uint32_t limit : {3u, 1024u}) {
    FileOptions options;
    options.max_depth = limit;
    const FinishedRun run =
        RunText(Plan({"exact_match"}),
                record(limit - 1) + "\n" + record(limit) + "\n" + record(limit + 1) + "\n", options);
    ASSERT_EQ(run.lines.size(), 3u);
    EXPECT_NE(run.lines[0].find("\"outcome\": \"scored\""), std::string::npos);
    EXPECT_NE(run.lines[1].find("\"outcome\": \"scored\""), std::string::npos);
    EXPECT_NE(run.lines[2].find("\"reason\": \"too_deep\""), std::string::npos);
    const rapidjson::Document rejected = ParseLine(run.lines[2]);
    const std::size_t begin = record(limit - 1).size() + record(limit).size() + 2;
    EXPECT_EQ(rejected["offset"].GetUint64(), begin + std::string(R"({"expected": )").size() + limit - 1);
  }
}

TEST_F(RunTest, WhatOnlyPythonReadsIsScoredOrByOptionRejected) {
  const std::string head = R"({"expected": 1, "actual": )";
  const std::vector<std::string> values = {"NaN",
                                           "Infinity",
                                           "-Infinity",
                                           R"("\ud800")",
                                           R"("\udc00\ud800")",
                                           "1e400",
                                           "-1e309",
                                           "18446744073709551616",
                                           "-9223372036854775809"};
  const std::vector<std::string> standard = {"18446744073709551615", "-9223372036854775808", "1e308",
                                             R"("\ud83d\ude00")"};
  std::string input;
  for (const std::string& value : values) input += head + value + "}\n";
  for (const std::string& value : standard) input += head + value + "}\n";
  FileOptions options;
  const FinishedRun tolerant = RunText(Plan({"json_similarity"}), input, options);
  EXPECT_EQ(tolerant.result.summary.Overall(0).counts().scored, values.size() + standard.size());
  EXPECT_EQ(tolerant.result.summary.totals().nonstandard, values.size());
  EXPECT_EQ(tolerant.result.summary.totals().rejected, 0u);

  options.strict_json = true;
  const FinishedRun strict = RunText(Plan({"json_similarity"}), input, options);
  EXPECT_EQ(strict.result.summary.Overall(0).counts().scored, standard.size());
  EXPECT_EQ(strict.result.summary.totals().nonstandard, 0u);
  EXPECT_EQ(strict.result.summary.totals().rejected, values.size());
  std::size_t offset = head.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const rapidjson::Document line = ParseLine(strict.lines[i]);
    EXPECT_STREQ(line["reason"].GetString(), "nonstandard_json");
    EXPECT_EQ(line["offset"].GetUint64(), offset + (values[i][0] == '"' ? 1 : 0)) << values[i];
    offset += head.size() + values[i].size() + 2;
  }
}

TEST_F(RunTest, DuplicateKeysAreCountedAndTheLastOneWins) {
  const FinishedRun run = RunText(Plan({"json_similarity"}),
                                  R"({"expected": {"a": 1, "\u0061": 2, "b": {"c": 1, "c": 1, "c": 3}},)"
                                  R"( "actual": 5, "actual": {"b": {"c": 3}, "a": 2}})");
  EXPECT_EQ(run.result.summary.totals().duplicate_keys, 4u);
  EXPECT_EQ(ParseLine(run.lines.at(0))["score"].GetDouble(), 1.0);
}

TEST_F(RunTest, LeavesExplainTheScore) {
  const std::string expected =
      R"({"a.b": {"c/d": [1, "kitten", {"": "x"}]}, "n": 10, "gone": {"p": 1, "q": [true]}, "e": {}, "\u00e9": null})";
  const std::string actual =
      R"({"é": null, "n": 9, "a.b": {"c/d": [1, "sitting", {"": "x"}, 5]}, "extra": 1, "e": {}})";
  const std::string input = R"({"id": 1, "expected": )" + expected + R"(, "actual": )" + actual + "}\n";
  FileOptions options;
  const Plan plan({"json_similarity"});

  options.details = DetailLevel::kNone;
  EXPECT_EQ(RunText(plan, input, options).output.find("details"), std::string::npos);

  options.details = DetailLevel::kBasic;
  const rapidjson::Document basic = ParseLine(RunText(plan, input, options).lines.at(0));
  EXPECT_EQ(basic["details"].MemberCount(), 2u);

  options.details = DetailLevel::kLeaves;
  const rapidjson::Document leaves = ParseLine(RunText(plan, input, options).lines.at(0));
  EXPECT_EQ(leaves["score"], basic["score"]);
  const rapidjson::Value& details = leaves["details"];
  EXPECT_EQ(details["total_leaves"], basic["details"]["total_leaves"]);
  EXPECT_EQ(details["matched_leaves"], basic["details"]["matched_leaves"]);

  struct Leaf {
    std::string pointer;  // where RapidJSON finds it
    std::string path;
    double similarity;
  };
  const std::vector<Leaf> want = {{"/a.b/c~1d/0", R"(["a.b"].c/d[0])", 1},
                                  {"/a.b/c~1d/1", R"(["a.b"].c/d[1])", 1 - 3.0 / 7},
                                  {"/a.b/c~1d/2/", R"(["a.b"].c/d[2][""])", 1},
                                  {"/n", "n", 0.9},
                                  {"/gone/p", "gone.p", 0},
                                  {"/gone/q/0", "gone.q[0]", 0},
                                  {"/\u00e9", "\u00e9", 1}};
  const rapidjson::Document expected_value = ParseLine(expected);
  const auto& entries = details["leaves"].GetArray();
  ASSERT_EQ(entries.Size(), want.size());
  double sum = 0;
  for (rapidjson::SizeType i = 0; i < entries.Size(); ++i) {
    EXPECT_EQ(entries[i]["path"].GetString(), want[i].path);
    EXPECT_NEAR(entries[i]["similarity"].GetDouble(), want[i].similarity, 1e-12);
    const rapidjson::Value* const leaf = rapidjson::Pointer(want[i].pointer.c_str()).Get(expected_value);
    ASSERT_NE(leaf, nullptr);
    EXPECT_EQ(entries[i]["expected"], *leaf);
    EXPECT_EQ(entries[i].HasMember("actual"), want[i].path.find("gone") == std::string::npos);
    sum += entries[i]["similarity"].GetDouble();
  }
  EXPECT_NEAR(sum, details["matched_leaves"].GetDouble(), 1e-12);
  EXPECT_NEAR(sum / details["total_leaves"].GetDouble(), leaves["score"].GetDouble(), 1e-12);
}

TEST_F(RunTest, LeavesOfSelectedPartsHavePathsFromTheWholeValue) {
  const Plan plan = Plan::FromConfig(
      R"({"scorers": [{"type": "json_similarity", "target_output_key": ["items[1].name", "total", "*"]}]})");
  FileOptions options;
  options.details = DetailLevel::kLeaves;
  const std::string value = R"({"items": [{"name": "a"}, {"name": "b"}], "total": 2})";
  const std::string text = R"("{\"items\": [{\"name\": \"a\"}, {\"name\": \"b\"}], \"total\": 2}")";
  for (const std::string& expected : {value, text}) {
    const FinishedRun run =
        RunText(plan, R"({"expected": )" + expected + R"(, "actual": )" + value + "}", options);
    const rapidjson::Document line = ParseLine(run.lines.at(0));
    const auto& entries = line["details"]["leaves"].GetArray();
    ASSERT_EQ(entries.Size(), 5u);
    const char* const paths[] = {"items[1].name", "total", "items[0].name", "items[1].name", "total"};
    for (rapidjson::SizeType i = 0; i < 5; ++i) {
      EXPECT_STREQ(entries[i]["path"].GetString(), paths[i]);
      EXPECT_EQ(entries[i]["similarity"].GetDouble(), 1.0);
    }
    EXPECT_EQ(line["details"]["total_leaves"].GetDouble(), 5.0);
  }
}

// One loud line says what was done with JSON in strings.
TEST_F(RunTest, JsonInStringsIsParsedAndSaidSo) {
  const std::string text =
      std::string(R"({"expected": "{\"a\": 1, \"b\": 2}", "actual": "{\"a\": 1, \"b\": 3}"})") + "\n" +
      R"({"expected": "plain", "actual": "plain"})" + "\n" + R"({"expected": "[1]", "actual": "[1]"})" + "\n";
  FileOptions options;
  const FinishedRun run = RunText(Plan({"json_similarity", "levenshtein"}), text, options);
  EXPECT_EQ(ParseLine(run.lines[0])["score"].GetDouble(), 0.5 + 0.5 * 0.5);
  const RunReport report = run.result.summary.Report();
  EXPECT_EQ(report.scorers[0].json_in_texts.parsed, 2u);
  EXPECT_EQ(report.scorers[0].json_in_texts.as_texts, 0u);
  EXPECT_EQ(report.scorers[1].json_in_texts.parsed, 0u);
  EXPECT_NE(report.ToTable(false).find("json_similarity: 2 records have JSON in strings, which was parsed"),
            std::string::npos);
  options.parse_texts = ParseTexts::kNever;
  const RunReport texts = RunText(Plan({"json_similarity"}), text, options).result.summary.Report();
  EXPECT_EQ(texts.scorers[0].json_in_texts.as_texts, 2u);
  EXPECT_NE(texts.ToTable(false).find("2 records look like JSON in strings, which was compared as text"),
            std::string::npos);
}

TEST_F(RunTest, JsonInStringsOnOneSideIsTold) {
  const std::string text = std::string(R"({"expected": {"a": 1}, "actual": "{\"a\": 1}"})") + "\n" +
                           R"({"expected": "[1]", "actual": [1]})" + "\n" +
                           R"({"expected": {"a": 1}, "actual": "I cannot"})" + "\n";
  FileOptions options;
  const RunReport report = RunText(Plan({"json_similarity"}), text, options).result.summary.Report();
  EXPECT_EQ(report.scorers[0].json_in_texts.parsed, 1u);
  EXPECT_EQ(report.scorers[0].figures.read_from_text, 1u);
  EXPECT_EQ(report.scorers[0].figures.of_other_kind, 1u);
  EXPECT_EQ(report.scorers[0].json_in_texts.as_texts, 1u);
  EXPECT_NE(report.ToTable(false).find(
                "json_similarity: 1 records look like JSON in strings, which was compared as "
                "text; --parse-texts always parses it"),
            std::string::npos);
  options.parse_texts = ParseTexts::kAlways;
  const RunReport parsed = RunText(Plan({"json_similarity"}), text, options).result.summary.Report();
  EXPECT_EQ(parsed.scorers[0].json_in_texts.as_texts, 0u);
  EXPECT_EQ(parsed.scorers[0].json_in_texts.parsed, 2u);
}

TEST_F(RunTest, JsonIsReadOutOfProseWhereThatIsAsked) {
  const std::string text =
      std::string(R"({"expected": {"a": 1}, "actual": "It is {\"a\": 2}, no: {\"a\": 1}. Done {that}."})") +
      "\n" + R"({"expected": [1, 2], "actual": "Of {\"a\": [3]} I take\n```\n[1, 2]\n``` as asked."})" +
      "\n" + R"({"expected": {"a": null}, "actual": "In Python: {'a': None}"})" + "\n" +
      R"({"expected": {"a": 1}, "actual": "I cannot {do} that"})" + "\n";
  const auto run = [&](ParseTexts parse_texts, std::string_view scorer) {
    FileOptions options;
    options.parse_texts = parse_texts;
    return RunText(Plan({std::string(scorer)}), text, options).result.summary.Report().scorers[0].figures;
  };
  for (const std::string_view scorer : {"json_similarity", "strict_json", "json_diff"}) {
    EXPECT_EQ(run(ParseTexts::kProse, scorer).read_from_text, 3u) << scorer;
    EXPECT_GE(*run(ParseTexts::kProse, scorer).over_all.mean, 0.75) << scorer;
    EXPECT_LT(*run(ParseTexts::kAuto, scorer).over_all.mean, 0.5) << scorer;
    EXPECT_EQ(run(ParseTexts::kNever, scorer).read_from_text, 0u) << scorer;
  }
}

TEST_F(RunTest, AFieldIsNotComparedWithItself) {
  FileOptions options;
  options.actual_field = "expected";
  EXPECT_EQ(
      ErrorOf(ErrorCode::kUsage, [&] { RunText(Plan({"exact_match"}), "{\"expected\": 1}\n", options); }),
      "--expected-field and --actual-field are one field, which equals itself");
}

// What Python's `json` reads beyond JSON may be in the input, but never in the output.
TEST_F(RunTest, OutputIsJsonEvenWhereTheInputIsNot) {
  FileOptions options;
  options.details = DetailLevel::kLeaves;
  const FinishedRun run =
      RunText(Plan({"json_similarity", "levenshtein"}),
              R"({"id": NaN, "expected": [NaN, -Infinity, "\ud800"], "actual": [Infinity, 1, "\udc00"]})"
              "\n"
              R"({"id": [-Infinity], "expected": 1, "actual": NaN})"
              "\n"
              R"({"id": "\ud800", "expected": 1, "actual": 1})",
              options);
  ASSERT_EQ(run.lines.size(), 6u);
  for (const std::string& line : run.lines) ParseLine(line);
}

}  // namespace
}  // namespace leafscore::internal
