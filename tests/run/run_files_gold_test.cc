// Runs whose expected values come from a gold file.
#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

using TextList = std::vector<std::string>;

// JSON texts of ids: by GoldKey, some are one id. And what is expected for each, once.
const TextList kIds = {"11", "\"t 1\"", "-2.5", "true", "{\"k\": [1]}", "\"caf\\u00e9\"", "\"\"", "1e400"};
const TextList kExpected = {"{\"a\": 1, \"b\": \"kitten\"}",
                            "\"some text\"",
                            "10.5",
                            "null",
                            "[1, {\"x\": \"\\u00e9\", \"y\": [ ]}, 3]",
                            "{\"d\": 1, \"d\": 2}",
                            "1e999",
                            "\"\\ud800x\""};
const TextList kActual = {"{\"a\": 1, \"b\": \"sitting\"}", "\"sone text\"", "10.50", "{}",
                          "[1, {\"x\": \"é\"}]"};

std::string GoldText() {
  std::string text;
  for (std::size_t i = 0; i < kIds.size(); ++i) {
    text += fmt::format("{{\"expected\": {}, \"id\": {}, \"note\": [{}]}}\n", kExpected[i], kIds[i], i);
  }
  return text;
}

// Returns an answers file, or the same records with the expected values joined in by the test itself.
std::string Answers(std::size_t count, bool joined) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t g = i * 5 % kIds.size();
    const std::string expected = joined ? kExpected[g] : "\"the answer's own, which does not count\"";
    text += fmt::format("{{\"model\": \"m{}\", \"id\": {}, \"expected\": {}, \"actual\": {}}}\n", i % 3,
                        kIds[g], expected, kActual[i % kActual.size()]);
  }
  return text;
}

std::string Without(std::string text, const std::string& part) {
  for (std::size_t at; (at = text.find(part)) != std::string::npos;) text.erase(at, part.size());
  return text;
}

Plan FourScorers() { return Plan({"json_similarity", "exact_match", "contains", "levenshtein"}); }

class GoldRunTest : public RunTest {
 protected:
  FinishedRun RunGold(const std::string& gold, const std::string& answers, FileOptions options = {}) {
    options.gold = Input("gold", gold);
    options.inputs = {Input("a.jsonl", answers)};
    return Run(FourScorers(), options);
  }
};

TEST_F(GoldRunTest, GivesTheBytesOfAJoinedFile) {
  for (const DetailLevel details : {DetailLevel::kNone, DetailLevel::kBasic, DetailLevel::kLeaves}) {
    FileOptions options;
    options.details = details;
    options.group_by = {"model"};
    const FinishedRun joined = RunText(FourScorers(), Answers(200, true), options);
    const FinishedRun run = RunGold(GoldText(), Answers(200, false), options);
    ASSERT_EQ(run.lines.size(), 800u);
    EXPECT_EQ(Without(run.output, ", \"source\": \"a\""), joined.output);
    EXPECT_EQ(run.result.summary.Overall(0).counts().scored, kIds.size());  // the last answer to each
    EXPECT_EQ(run.result.summary.totals().nonstandard, joined.result.summary.totals().nonstandard);
    EXPECT_EQ(run.result.summary.totals().duplicate_keys, joined.result.summary.totals().duplicate_keys);
    EXPECT_EQ(run.result.summary.group_fields(), (TextList{"model", "source"}));
  }
}

TEST_F(GoldRunTest, GoldAsAnIndentedArrayOrCompressedIsTheSameGold) {
  std::string array;
  for (const std::string& line : SplitLines(GoldText())) array += (array.empty() ? "[" : ",") + line;
  array += "]";
  const std::string base = RunGold(GoldText(), Answers(50, false)).output;
  for (const std::string& gold : {array, PrettyPrint(array), Gzip(GoldText()), Zstd(array)}) {
    EXPECT_EQ(RunGold(gold, Answers(50, false)).output, base);
  }
}

TEST_F(GoldRunTest, FieldsOfTheGoldHaveNamesOfTheirOwn) {
  FileOptions options;
  options.gold = Input("gold.jsonl", R"({"question": {"key": 1}, "id": 2, "want": ["x"]}
{"question": {"key": 2}, "id": 1, "want": ["y"]}
)");
  options.inputs = {Input("a.jsonl", R"({"meta": {"q": 1}, "output": {"answer": "x"}}
{"meta": {"q": 2}, "output": {"answer": "z"}}
)")};
  options.join_field = "meta.q";
  options.actual_field = "output.answer";
  options.gold_id_field = "question.key";
  options.gold_expected_field = "want[0]";
  const FinishedRun run = Run(Plan({"exact_match"}), options);
  ASSERT_EQ(run.lines.size(), 2u);
  EXPECT_EQ(ParseLine(run.lines[0])["score"].GetDouble(), 1);
  EXPECT_EQ(ParseLine(run.lines[1])["score"].GetDouble(), 0);
}

TEST_F(GoldRunTest, GroupsComeFromTheGoldAlone) {
  FileOptions options;
  options.gold = Input("gold.jsonl", R"({"id": 1, "expected": 1, "task": "gold", "meta": {"level": 3}}
{"id": 1, "expected": 1, "task": "a\u0062c", "meta": {"level": [1, null]}}
{"id": 2, "expected": 1, "task": "plain", "meta": {"level": null}}
{"id": 3, "expected": 1}
{"id": 5, "expected": 1, "task": "quiet"}
)");
  options.inputs = {Input("a.jsonl", R"({"id": 1, "actual": 1}
{"id": 2, "actual": 1}
{"id": 2, "actual": 1, "task": "mine"}
{"id": 3, "actual": 1, "task": "own"}
{"id": 4, "actual": 1}
)")};
  options.group_by = {"task", "meta.level"};
  const FinishedRun run = Run(Plan({"exact_match"}), options);
  const TextList groups = {R"({"task": "abc", "meta.level": [1,null]})",
                           R"({"task": "plain", "meta.level": null})",
                           R"({"task": "plain", "meta.level": null})"};  // whatever the answer says
  ASSERT_EQ(run.lines.size(), 6u);
  EXPECT_NE(run.lines[5].find(R"("groups": {"task": "quiet"}, "outcome": "unanswered")"), std::string::npos);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    EXPECT_NE(run.lines[i].find("\"groups\": " + groups[i] + ","), std::string::npos) << run.lines[i];
  }
  EXPECT_EQ(run.lines[3].find("groups"), std::string::npos);  // though the answer names one
  EXPECT_EQ(run.lines[4].find("groups"), std::string::npos);
  const RunReport report = run.result.summary.Report();
  std::map<std::string, std::uint64_t> asked;
  for (const GroupFigures& group : report.scorers[0].groups) {
    asked[group.field + "=" + group.value] = group.figures.asked;
  }
  EXPECT_EQ(asked, (std::map<std::string, std::uint64_t>{{"task=abc", 1},
                                                         {"task=plain", 1},
                                                         {"task=quiet", 1},
                                                         {"task=(none)", 1},
                                                         {"meta.level=[1,null]", 1},
                                                         {"meta.level=null", 1},
                                                         {"meta.level=(none)", 2},
                                                         {"source=a", 4}}));
  EXPECT_EQ(report.lacking, (std::vector<std::uint64_t>{2, 2}));
  options.output = folder_ / "out.csv";
  const FinishedRun csv = Run(Plan({"exact_match"}), options);
  EXPECT_TRUE(csv.lines.at(2).starts_with("2,,a,exact_match,plain,null,scored")) << csv.lines[2];
  EXPECT_TRUE(csv.lines.at(6).starts_with("5,,a,exact_match,quiet,,unanswered")) << csv.lines[6];
  options.output.clear();
  ExpectSameBytes(Plan({"exact_match"}), options, run, {1, 60, 65536});
}

TEST_F(GoldRunTest, FieldsThatNoRecordHasEndTheRun) {
  FileOptions options;
  options.gold = Input("gold.jsonl", R"({"id": 1, "expectd": 1})");
  options.inputs = {Input("a.jsonl", R"({"key": 1, "actual": 1, "task": 1})")};
  const auto error = [&] {
    return ErrorOf(ErrorCode::kInput, [&] { RunFiles(FourScorers().scorers(), options); });
  };
  EXPECT_EQ(error(),
            "no record of " + options.gold +
                " has the field \"expected\" (--gold-expected-field; did you mean \"expectd\"?); the "
                "first one has: \"id\", \"expectd\"");
  options.gold_id_field = "question";
  EXPECT_EQ(error(),
            "no record of " + options.gold +
                " has the field \"question\" (--gold-id-field); the first one has: \"id\", \"expectd\"");
  options.gold_id_field = "id";
  options.gold_expected_field = "expectd";
  const FinishedRun run = Run(FourScorers(), options);
  ASSERT_TRUE(run.result.error);
  EXPECT_STREQ(run.result.error->what(),
               R"(no record has the field "id" (--join); the first one has: "key", "actual", "task")");
}

// Two models, with answers of every kind of fate.
TEST_F(GoldRunTest, UnmatchedAndRepeatedIdsAreReportedForEachFile) {
  FileOptions options;
  options.gold = Input("gold.jsonl",
                       "{\"q\": 1, \"expected\": \"one\"}\n{\"q\": \"2\", \"expected\": \"two\"}\n"
                       "{\"q\": 3, \"expected\": \"three\"}\n{\"q\": 4}\n");
  options.inputs = {Input("a.jsonl.gz", Gzip("{\"q\": \"1\", \"id\": \"x\", \"actual\": \"one\"}\n"
                                             "{\"q\": 5, \"id\": \"y\", \"actual\": \"one\"}\n"
                                             "{\"q\": 2, \"actual\": \"six\"}\n"
                                             "{\"q\": 1, \"actual\": \"two\"}\n"
                                             "{\"q\": null, \"actual\": \"two\"}\n"
                                             "{\"actual\": \"two\"}\n"
                                             "{\"q\": 1, \"actual\": \n"
                                             "{\"q\": 3}\n"
                                             "{\"q\": 4, \"actual\": \"two\"}\n")),
                    Input("b.jsonl", "{\"q\": 3, \"actual\": \"three\"}\n")};
  options.join_field = "q";
  const FinishedRun run = Run(Plan({"exact_match"}), options);
  const std::vector<std::pair<std::string, std::string>> fates = {
      {"a", "scored"},           {"a", "no_gold"}, {"a", "scored"},       {"a", "scored"},
      {"a", "no_gold"},          {"a", "no_gold"}, {"a", "invalid_json"}, {"a", "missing_actual"},
      {"a", "missing_expected"}, {"b", "scored"},  {"b", "no_answer"},    {"b", "no_answer"},
      {"b", "missing_expected"}};
  ASSERT_EQ(run.lines.size(), fates.size());
  for (std::size_t i = 0; i < fates.size(); ++i) {
    const rapidjson::Document line = ParseLine(run.lines[i]);
    const char* key = line.HasMember("reason") ? "reason" : "outcome";
    EXPECT_EQ(line["source"].GetString(), fates[i].first) << i;
    EXPECT_EQ(line[key].GetString(), fates[i].second) << i;
  }
  const rapidjson::Document unmatched = ParseLine(run.lines[1]);
  EXPECT_EQ(unmatched["id"].GetInt(), 5);  // by which it would have been joined
  EXPECT_STREQ(unmatched["message"].GetString(), "no gold record has the id of this record");
  EXPECT_EQ(unmatched["record"].GetUint64(), 2u);
  EXPECT_EQ(unmatched["offset"].GetUint64(), 39u);
  EXPECT_STREQ(unmatched["text"].GetString(), R"({"q": 5, "id": "y", "actual": "one"})");
  EXPECT_STREQ(ParseLine(run.lines[4])["message"].GetString(), "the record has no id for finding its gold");

  const RunSummary& summary = run.result.summary;
  EXPECT_EQ(summary.totals().records_read, 10u);
  EXPECT_EQ(summary.totals().rejected, 4u);
  EXPECT_EQ(summary.Overall(0).counts(),
            (OutcomeCounts{.scored = 3, .unanswered = 3, .errors = 2}));  // 4 ids of 2 sources
  const rapidjson::Document json = ParseLine(run.summary);
  EXPECT_EQ(json["gold"]["ids"].GetUint64(), 4u);
  const rapidjson::Value& a = json["sources"][0];
  EXPECT_EQ(a["records"].GetUint64(), 9u);
  EXPECT_EQ(a["matched"].GetUint64(), 5u);
  EXPECT_EQ(a["rejected"].GetUint64(), 1u);
  EXPECT_EQ(a["without_gold"]["count"].GetUint64(), 3u);
  EXPECT_EQ(a["without_gold"]["first"].Size(), 1u);
  EXPECT_STREQ(a["without_gold"]["first"][0].GetString(), "5");
  EXPECT_EQ(a["duplicates"]["count"].GetUint64(), 1u);
  EXPECT_EQ(a["unanswered"]["count"].GetUint64(), 0u);
  const rapidjson::Value& b = json["sources"][1];
  EXPECT_STREQ(b["source"].GetString(), "b");
  EXPECT_EQ(b["unanswered"]["count"].GetUint64(), 3u);
  EXPECT_STREQ(b["unanswered"]["first"][0].GetString(), "1");
  const rapidjson::Value& groups = json["scorers"][0]["groups"];
  ASSERT_EQ(groups.Size(), 2u);
  EXPECT_STREQ(groups[0]["field"].GetString(), "source");
  EXPECT_STREQ(groups[0]["value"].GetString(), "a");
  EXPECT_EQ(groups[0]["asked"].GetUint64(), 4u);
  EXPECT_EQ(groups[0]["scored"].GetUint64(), 2u);
  EXPECT_EQ(groups[0]["over_all"]["mean"].GetDouble(), 0);  // the last answer to id 1 counts
  EXPECT_EQ(groups[1]["asked"].GetUint64(), 4u);
  EXPECT_EQ(groups[1]["over_all"]["mean"].GetDouble(), 0.25);
  EXPECT_EQ(groups[1]["over_scored"]["mean"].GetDouble(), 1.0);

  const rapidjson::Document unanswered = ParseLine(run.lines[10]);
  EXPECT_STREQ(unanswered["id"].GetString(), "1");
  EXPECT_STREQ(unanswered["outcome"].GetString(), "unanswered");
  EXPECT_STREQ(unanswered["message"].GetString(), "no record answers this id");
  EXPECT_FALSE(unanswered.HasMember("record"));

  const std::string table = summary.Report().ToTable(false);
  EXPECT_NE(table.find("gold: 4 records, 4 ids\n"
                       "a: 5 matched; 3 without gold: \"5\", ...; 1 repeated: \"1\"\n"
                       "b: 1 matched; 3 gold ids unanswered: \"1\", \"2\", \"4\"\n"),
            std::string::npos)
      << table;
}

TEST_F(GoldRunTest, ThreadsAndBatchSizesDoNotChangeABit) {
  std::string answers = Answers(60, false);
  for (const TestLine& line : MixedLines(60, 400)) answers += line.text + "\n";
  FileOptions options;
  options.gold = Input("gold.jsonl", GoldText() + "{\"id\": 3, \"expected\": [1, 2]}\n{\"id\": 11}\n");
  options.inputs = {Input("a.jsonl", answers), Input("b.jsonl", ""), Input("c.jsonl", Answers(30, false))};
  options.group_by = {"model", "source"};
  options.max_line_bytes = 400;
  options.details = DetailLevel::kLeaves;
  const Plan plan = FourScorers();
  options.threads = 1;
  const FinishedRun base = Run(plan, options);
  EXPECT_EQ(base.lines.size(),
            (150u + 10) * 4);  // the empty source answers none of 9 ids, the last one lacks one
  EXPECT_EQ(base.result.summary.group_fields(), (TextList{"model", "source"}));
  ExpectSameBytes(plan, options, base, {1, 7, 100, 1000, 65536});
}

// The gold of one batch is read in parts when it is large.
TEST_F(GoldRunTest, LargeGoldForSmallAnswers) {
  std::string gold;
  std::string answers;
  for (int i = 0; i < 7; ++i) {
    gold += fmt::format("{{\"id\": {}, \"expected\": {{\"n\": {}, \"s\": \"{}\"}}}}\n", i, i,
                        std::string(400'000, 'x'));
  }
  for (int i = 0; i < 40; ++i) {
    answers += i % 9 == 8 ? "{broken\n"
                          : fmt::format("{{\"id\": {}, \"actual\": {{\"n\": {}}}, \"g\": {}}}\n", i % 8,
                                        i % 7, i % 2);
  }
  FileOptions options;
  options.gold = Input("gold.jsonl", gold);
  options.inputs = {Input("a.jsonl", answers)};
  options.group_by = {"g"};
  const Plan plan = Plan::FromConfig(
      R"({"scorers": [{"type": "field_accuracy", "fields": [{"path": "n", "match": "exact"}]}]})");
  const FinishedRun whole = Run(plan, options);
  ASSERT_EQ(whole.lines.size(), 40u);
  for (int i = 0; i < 40; ++i) {
    const rapidjson::Document line = ParseLine(whole.lines[static_cast<std::size_t>(i)]);
    if (i % 9 == 8) {
      EXPECT_STREQ(line["reason"].GetString(), "invalid_json");
      EXPECT_EQ(line["id"].GetInt(), i + 1);
    } else if (i % 8 == 7) {
      EXPECT_STREQ(line["reason"].GetString(), "no_gold");
    } else {
      EXPECT_EQ(line["id"].GetInt(), i % 8);
      EXPECT_EQ(line["score"].GetDouble(), i % 8 == i % 7 ? 1 : 0);
    }
  }
  options.batch_bytes = 1;  // a record a batch
  const FinishedRun single = Run(plan, options);
  EXPECT_EQ(whole.output, single.output);
  EXPECT_EQ(whole.summary, single.summary);
  const FieldCounts counts = whole.result.summary.Report().scorers[0].fields.at(0);
  EXPECT_EQ(counts.true_positives + counts.false_positives, 7u);  // of the last answer to each id
}

TEST_F(GoldRunTest, GroupsThatNoGoldRecordHasComeFromTheAnswers) {
  FileOptions options;
  options.gold = Input("gold.jsonl", "{\"id\": 1, \"expected\": 1}\n");
  options.inputs = {Input("a.jsonl", "{\"id\": 1, \"actual\": 1, \"task\": \"own\"}\n")};
  options.group_by = {"task"};
  const FinishedRun run = Run(Plan({"exact_match"}), options);
  EXPECT_NE(run.lines.at(0).find(R"("groups": {"task": "own"})"), std::string::npos);
}

TEST_F(GoldRunTest, RepeatedAnswersCountAsAsked) {
  FileOptions options;
  options.gold = Input("gold.jsonl", "{\"id\": 1, \"expected\": 1}\n{\"id\": 2, \"expected\": 1}\n");
  options.inputs = {Input("m.jsonl",
                          "{\"id\": 1, \"actual\": 1}\n{\"id\": 2, \"actual\": 1}\n"
                          "{\"id\": 1, \"actual\": 0}\n{\"id\": 1, \"actual\": 0}\n{\"id\": 1}\n")};
  const std::pair<Repeats, double> means[] = {
      {Repeats::kLast, 0.5}, {Repeats::kFirst, 1}, {Repeats::kAll, 0.625}};
  for (const auto& [repeats, mean] : means) {
    options.repeats = repeats;
    const RunReport report = ScoreFiles(Plan({"exact_match"}), options);
    EXPECT_EQ(report.scorers[0].figures.over_all.mean, mean);
    EXPECT_EQ(report.scorers[0].figures.over_all.pass_rate, mean);
    EXPECT_EQ(report.scorers[0].figures.asked, repeats == Repeats::kAll ? 5u : 2u);
    EXPECT_EQ(report.sources[0].duplicates.count, 3u);
    EXPECT_TRUE(report.CountsAddUp());
  }
  options.repeats = Repeats::kError;
  try {
    ScoreFiles(Plan({"exact_match"}), options);
    ADD_FAILURE() << "no error";
  } catch (const RunError& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    EXPECT_NE(std::string(error.what()).find("m answers the id \"1\" more than once"), std::string::npos);
    EXPECT_EQ(error.report().totals.records_read, 5u);
    EXPECT_TRUE(error.report().CountsAddUp());
  }
}

TEST_F(GoldRunTest, SourcesOfOneNameAreToldApartByPath) {
  std::filesystem::create_directory(folder_ / "x");
  FileOptions options;
  options.gold = Input("gold.jsonl", GoldText());
  options.inputs = {Input("m.jsonl", Answers(2, false)), Input("x/m.jsonl", Answers(3, false))};
  const FinishedRun run = Run(FourScorers(), options);
  EXPECT_EQ(ParseLine(run.lines.front())["source"].GetString(), options.inputs[0]);
  EXPECT_EQ(ParseLine(run.lines.back())["source"].GetString(), options.inputs[1]);
  EXPECT_EQ(run.result.summary.GroupsToReport(0).size(), 2u);
}

TEST_F(GoldRunTest, TheLibraryJoinsToo) {
  FileOptions options;
  options.gold = Input("gold.jsonl", GoldText());
  options.inputs = {Input("a.jsonl", Answers(8, false))};
  const RunReport joined = ScoreFiles(FourScorers(), options);
  options.gold.clear();
  options.inputs = {Input("a.jsonl", Answers(8, true))};
  const RunReport plain = ScoreFiles(FourScorers(), options);
  for (std::size_t s = 0; s < 4; ++s) {
    EXPECT_EQ(joined.scorers[s].figures.scored, 8u);
    EXPECT_EQ(joined.scorers[s].figures.over_all.mean, plain.scorers[s].figures.over_all.mean);
  }
  options.gold = options.inputs[0];
  options.output = options.gold;
  options.inputs = {Input("b.jsonl", Answers(1, false))};
  EXPECT_THROW(ScoreFiles(FourScorers(), options), Error);  // would replace the gold
}

}  // namespace
}  // namespace leafscore::internal
