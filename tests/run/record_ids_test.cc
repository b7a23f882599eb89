// Ids that come again in a run without gold, and inputs that do.
#include "engine/run/record_ids.h"

#include <unistd.h>

#include <string>
#include <vector>

#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

// Adds ids as a batch.
RepeatedIds AddIds(const std::vector<std::string>& ids, SeenIds& seen, RepeatedIds repeated = {}) {
  IdList batch;
  for (const std::string& id : ids) batch.Add(id, MultisetHash::HashOf(id));
  seen.Add(batch, repeated);
  seen.End(repeated);
  return repeated;
}

TEST(SeenIds, FindsThoseThatComeAgainInOneBatchOrInAnother) {
  SeenIds seen;
  RepeatedIds repeated = AddIds({"a", "b", "", "a", "a", ""}, seen);
  EXPECT_EQ(repeated.ids.count, 3u);
  EXPECT_EQ(repeated.ids.first, (std::vector<std::string>{"a", "a", ""}));
  repeated = AddIds({"c", "b"}, seen, repeated);
  EXPECT_EQ(repeated.ids.first, (std::vector<std::string>{"a", "a", "", "b"}));
  EXPECT_EQ(repeated.not_remembered, 0u);
}

// In the order of their records, however they are placed.
TEST(SeenIds, FindsThemInAnyOrderOfTheIds) {
  for (const std::uint32_t step : {1u, 7919u}) {  // rising, and all over the place
    SeenIds seen;
    std::vector<std::string> ids;
    for (std::uint32_t i = 0; i < 40000; ++i) ids.push_back(std::to_string(i * step % 40009));
    std::vector<std::string> again = {ids[39999], ids[0], ids[20000], ids[39999]};
    ids.insert(ids.end(), again.begin(), again.end());
    EXPECT_EQ(AddIds(ids, seen).ids.first, again);
    again.emplace_back("new");
    EXPECT_EQ(AddIds(again, seen).ids.count, 4u);
  }
}

// Whether they rise is known of a batch that was just scored, and not of one that a journal holds.
TEST(SeenIds, RisingIdsBatchByBatch) {
  for (const bool is_known : {true, false}) {
    SeenIds seen;
    RepeatedIds repeated;
    const auto add = [&](const std::vector<std::string>& ids) {
      IdList batch;
      for (const std::string& id : ids) batch.Add(id, MultisetHash::HashOf(id));
      batch.rise = batch.rise && is_known;
      seen.Add(batch, repeated);
    };
    add({"1", "2"});
    add({});
    add({"3", "10"});
    add({"10", "11"});  // rising in itself
    add({"12", "13", "2"});
    seen.End(repeated);
    EXPECT_EQ(repeated.ids.first, (std::vector<std::string>{"10", "2"})) << is_known;
  }
}

TEST(SeenIds, GrowsAndForgetsNone) {
  constexpr int kIds = 50000;
  SeenIds seen;
  std::vector<std::string> ids;
  for (int i = 0; i < kIds; ++i) ids.push_back(std::to_string(i));
  EXPECT_EQ(AddIds(ids, seen).ids.count, 0u);
  EXPECT_EQ(AddIds(ids, seen).ids.count, std::uint64_t{kIds});
}

TEST(SeenIds, BeyondItsLimitIdsAreComparedWithThoseThatItRemembers) {
  for (const std::size_t ids : {4999u, 5000u, 5001u}) {
    SeenIds seen(5000);
    std::vector<std::string> batch;
    for (std::size_t i = 0; i < ids; ++i) batch.push_back(std::to_string(i));
    batch.push_back("0");
    const RepeatedIds repeated = AddIds(batch, seen);
    EXPECT_EQ(repeated.ids.count, 1u);
    EXPECT_EQ(repeated.not_remembered, ids > 5000 ? 1u : 0u);
  }
}

class RepeatedIdsTest : public RunTest {};

// Ids are texts: the number 7 and the text "7" are one. A line that could not be read may show its id.
TEST_F(RepeatedIdsTest, ARunWithoutGoldSaysWhichIdsComeAgain) {
  const FinishedRun run = RunText(Plan({"exact_match"}), R"({"id": 7, "expected": 1, "actual": 1})"
                                                         "\n"
                                                         R"({"id": null, "expected": 1, "actual": 1})"
                                                         "\n"
                                                         R"({"expected": 1, "actual": 1})"
                                                         "\n"
                                                         R"({"id": "\u0037", "expected": 1, "actual": 1})"
                                                         "\n"
                                                         R"({"id": "b\u001b", "expected": 1, "actual": 1})"
                                                         "\n"
                                                         R"({"id": "b\u001b", "expected": 1, "actual)"
                                                         "\n");
  EXPECT_NE(run.summary.find("\"repeated_ids\": {\n    \"count\": 2,\n    \"first\": [\n      \"7\",\n      "
                             "\"b\\u001b\"\n    ],\n    \"not_remembered\": 0\n  }"),
            std::string::npos)
      << run.summary;
  const std::string table = run.result.summary.Report().ToTable();
  EXPECT_NE(
      table.find("\n2 RECORDS HAVE THE ID OF AN EARLIER ONE, and all of them count: \"7\", \"b\\x1b\"\n"),
      std::string::npos)
      << table;
}

TEST_F(RepeatedIdsTest, DoNotDependOnThreadsOrBatches) {
  FileOptions options;
  std::string lines;
  for (int i = 0; i < 300; ++i) {
    lines += R"({"expected": 1, "actual": 1, "id": )" + std::to_string(i * i % 97) + "}\n";
  }
  options.inputs = {Input("a.jsonl", lines), Input("b.jsonl", lines)};
  const FinishedRun run = Run(Plan({"exact_match"}), options);
  EXPECT_EQ(run.result.summary.Report().repeated_ids->ids.count, 600u - 49u);  // squares modulo 97
  ExpectSameBytes(Plan({"exact_match"}), options, run, {1, 100, 5000});
}

TEST_F(RepeatedIdsTest, WithGoldTheyAreThoseOfTheSources) {
  FileOptions options;
  options.gold = Input("gold.jsonl", "{\"id\": 1, \"expected\": 1}\n");
  options.inputs = {Input("a.jsonl", "{\"id\": 1, \"actual\": 1}\n{\"id\": 1, \"actual\": 1}\n")};
  EXPECT_EQ(Run(Plan({"exact_match"}), options).summary.find("repeated_ids"), std::string::npos);
}

TEST_F(RepeatedIdsTest, OneFileNamedTwiceIsRefusedWhateverItsNames) {
  FileOptions options;
  const std::string file = Input("a.jsonl", "{\"expected\": 1, \"actual\": 1}\n");
  ASSERT_EQ(link(file.c_str(), (folder_ / "hard.jsonl").c_str()), 0);
  ASSERT_EQ(symlink(file.c_str(), (folder_ / "soft.jsonl").c_str()), 0);
  for (const std::string& other :
       {file, folder_ / "./a.jsonl", folder_ / "hard.jsonl", folder_ / "soft.jsonl"}) {
    options.inputs = {file, Input("b.jsonl", "{\"expected\": 1, \"actual\": 1}\n"), other};
    EXPECT_EQ(ErrorOf(ErrorCode::kUsage, [&] { Run(Plan({"exact_match"}), options); }),
              file + " and " + other + " are one file, whose records would count twice: name it once");
  }
  // Of two copies nobody knows; devices hold no records.
  options.inputs = {file, Input("b.jsonl", ReadFile(file)), "/dev/null", "/dev/null"};
  EXPECT_EQ(Run(Plan({"exact_match"}), options).lines.size(), 2u);
}

}  // namespace
}  // namespace leafscore::internal
