// Runs under a memory budget, in a program that counts its allocations as the command does. What they take
// is measured from outside, by tests/cli/memory_budget.py.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/base/limits.h"
#include "engine/base/memory_account.h"
#include "engine/run/file_options.h"
#include "engine/run/gold_table.h"
#include "run/run_testing.h"
#include "sanitized.h"

namespace leafscore::internal {
namespace {

std::string Small(int number) {
  return "{\"id\": \"small " + std::to_string(number) +
         R"(", "expected": {"a": "text"}, "actual": {"a": "test"}})" + "\n";
}

// A record of about so many bytes, all of them integers.
std::string Integers(std::size_t bytes) {
  std::string list = "[1";
  while (2 * list.size() < bytes) list += ",1";
  list += "]";
  return R"({"id": "long", "expected": )" + list + R"(, "actual": )" + list + "}\n";
}

class MemoryBudgetTest : public RunTest {
 protected:
  MemoryBudgetTest() { options_.memory_bytes = kMemory.min; }

  // The outcome or reason of each record.
  std::vector<std::string> Verdicts(const FinishedRun& run) {
    std::vector<std::string> verdicts;
    for (const std::string& line : run.lines) {
      const rapidjson::Document document = ParseLine(line);
      const bool is_scored = document["outcome"] == "scored";
      verdicts.emplace_back(document[is_scored ? "outcome" : "reason"].GetString());
    }
    return verdicts;
  }

  FileOptions options_;
};

const std::vector<std::string> kMiddleRejected = {"scored", "over_memory_budget", "scored"};

TEST_F(MemoryBudgetTest, ARecordThatTakesTooMuchIsRejectedAndItsNeighboursAreScored) {
  const FinishedRun run =
      RunText(Plan({"json_similarity"}), Small(1) + Integers(7 << 20) + Small(2), options_);
  EXPECT_EQ(Verdicts(run), kMiddleRejected);
  const rapidjson::Document line = ParseLine(run.lines[1]);
  EXPECT_STREQ(line["id"].GetString(), "long");
  EXPECT_STREQ(line["id_from"].GetString(), "line");
  EXPECT_STREQ(line["message"].GetString(), "the record takes more than its share of --memory");
  EXPECT_EQ(line["record"].GetUint(), 2u);
  EXPECT_EQ(line["offset"].GetUint(), Small(1).size());
  EXPECT_EQ(line["text"].GetStringLength(), 200u);
}

TEST_F(MemoryBudgetTest, ARecordLongerThanItsShareIsRejectedWithoutBeingHeld) {
  const std::string text(9 << 20, 'x');
  const FinishedRun run =
      RunText(Plan({"exact_match"}),
              Small(1) + R"({"id": 1, "actual": 1, "expected": ")" + text + "\"}\n" + Small(2), options_);
  EXPECT_EQ(Verdicts(run), kMiddleRejected);
}

TEST_F(MemoryBudgetTest, ALowerLimitOfTheLineComesFirst) {
  options_.max_line_bytes = 1 << 20;
  const FinishedRun run =
      RunText(Plan({"json_similarity"}), Small(1) + Integers(7 << 20) + Small(2), options_);
  EXPECT_EQ(Verdicts(run), (std::vector<std::string>{"scored", "line_too_long", "scored"}));
}

TEST_F(MemoryBudgetTest, WithMoreMemoryTheSameRecordIsScored) {
  options_.memory_bytes = 2048ull << 20;
  const FinishedRun run =
      RunText(Plan({"json_similarity"}), Small(1) + Integers(7 << 20) + Small(2), options_);
  EXPECT_EQ(Verdicts(run), std::vector<std::string>(3, "scored"));
}

// The long records end batches, fill parts and are scored alone; some fit and some do not.
TEST_F(MemoryBudgetTest, NeitherThreadsNorBatchesDecideWhatFits) {
  std::string input;
  for (int i = 0; i < 3; ++i) {
    input += Small(i) + Integers(i == 1 ? 2 << 20 : 300 << 10) + Small(100 + i) + Small(200 + i);
  }
  options_.details = DetailLevel::kLeaves;
  options_.max_details_bytes = 10000;
  options_.threads = 1;
  const Plan plan({"json_similarity", "json_diff"});
  const FinishedRun base = RunText(plan, input, options_);
  const std::vector<std::string> verdicts = Verdicts(base);
  EXPECT_EQ(std::ranges::count(verdicts, "over_memory_budget"), 2);
  EXPECT_EQ(std::ranges::count(verdicts, "scored"), 2 * (9 + 2));
  options_.inputs = {folder_ / "in.jsonl"};
  ExpectSameBytes(plan, options_, base, {1000, 256 << 10});
}

// What one record has left in buffers must not make room for the next one.
TEST_F(MemoryBudgetTest, ARecordsVerdictDoesNotDependOnTheOneBefore) {
  options_.details = DetailLevel::kLeaves;
  std::size_t rejected = 0;
  for (std::size_t bytes = 500'000; bytes <= 1'500'000; bytes += kSanitized ? 300'000 : 100'000) {
    const std::vector<std::string> verdicts =
        Verdicts(RunText(Plan({"json_similarity"}), Integers(bytes) + Integers(bytes), options_));
    ASSERT_EQ(verdicts.size(), 2u);
    EXPECT_EQ(verdicts[0], verdicts[1]) << bytes;
    rejected += verdicts[0] != "scored";
  }
  EXPECT_GT(rejected, 0u);
}

// A value for two bytes. It was 49 once.
TEST_F(MemoryBudgetTest, AnAnswerInAStringTakesAtMost32BytesAByte) {
  for (const std::size_t bytes : {5u << 20, 6u << 20}) {
    std::string answer = "[1";
    while (answer.size() < bytes) answer += ",1";
    const std::string record = R"({"id": 1, "expected": {"a": [1, 2]}, "actual": ")" + answer + "]\"}\n";
    options_.memory_bytes = 32 * record.size() * 16 / 5;
    EXPECT_EQ(Verdicts(RunText(Plan({"static_json"}), record, options_)), std::vector<std::string>{"scored"})
        << bytes;
  }
}

// Alone, each of these takes far less than a record may; a batch of them takes more than a batch may.
TEST_F(MemoryBudgetTest, ABatchThatTakesTooMuchIsScoredInParts) {
  const std::string key(4000, 'k');
  std::string leaves;
  for (int i = 0; i < 1000; ++i) leaves += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\": 1";
  const std::string value = "{\"" + key + "\": {" + leaves + "}}";
  std::string input;
  for (int i = 0; i < 16; ++i) {
    input += "{\"id\": " + std::to_string(i) + ", \"expected\": " + value + ", \"actual\": " + value + "}\n";
  }
  options_.details = DetailLevel::kLeaves;
  const Plan plan({"json_similarity"});
  const FinishedRun run = RunText(plan, input, options_);
  options_.memory_bytes = 8192ull << 20;
  const FinishedRun wanted = RunText(plan, input, options_);
  EXPECT_EQ(Verdicts(run), std::vector<std::string>(16, "scored"));
  EXPECT_EQ(run.output, wanted.output);
}

TEST_F(MemoryBudgetTest, ElementsOfAnArrayOfRecordsToo) {
  options_.input_format = InputFormat::kJsonArray;
  std::string input = "[" + Small(1) + "," + Integers(7 << 20) + "," + Small(2) + "]";
  EXPECT_EQ(Verdicts(RunText(Plan({"json_similarity"}), input, options_)), kMiddleRejected);
}

TEST_F(MemoryBudgetTest, GoldThatTakesTooMuchEndsTheRunWithWhatToDo) {
  options_.gold = Input("gold.jsonl", R"({"id": 1, "expected": 1})"
                                      "\n" +
                                          Integers(6 << 20));
  options_.inputs = {Input("in.jsonl", R"({"id": 1, "actual": 1})"
                                       "\n")};
  try {
    Run(Plan({"json_similarity"}), options_);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kResources);
    EXPECT_STREQ(error.what(), "the gold takes more than its share of --memory, 50331648 bytes; give more");
  }
}

// A number of two bytes takes nine in the table; the index, 4.5 a byte, is given back.
TEST(MemoryOfTables, AByteOfIntegersTakesAtMost10WhileItIsRead) {
  const std::string text = Integers(4 << 20);
  const MemoryScope scope(10 * text.size());
  ShapeTable shapes;
  JsonReader reader(&shapes);
  LeafTable table;
  reader.Begin(text, /*lines=*/false, &table);
  EXPECT_NE(reader.Read(0, static_cast<std::uint32_t>(text.size())).root, kNoNode);
  EXPECT_GT(table.size(), text.size() / 2 - 100);
  EXPECT_LE(scope.used(), static_cast<std::int64_t>(5 * text.size()));
}

TEST_F(MemoryBudgetTest, AnIdOfALargeGoldFileTakesAtMost32Bytes) {
  constexpr std::size_t kIds = 100000;
  std::string text;
  for (std::size_t i = 0; i < kIds; ++i) {
    text += "{\"id\": \"id " + std::to_string(i) + "\", \"expected\": [1, 2, 3, 4, 5, 6, 7, 8]}\n";
  }
  options_.gold = Input("gold.jsonl", text);
  text = std::string();
  const MemoryScope scope;
  const GoldTable gold(options_, ReaderOptionsOf(options_), 1 << 20);
  EXPECT_LE(scope.used(), static_cast<std::int64_t>(32 * kIds));
  EXPECT_EQ(gold.expected_json(gold.Find("id 77777")), "[1, 2, 3, 4, 5, 6, 7, 8]");
}

TEST_F(MemoryBudgetTest, GroupsThatTakeTooMuchEndTheRunAndKeepWhatWasWritten) {
  std::string input;
  for (int i = 0; i < 40000; ++i) {
    input += R"({"expected": 1, "actual": 1, "g": ")" + std::to_string(i) + "\"}\n";
  }
  options_.group_by = {"g"};
  options_.max_groups = 1 << 20;
  const FinishedRun run = RunText(Plan({"json_similarity"}), input, options_);
  ASSERT_TRUE(run.result.error);
  EXPECT_EQ(run.result.error->code(), ErrorCode::kResources);
  EXPECT_NE(std::string(run.result.error->what()).find("--max-groups"), std::string::npos);
  EXPECT_GT(run.lines.size(), 1000u);
  // "give more": then the same run goes on, and ends as if it had had more from the start.
  options_.inputs = {folder_ / "in.jsonl"};
  options_.memory_bytes = 8192ull << 20;
  options_.resume = true;
  const FinishedRun more = Run(Plan({"json_similarity"}), options_);
  ASSERT_FALSE(more.result.error) << more.result.error->what();
  EXPECT_GT(more.result.resumed_records, 1000u);
  const std::string manifest = ReadFile(folder_ / "out.jsonl.manifest.json");
  const FinishedRun at_once = Run(Plan({"json_similarity"}), options_);
  EXPECT_EQ(at_once.result.resumed_records, 0u);
  EXPECT_EQ(more.output, at_once.output);
  EXPECT_EQ(more.summary, at_once.summary);
  EXPECT_EQ(manifest, ReadFile(folder_ / "out.jsonl.manifest.json"));
}

TEST_F(MemoryBudgetTest, ARunGoesOnWithOtherMemoryUnlessAVerdictWouldDependOnIt) {
  const std::string gz = Gzip(Small(3) + Small(4));
  options_.batch_bytes = 100;
  options_.output = folder_ / "out.jsonl";
  const auto refusal = [&](bool has_long, std::uint64_t then, std::uint64_t now) {
    FileOptions options = options_;
    options.memory_bytes = then;
    options.inputs = {Input("a.jsonl", Small(1) + (has_long ? Integers(7 << 20) : "") + Small(2)),
                      Input("b.jsonl.gz", gz.substr(0, gz.size() - 1))};
    EXPECT_TRUE(Run(Plan({"json_similarity"}), options).result.error);
    Input("b.jsonl.gz", gz);
    options.memory_bytes = now;
    options.resume = true;
    const FinishedRun run = Run(Plan({"json_similarity"}), options);
    std::string error = run.result.error ? run.result.error->what() : "";
    if (run.result.error) {
      EXPECT_EQ(run.result.error->code(), ErrorCode::kUsage) << error;
      options.memory_bytes = then;
      EXPECT_FALSE(Run(Plan({"json_similarity"}), options).result.error);
    } else {
      EXPECT_GT(run.result.resumed_records, 0u);
    }
    return error.substr(std::min(error.find(": it ") + 2, error.size()));
  };
  constexpr std::uint64_t kLeast = 128ull << 20;
  EXPECT_EQ(refusal(false, kLeast, 2 * kLeast), "");
  EXPECT_EQ(refusal(false, kLeast, 0), "");
  EXPECT_EQ(refusal(false, 0, kLeast), "");
  EXPECT_EQ(refusal(false, 2 * kLeast, kLeast),
            "it had more memory; give --memory 268435456, as then, or leave out --resume to start over");
  EXPECT_EQ(refusal(true, kLeast, 16 * kLeast),
            "it rejected a record that did not fit its memory; give --memory 134217728, as then, or leave "
            "out --resume to start over");
  EXPECT_EQ(refusal(true, kLeast, kLeast), "");
}

// The merge has the groups of all shards, and so may need more than each of them.
TEST_F(MemoryBudgetTest, AMergeMayBeGivenMoreMemoryThanItsShards) {
  std::string input;
  for (int i = 0; i < 40000; ++i) {
    input += R"({"expected": 1, "actual": 1, "g": ")" + std::to_string(i) + "\"}\n";
  }
  options_.inputs = {Input("in.jsonl", input)};
  options_.output = folder_ / "out.jsonl";
  options_.group_by = {"g"};
  options_.max_groups = 1 << 20;
  MergeOptions merge{.shards = {}, .output = options_.output};
  for (const std::uint32_t index : {1u, 2u}) {
    options_.shard = Shard{index, 2};
    ScoreFiles(Plan({"json_similarity"}), options_);
    merge.shards.push_back(ShardPath(options_.output, *options_.shard));
  }
  EXPECT_NE(ErrorOf(ErrorCode::kResources, [&] { MergeShards(merge); }).find("share of --memory"),
            std::string::npos);
  merge.memory_bytes = 1;
  EXPECT_NE(ErrorOf(ErrorCode::kUsage, [&] { MergeShards(merge); }), "");
  merge.memory_bytes = 8192ull << 20;
  EXPECT_EQ(MergeShards(merge).totals.records_read, 40000u);
  // The output is that of the run, whatever the merge has taken.
  EXPECT_NE(ReadFile(options_.output + ".manifest.json").find("\"memory_bytes\": 134217728"),
            std::string::npos)
      << ReadFile(options_.output + ".manifest.json").substr(0, 2000);
}

}  // namespace
}  // namespace leafscore::internal
