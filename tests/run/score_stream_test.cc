#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/arrow/column_builder.h"
#include "engine/arrow/streams.h"
#include "engine/arrow/text_array.h"
#include "leafscore/leafscore.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

using Texts = std::vector<std::optional<std::string>>;

// Columns of texts, by name.
using Batch = std::vector<std::pair<std::string, Texts>>;

// Gives out batches of texts.
class Batches final : public StreamProducer {
 public:
  ~Batches() override { ++released; }
  static inline int released = 0;

  explicit Batches(std::vector<Batch> batches, std::string error = "")
      : names_(batches.at(0)), batches_(batches.begin(), batches.end()), error_(std::move(error)) {}

  OwnedSchema Schema() override {
    std::vector<OwnedSchema> columns;
    for (const auto& [name, texts] : names_) columns.push_back(ExportField({name, ArrowType::kText}));
    return ExportRecordSchema(std::move(columns));
  }

  OwnedArray Next() override {
    if (batches_.empty()) {
      if (!error_.empty()) throw Error(ErrorCode::kInput, error_);
      return {};
    }
    std::vector<OwnedArray> columns;
    const auto rows = static_cast<std::int64_t>(batches_.front().front().second.size());
    for (const auto& [name, texts] : batches_.front()) {
      ColumnBuilder builder({name, ArrowType::kText});
      for (const std::optional<std::string>& text : texts) {
        if (text) {
          builder.AppendText(*text);
        } else {
          builder.AppendNull();
        }
      }
      columns.push_back(builder.Finish());
    }
    batches_.pop_front();
    return ExportRecordBatch(rows, std::move(columns));
  }

 private:
  Batch names_;
  std::deque<Batch> batches_;
  std::string error_;
};

ArrowArrayStream StreamOf(std::vector<Batch> batches, std::string error = "") {
  ArrowArrayStream stream;
  ExportStream(std::make_unique<Batches>(std::move(batches), std::move(error)), &stream);
  return stream;
}

// The format and name of a type and of what it consists of: "s(outcome:u,score:g)".
std::string TypeText(const ArrowSchema& schema) {
  const std::string format = schema.format;
  std::string text = format == "+s" ? "s" : format == "+l" ? "l" : format;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    text +=
        (i == 0 ? "(" : ",") + std::string(schema.children[i]->name) + ":" + TypeText(*schema.children[i]);
  }
  return schema.n_children == 0 ? text : text + ")";
}

double NumberAt(const ArrowArray& column, std::int64_t row) {
  const auto* validity = static_cast<const std::uint8_t*>(column.buffers[0]);
  if (validity != nullptr && (validity[row / 8] >> (row % 8) & 1) == 0) return std::nan("");
  return static_cast<const double*>(column.buffers[1])[row];
}

std::string TextAt(const ArrowArray& column, std::int64_t row) {
  const TextArray texts({"column", TextLayout::kOffsets32}, column, 0, column.length);
  const auto i = static_cast<std::size_t>(row);
  return texts.is_null(i) ? "null" : std::string(texts.text(i));
}

const Batch kFirst = {{"id", {"a", "b", "c"}},
                      {"expected", {R"({"x": "abcd"})", R"({"x": 2})", "[1]"}},
                      {"actual", {R"({"x": "abcx"})", R"({"x": 2})", "[1"}},
                      {"model", {"m1", "m2", std::nullopt}}};
const Batch kSecond = {{"id", {"d"}}, {"expected", {"1"}}, {"actual", {std::nullopt}}, {"model", {"m1"}}};

TEST(ScoreStream, GivesAStructForEachScorer) {
  const Runner runner(Plan({"json_similarity", "levenshtein"}));
  ArrowArrayStream input = StreamOf({kFirst, kSecond});
  ArrowArrayStream output;
  const StreamRun run = runner.ScoreStream(&input, {.keep = {"id", "model"}, .group_by = {"model"}}, &output);
  EXPECT_EQ(input.release, nullptr);  // taken over
  StreamReader reader(&output);
  EXPECT_EQ(
      TypeText(reader.schema()),
      "s(id:u,model:u,"
      "json_similarity:s(outcome:u,score:g,passed:b,matched_leaves:g,total_leaves:g,reason:u,message:u,"
      "causes:l(item:u)),"
      "levenshtein:s(outcome:u,score:g,passed:b,distance:g,label:u,reason:u,message:u,causes:l(item:u)))");

  const OwnedArray first = reader.Next();
  ASSERT_TRUE(first);
  ASSERT_EQ(first->length, 3);
  EXPECT_EQ(TextAt(*first->children[0], 2), "c");
  EXPECT_EQ(TextAt(*first->children[1], 2), "null");
  const ArrowArray& similarity = *first->children[2];
  EXPECT_EQ(NumberAt(*similarity.children[1], 0), 0.75);
  EXPECT_EQ(NumberAt(*similarity.children[1], 1), 1.0);
  EXPECT_TRUE(std::isnan(NumberAt(*similarity.children[1], 2)));
  EXPECT_EQ(TextAt(*similarity.children[0], 2), "unreadable");
  EXPECT_EQ(TextAt(*similarity.children[5], 2), "invalid_json");
  EXPECT_EQ(TextAt(*similarity.children[6], 2), "actual: the text ends inside an object or array (byte 2)");
  EXPECT_EQ(TextAt(*similarity.children[5], 1), "null");
  EXPECT_EQ(TextAt(*first->children[3]->children[4], 1), "pass");
  EXPECT_EQ(run.Report().totals.records_read, 3u);

  const OwnedArray second = reader.Next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->length, 1);
  EXPECT_EQ(TextAt(*second->children[2]->children[5], 0), "missing_actual");
  EXPECT_FALSE(reader.Next());

  const RunReport report = run.Report();
  EXPECT_TRUE(report.CountsAddUp());
  EXPECT_EQ(report.totals.records_read, 4u);
  EXPECT_EQ(report.totals.rejected, 0u);
  ASSERT_EQ(report.scorers.size(), 2u);
  EXPECT_EQ(report.scorers[0].figures.scored, 2u);
  EXPECT_EQ(report.scorers[0].figures.unreadable, 1u);
  EXPECT_EQ(report.scorers[0].figures.unanswered, 1u);
  EXPECT_EQ(report.scorers[0].figures.over_scored.mean, 0.875);
  EXPECT_EQ(report.scorers[0].figures.over_all.mean, 0.4375);
  ASSERT_EQ(report.scorers[0].groups.size(), 3u);
  EXPECT_EQ(report.scorers[0].groups[0].value, "m1");
  EXPECT_EQ(report.scorers[0].groups[2].kind, GroupKind::kNone);
  const std::vector<std::string> failed = FailedGates(report, {.fail_under = {{"json_similarity", 0.5}}});
  EXPECT_EQ(
      failed,
      std::vector<std::string>{
          "the mean of json_similarity over all that was asked is 0.4375 (95% from 0.0583 to 0.8768, over "
          "4 records), 0.0625 under 0.5; 2 of 4 records have no score; most often: invalid_json 1 (record "
          "3), missing_actual 1 (record 4), score too low 1 (record 1)"});
}

TEST(ScoreStream, FieldsOfRecordsAreColumns) {
  const Runner runner(Plan::FromConfig("evaluators:\n- {type: json_schema, schema_key: meta.schema}\n"));
  const Texts expected = {std::nullopt, std::nullopt, std::nullopt, std::nullopt};
  const Texts actual = {"5", "5", "5", "5"};
  const std::string in_text = R"({"schema": "{\"maximum\": 4}"})";
  const auto outcomes = [&](std::vector<Batch> batches) {
    ArrowArrayStream input = StreamOf(std::move(batches));
    ArrowArrayStream output;
    runner.ScoreStream(&input, {}, &output);
    StreamReader reader(&output);
    std::string text;
    while (const OwnedArray batch = reader.Next()) {
      const ArrowArray& results = *batch->children[0];
      for (std::int64_t row = 0; row < batch->length; ++row)
        text += fmt::format("{} {}\n", NumberAt(*results.children[1], row),
                            TextAt(*results.children[results.n_children - 2], row));
    }
    return text;
  };
  const std::string lacks = "nan the record lacks its schema, \"meta.schema\"\n";
  const Texts schemas = {R"({"schema": {"type": "integer"}})", R"({"schema": {"type": "string"}})", in_text,
                         std::nullopt};
  const std::string wanted = "1 null\n0 null\n0 null\n" + lacks;
  EXPECT_EQ(outcomes({{{"expected", expected}, {"actual", actual}, {"meta", schemas}}}), wanted);
  EXPECT_EQ(outcomes({{{"meta", {schemas[0], schemas[1]}},
                       {"expected", {std::nullopt, std::nullopt}},
                       {"actual", {"5", "5"}}},
                      {{"meta", {schemas[2], schemas[3]}},
                       {"expected", {std::nullopt, std::nullopt}},
                       {"actual", {"5", "5"}}}}),
            wanted);
  EXPECT_EQ(outcomes({{{"expected", expected}, {"actual", actual}}}), lacks + lacks + lacks + lacks);
}

TEST(ScoreStream, GivesLeavesAndListsOnRequest) {
  const Plan plan = Plan::FromConfig(R"({"evaluators": [{"type": "json_similarity"},
      {"type": "field_accuracy", "fields": [{"path": "x", "match": "exact"}]}]})");
  ArrowArrayStream input = StreamOf({kFirst});
  ArrowArrayStream output;
  Runner(plan, {.details = DetailLevel::kLeaves}).ScoreStream(&input, {}, &output);
  StreamReader reader(&output);
  const std::string leaves = "leaves:l(item:s(path:u,expected:u,actual:u,similarity:g)),leaves_cut:b";
  EXPECT_NE(TypeText(reader.schema())
                .find("hits:l(item:u),misses:l(item:u),miss_reasons:l(item:u),reason:u,message:u,"
                      "causes:l(item:u)," +
                      leaves),
            std::string::npos)
      << TypeText(reader.schema());
  const OwnedArray batch = reader.Next();
  const ArrowArray& similarity = *batch->children[0];
  const ArrowArray& list = *similarity.children[8];
  const auto* offsets = static_cast<const std::int32_t*>(list.buffers[1]);
  EXPECT_EQ(std::vector<std::int32_t>(offsets, offsets + 4), (std::vector{0, 1, 2, 2}));
  const ArrowArray& leaf = *list.children[0];
  EXPECT_EQ(TextAt(*leaf.children[0], 0), "x");
  EXPECT_EQ(TextAt(*leaf.children[1], 0), "\"abcd\"");
  EXPECT_EQ(TextAt(*leaf.children[2], 0), "\"abcx\"");
  EXPECT_EQ(NumberAt(*leaf.children[3], 0), 0.75);
}

// The first two leaves take 1 + 5 + 5 and 1 + 1 + 1 bytes.
TEST(ScoreStream, CutsLeavesAndSaysSo) {
  for (const std::size_t bytes : {10, 11, 12, 13, 14, 15}) {
    ArrowArrayStream input = StreamOf(
        {{{"expected", {R"({"x": "abc", "y": 1})", "2"}}, {"actual", {R"({"x": "abd", "y": 2})", "2"}}}});
    ArrowArrayStream output;
    Runner(Plan({"json_similarity"}), {.details = DetailLevel::kLeaves, .max_details_bytes = bytes})
        .ScoreStream(&input, {}, &output);
    StreamReader reader(&output);
    const OwnedArray batch = reader.Next();
    const ArrowArray& similarity = *batch->children[0];
    const auto* offsets = static_cast<const std::int32_t*>(similarity.children[8]->buffers[1]);
    const int leaves = bytes < 11 ? 0 : bytes < 14 ? 1 : 2;
    EXPECT_EQ(std::vector<std::int32_t>(offsets, offsets + 3), (std::vector{0, leaves, leaves + 1})) << bytes;
    const auto* cut = static_cast<const std::uint8_t*>(similarity.children[9]->buffers[1]);
    EXPECT_EQ(*cut & 3, leaves < 2 ? 1 : 0) << bytes;
  }
}

TEST(ScoreStream, JoinsGold) {
  ArrowArrayStream input =
      StreamOf({{{"id", {"b", "z", std::nullopt, "a", "b"}}, {"actual", {"2", "1", "1", "5", "3"}}}});
  ArrowArrayStream gold = StreamOf({{{"id", {"a", "b", "c"}}, {"expected", {"1", "2", "3"}}}});
  ArrowArrayStream output;
  const StreamRun run = Runner(Plan({"exact_match"})).ScoreStream(&input, {.gold = &gold}, &output);
  EXPECT_EQ(gold.release, nullptr);
  StreamReader reader(&output);
  const OwnedArray batch = reader.Next();
  const ArrowArray& scores = *batch->children[0];
  EXPECT_EQ(NumberAt(*scores.children[1], 0), 1.0);
  EXPECT_EQ(TextAt(*scores.children[3], 1), "no_gold");
  EXPECT_EQ(TextAt(*scores.children[4], 1), "no gold record has the id of this record");
  EXPECT_EQ(TextAt(*scores.children[4], 2), "the record has no id for finding its gold");
  EXPECT_EQ(NumberAt(*scores.children[1], 3), 0.0);
  const RunReport report = run.Report();
  EXPECT_TRUE(report.CountsAddUp());
  ASSERT_TRUE(report.gold);
  EXPECT_EQ(report.gold->ids, 3u);
  ASSERT_EQ(report.sources.size(), 1u);
  EXPECT_EQ(report.sources[0].matched, 3u);
  EXPECT_EQ(report.sources[0].without_gold.count, 2u);
  EXPECT_EQ(report.sources[0].duplicates.first, std::vector<std::string>{"b"});
  EXPECT_EQ(report.sources[0].unanswered.first, std::vector<std::string>{"c"});
  // "a" is wrong, the last answer to "b" too, and nobody answered "c".
  const Figures& figures = report.scorers[0].figures;
  EXPECT_EQ(figures.asked, 3u);
  EXPECT_EQ(figures.scored, 2u);
  EXPECT_EQ(figures.unanswered, 1u);
  EXPECT_EQ(figures.over_all.mean, 0);
}

TEST(ScoreStream, CallsMayHaveAColumnOfTheirOwn) {
  ArrowArrayStream input = StreamOf({{{"expected", {R"(["f"])", R"(["f"])", R"(["f"])", R"(["f"])", "[1"}},
                                      {"actual", {R"("Done.")", R"(["f"])", std::nullopt, "[1", "1"}},
                                      {"run", {R"(["f"])", std::nullopt, R"(["f")", R"(["f"])", "[1"}}}});
  ArrowArrayStream output;
  const StreamRun run =
      Runner(Plan({"tool_calls", "exact_match"})).ScoreStream(&input, {.calls = "run"}, &output);
  StreamReader reader(&output);
  const OwnedArray batch = reader.Next();
  // Returns the score of a row, or its outcome and why it has none.
  const auto result = [&](std::int64_t scorer, std::int64_t row) {
    const ArrowArray& scores = *batch->children[scorer];
    const std::string outcome = TextAt(*scores.children[0], row);
    if (outcome == "scored") return std::to_string(static_cast<int>(NumberAt(*scores.children[1], row)));
    return outcome + ", " + TextAt(*scores.children[scores.n_children - 2], row);
  };
  EXPECT_EQ(result(0, 0), "1");
  EXPECT_EQ(result(1, 0), "0");
  EXPECT_EQ(result(0, 1), "unanswered, the record lacks the calls field \"run\"");
  EXPECT_EQ(result(1, 1), "1");
  EXPECT_EQ(result(0, 2), "unreadable, calls: the text ends inside an object or array (byte 4)");
  EXPECT_EQ(result(1, 2), "unanswered, the record has no actual value");
  EXPECT_EQ(result(0, 3), "1");
  EXPECT_EQ(result(1, 3), "unreadable, actual: the text ends inside an object or array (byte 2)");
  for (const int scorer : {0, 1}) {
    EXPECT_EQ(result(scorer, 4), "error, expected: the text ends inside an object or array (byte 2)");
  }
  EXPECT_FALSE(reader.Next());
  EXPECT_TRUE(run.Report().CountsAddUp());
}

TEST(ScoreStream, CallsAreJoinedWithGold) {
  ArrowArrayStream input = StreamOf({{{"id", {"b", "z", "a"}},
                                      {"actual", {std::nullopt, "1", R"(["f"])"}},
                                      {"run", {"\"g(x=1)\"", R"(["f"])", R"(["g"])"}}}});
  ArrowArrayStream gold = StreamOf({{{"id", {"a", "b", "c"}}, {"expected", {R"(["f"])", R"(["g"])", "[]"}}}});
  ArrowArrayStream output;
  const StreamRun run =
      Runner(Plan({"tool_calls"})).ScoreStream(&input, {.calls = "run", .gold = &gold}, &output);
  StreamReader reader(&output);
  const OwnedArray batch = reader.Next();
  const ArrowArray& scores = *batch->children[0];
  EXPECT_EQ(NumberAt(*scores.children[1], 0), 1);
  EXPECT_EQ(TextAt(*scores.children[scores.n_children - 3], 1), "no_gold");
  EXPECT_EQ(NumberAt(*scores.children[1], 2), 0);
  const RunReport report = run.Report();
  EXPECT_TRUE(report.CountsAddUp());
  EXPECT_EQ(report.scorers[0].figures.asked, 3u);
  EXPECT_EQ(report.scorers[0].figures.unanswered, 1u);
}

TEST(ScoreStream, CallsOfManyRowsStayWithTheirRows) {
  Batch batch = {{"expected", {}}, {"actual", {}}, {"run", {}}};
  for (int i = 0; i < 5000; ++i) {
    batch[0].second.emplace_back("[\"f" + std::to_string(i % 7) + "\"]");
    batch[1].second.emplace_back("\"Done.\"");
    batch[2].second.emplace_back(R"([{"name": "f)" + std::to_string(i % 5) + R"(", "arguments": {"x": ")" +
                                 std::string(1000, 'x') + "\"}}]");
  }
  ArrowArrayStream input = StreamOf({batch});
  ArrowArrayStream output;
  Runner(Plan({"tool_calls"}), {.threads = 4}).ScoreStream(&input, {.calls = "run"}, &output);
  StreamReader reader(&output);
  const OwnedArray scored = reader.Next();
  ASSERT_TRUE(scored);
  for (int i = 0; i < 5000; ++i) {
    ASSERT_EQ(NumberAt(*scored->children[0]->children[1], i), i % 7 == i % 5 ? 1 : 0) << i;
  }
}

TEST(ScoreStream, TellsWhichPathsLeadNowhereAndFailsGates) {
  const Plan plan = Plan::FromConfig(
      "evaluators: [{name: f, type: field_accuracy, fields: [{path: a}, {path: b}, {path: c}]}]");
  ArrowArrayStream input = StreamOf({{{"id", {"1"}}, {"actual", {"{}"}}}, {{"id", {}}, {"actual", {}}}});
  ArrowArrayStream gold = StreamOf({{{"id", {"1", "2"}}, {"expected", {R"({"a": 1})", R"({"b": 1})"}}}});
  ArrowArrayStream output;
  const StreamRun run = Runner(plan).ScoreStream(&input, {.gold = &gold}, &output);
  StreamReader reader(&output);
  while (reader.Next()) continue;
  const RunReport report = run.Report();
  EXPECT_EQ(report.scorers[0].absent_paths, std::vector<std::string>{"c"});
  EXPECT_EQ(FailedGates(report, {.fail_under = {{"", 0}}}),
            std::vector<std::string>{"no expected value has \"c\", which the options of f name"});
  EXPECT_TRUE(FailedGates(report, {.fail_under = {{"", 0}}, .allow_absent_paths = true}).empty());
}

TEST(ScoreStream, ManyRowsAreWhatColumnsGive) {
  Batch batch = {{"expected", {}}, {"actual", {}}};
  for (int i = 0; i < 20000; ++i) {
    batch[0].second.emplace_back("{\"k\": \"" + std::string(100, 'x') + std::to_string(i % 97) + "\"}");
    batch[1].second.emplace_back("{\"k\": \"" + std::string(100, 'x') + std::to_string(i % 89) + "\"}");
  }
  for (const unsigned threads : {1u, 4u}) {
    const Runner runner(Plan({"json_similarity"}), {.threads = threads});
    ArrowArrayStream input = StreamOf({batch});
    ArrowArrayStream output;
    runner.ScoreStream(&input, {}, &output);
    StreamReader reader(&output);
    const OwnedArray results = reader.Next();
    ASSERT_EQ(results->length, 20000);
    for (std::int64_t row = 0; row < 20000; row += 371) {
      const auto i = static_cast<std::size_t>(row);
      ASSERT_EQ(NumberAt(*results->children[0]->children[1], row),
                runner.ScorePair(*batch[0].second[i], *batch[1].second[i])[0].score[0]);
    }
  }
}

TEST(ScoreStream, ErrorsComeAtOnceOrThroughTheStream) {
  const Runner runner(Plan({"json_similarity"}));
  ArrowArrayStream output;
  const auto refused = [&](const StreamOptions& options) {
    ArrowArrayStream input = StreamOf({kFirst});
    const std::string why = ErrorOf(ErrorCode::kUsage, [&] { runner.ScoreStream(&input, options, &output); });
    EXPECT_EQ(input.release, nullptr);  // released all the same
    return why;
  };
  EXPECT_NE(refused({.actual = "actuel"}).find("actual"), std::string::npos);
  EXPECT_NE(refused({.keep = {"nothing"}}).find("nothing"), std::string::npos);

  ArrowArrayStream input = StreamOf({kFirst}, "the disk is gone");
  const StreamRun run = runner.ScoreStream(&input, {}, &output);
  StreamReader reader(&output);
  EXPECT_TRUE(reader.Next());
  EXPECT_NE(ErrorOf(ErrorCode::kInput, [&] { reader.Next(); }).find("the disk is gone"), std::string::npos);
  EXPECT_EQ(run.Report().totals.records_read, 3u);
}

TEST(ScoreStream, StopsAndOutlivesItsRunner) {
  std::atomic<bool> stop = false;
  ArrowArrayStream input = StreamOf({kFirst, kSecond});
  ArrowArrayStream output;
  Runner(Plan({"json_similarity"}), {.stop = &stop}).ScoreStream(&input, {}, &output);
  StreamReader reader(&output);
  EXPECT_TRUE(reader.Next());
  stop = true;
  EXPECT_NE(ErrorOf(ErrorCode::kInput, [&] { reader.Next(); }).find("interrupted"), std::string::npos);
}

// `run` is still there, and with it the report.
TEST(ScoreStream, ReleasesItsInputWhenTheOutputEndsFailsOrIsReleased) {
  const Runner runner(Plan({"json_similarity"}));
  ArrowArrayStream output;
  const auto start = [&](const std::string& error) {
    ArrowArrayStream input = StreamOf({kFirst}, error);
    Batches::released = 0;
    return runner.ScoreStream(&input, {.keep = {"id"}}, &output);
  };
  {
    const StreamRun run = start("");
    StreamReader reader(&output);
    EXPECT_TRUE(reader.Next());
    EXPECT_EQ(Batches::released, 0);
    EXPECT_FALSE(reader.Next());
    EXPECT_EQ(Batches::released, 1);
    EXPECT_EQ(run.Report().totals.records_read, 3u);
  }
  {
    const StreamRun run = start("the disk is gone");
    StreamReader reader(&output);
    EXPECT_TRUE(reader.Next());
    ErrorOf(ErrorCode::kInput, [&] { reader.Next(); });
    EXPECT_EQ(Batches::released, 1);
  }
  {
    const StreamRun run = start("");
    output.release(&output);
    EXPECT_EQ(Batches::released, 1);
  }
}

// The schema of kept columns does not need the stream that they came from.
TEST(ScoreStream, GivesItsSchemaAfterTheEnd) {
  ArrowArrayStream input = StreamOf({kFirst});
  OwnedStream output;
  Runner(Plan({"json_similarity"})).ScoreStream(&input, {.keep = {"id", "model"}}, output.get());
  for (int i = 0; i < 2; ++i) {
    ArrowArray batch;
    ASSERT_EQ(output.get()->get_next(output.get(), &batch), 0);
    const OwnedArray owned(&batch);
  }
  ArrowSchema schema;
  ASSERT_EQ(output.get()->get_schema(output.get(), &schema), 0);
  const OwnedSchema owned(&schema);
  EXPECT_STREQ(owned->children[1]->name, "model");
}

TEST(ScoreStream, RefusesTwoColumnsOfResultsWithOneName) {
  const auto refused = [](const Plan& plan, const StreamOptions& options, Batch batch) {
    ArrowArrayStream input = StreamOf({std::move(batch)});
    ArrowArrayStream output;
    return ErrorOf(ErrorCode::kUsage, [&] { Runner(plan).ScoreStream(&input, options, &output); });
  };
  const char kTwoOfId[] =
      "two columns of the results would be named \"id\"; keep each column once, and none with the name of a "
      "scorer";
  EXPECT_EQ(refused(Plan({"contains"}), {.keep = {"id", "model", "id"}}, kFirst), kTwoOfId);
  const Plan named_id = Plan::FromConfig("evaluators: [{type: contains, name: id}]");
  EXPECT_EQ(refused(named_id, {.keep = {"id"}}, kFirst), kTwoOfId);
}

TEST(ScoreStream, MaxGroupsAtItsLimits) {
  const Runner runner(Plan({"exact_match"}));
  const auto start = [&](std::size_t max_groups) {
    ArrowArrayStream input = StreamOf({kFirst});
    OwnedStream output;
    runner.ScoreStream(&input, {.group_by = {"model"}, .max_groups = max_groups}, output.get());
  };
  start(1);
  start(std::size_t{1} << 20);
  EXPECT_EQ(ErrorOf(ErrorCode::kUsage, [&] { start(0); }),
            "--max-groups is 0; give a number of groups from 1 to 1048576");
  ErrorOf(ErrorCode::kUsage, [&] { start((std::size_t{1} << 20) + 1); });
}

TEST(ScoreStream, MayBeLeftUnread) {
  ArrowArrayStream input = StreamOf({kFirst});
  ArrowArrayStream output;
  Runner(Plan({"json_similarity"})).ScoreStream(&input, {}, &output);
  output.release(&output);
  EXPECT_EQ(output.release, nullptr);
}

}  // namespace
}  // namespace leafscore::internal
