#include "engine/run/gold_table.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

class GoldTableTest : public RunTest {
 protected:
  FileOptions Gold(const std::string& text) {
    FileOptions options;
    options.gold = Input("gold.jsonl", text);
    return options;
  }

  void ExpectRefused(const FileOptions& options, const std::string& message) {
    const std::string error = ErrorOf(ErrorCode::kInput, [&] { const GoldTable gold(options); });
    EXPECT_NE(error.find(message), std::string::npos) << error;
  }
};

std::string_view Expected(const GoldTable& gold, std::string_view id) {
  const std::uint32_t entry = gold.Find(id);
  return entry == GoldTable::kNone ? "none" : gold.expected_json(entry);
}

TEST_F(GoldTableTest, IdsAreTexts) {
  const GoldTable gold(Gold(R"({"id": 11, "expected": {"a": [1, "x\n"]}}
           {"expected": "caf\u00e9", "id": "t\u0065xt"}
           {"id": -1.50, "expected": 1.50}
           {"id": true, "expected": null}
           {"id": {"b": [1, "x"]}, "expected": [ 1,  2 ]}
           {"id": "", "expected": ""}
           {"id": "null", "expected": false}
           {"id": "no value"})"));
  EXPECT_EQ(gold.size(), 8u);
  EXPECT_EQ(Expected(gold, "11"), R"({"a": [1, "x\n"]})");
  EXPECT_EQ(Expected(gold, "text"), R"("caf\u00e9")");
  EXPECT_EQ(Expected(gold, "-1.50"), "1.50");
  EXPECT_EQ(Expected(gold, "-1.5"), "none");
  EXPECT_EQ(Expected(gold, "true"), "null");
  EXPECT_EQ(Expected(gold, R"({"b":[1,"x"]})"), "[ 1,  2 ]");
  EXPECT_EQ(Expected(gold, ""), R"("")");
  EXPECT_EQ(Expected(gold, "null"), "false");
  EXPECT_EQ(Expected(gold, "no value"), "");
  EXPECT_EQ(gold.id(0), "11");
  EXPECT_EQ(gold.id(7), "no value");
  EXPECT_EQ(gold.counts().rejected + gold.counts().without_id + gold.counts().duplicates.count, 0u);
  EXPECT_EQ(gold.counts().records, 8u);
}

// A file that is read again where a text is wanted, and one that is kept: the same.
TEST_F(GoldTableTest, AMappedFileGivesTheSameTexts) {
  std::string text = "\xef\xbb\xbf";
  for (int i = 0; i < 3000; ++i) {
    const std::string number = std::to_string(i);
    text += i % 3 == 0
                ? R"({"id": ")" + number + R"(", "g": "caf\u00e9", "expected": {"a": [)" + number + "]}}"
            : i % 3 == 1 ? R"( {"expected": "x\n", "g": null, "id": )" + number + "} "
                         : R"({"id": "\u0030)" + number + R"(", "g": [1, 2]})";
    text += i % 100 == 50 ? "\n[]\n" : "\n";
  }
  text += R"({"id": "0", "g": "last", "expected": ")" + std::string(17 << 20, 'x') + "\"}\n";
  FileOptions options = Gold(text);
  options.group_by = {"g"};
  ReaderOptions reading;
  reading.batch_bytes = 1000;
  const GoldTable kept(options, reading, text.size());
  const GoldTable mapped(options, reading, text.size() - 1);
  EXPECT_FALSE(kept.mapped());
  ASSERT_TRUE(mapped.mapped());
  ASSERT_EQ(mapped.size(), 3000u);
  ASSERT_EQ(kept.size(), 3000u);
  for (std::uint32_t entry = 0; entry < mapped.size(); ++entry) {
    EXPECT_EQ(mapped.id(entry), kept.id(entry));
    EXPECT_EQ(mapped.expected_json(entry), kept.expected_json(entry));
    EXPECT_EQ(mapped.group(entry, 0).text, kept.group(entry, 0).text);
    EXPECT_EQ(mapped.group(entry, 0).json, kept.group(entry, 0).json);
    EXPECT_EQ(mapped.Find(kept.id(entry)), entry);
  }
  EXPECT_EQ(mapped.id(2), "02");
  EXPECT_EQ(mapped.expected_json(1), R"("x\n")");
  EXPECT_EQ(mapped.expected_json(2), "");
  EXPECT_EQ(mapped.expected_json(0).size(), (17u << 20) + 2);
  EXPECT_EQ(mapped.group(0, 0).text, "last");
  EXPECT_EQ(mapped.group(1, 0).json, "null");
  EXPECT_EQ(mapped.Find("3000"), GoldTable::kNone);
}

TEST_F(GoldTableTest, WhatCannotBeMappedIsKept) {
  const std::string text = "{\"id\": 1, \"expected\": [1]}\n";
  FileOptions options = Gold(text);
  EXPECT_TRUE(GoldTable(options, {}, 1).mapped());
  options.gold = Input("gold.jsonl.gz", Gzip(text));
  const GoldTable gold(options, {}, 1);
  EXPECT_FALSE(gold.mapped());
  EXPECT_EQ(Expected(gold, "1"), "[1]");
}

TEST_F(GoldTableTest, AMappedFileThatChangesIsFoundOut) {
  const FileOptions options = Gold("{\"id\": 1, \"expected\": [1]}\n");
  const GoldTable gold(options, {}, 1);
  gold.CheckUnchanged();
  Gold("{\"id\": 1, \"expected\": [1], \"more\": 1}\n");
  const std::string error = ErrorOf(ErrorCode::kInput, [&] { gold.CheckUnchanged(); });
  EXPECT_NE(error.find("gold.jsonl changed while it was in use"), std::string::npos) << error;
}

constexpr char kFlawed[] = R"({"id": 1, "expected": "a"}
{"id": 2, "expected": "b"}
{"id": 3

{"id": null, "expected": "c"}
{"expected": "c"}
[1]
{"id": "1", "expected": "d"}
{"id": 1.0, "expected": "e"}
)";

TEST_F(GoldTableTest, CountsWhatIsWrongAndTheLastOfDuplicatesCounts) {
  const GoldTable gold(Gold(kFlawed));
  EXPECT_EQ(gold.size(), 3u);
  EXPECT_EQ(Expected(gold, "1"), R"("d")");
  EXPECT_EQ(Expected(gold, "2"), R"("b")");
  EXPECT_EQ(Expected(gold, "1.0"), R"("e")");
  EXPECT_EQ(gold.counts().records, 8u);
  EXPECT_EQ(gold.counts().rejected, 2u);
  EXPECT_EQ(gold.counts().without_id, 2u);
  EXPECT_EQ(gold.counts().ids, 3u);
  EXPECT_EQ(gold.counts().duplicates.count, 1u);
  EXPECT_EQ(gold.counts().duplicates.first, std::vector<std::string>{"1"});
}

TEST_F(GoldTableTest, StrictNamesTheFirstFault) {
  const std::string good = "{\"id\": 1, \"expected\": 1}\n";
  FileOptions options = Gold(good + "\n{\"id\": 2");
  options.strict_gold = true;
  ExpectRefused(options, "record 2 of " + options.gold + " is not gold: invalid_json: the text ends");
  Gold(good + "{\"key\": 2}");
  ExpectRefused(options, "record 2 of " + options.gold + " has no \"id\" to join by");
  Gold(good + "{\"id\": null}");
  ExpectRefused(options, "record 2 of " + options.gold + " has no \"id\" to join by");
  Gold(good + "{\"id\": 2}\n{\"id\": \"1\"}");
  ExpectRefused(options, "records 1 and 3 of " + options.gold + " have the same id, \"1\"; keep one");
  Gold(good + "{\"id\": 2}");
  EXPECT_EQ(GoldTable(options).size(), 2u);
}

TEST_F(GoldTableTest, GoldThatCannotBeUsedIsRefused) {
  const FileOptions options = Gold("{\"key\": 1}\n{\"id\": ");
  ExpectRefused(options, "no record of " + options.gold +
                             " has the field \"id\" (--gold-id-field); the first one has: \"key\"");
  Gold("{\"id\": null}\n{\"id\": ");
  ExpectRefused(options, "has a field \"id\" to join by (2 read, 1 of them rejected)");
  Gold("");
  ExpectRefused(options, "(0 read, 0 of them rejected)");
  Input("gold.jsonl", Gzip("{\"id\": 1}\n").substr(0, 20));
  ExpectRefused(options, options.gold);
  std::filesystem::remove(options.gold);
  ExpectRefused(options, options.gold);
}

TEST_F(GoldTableTest, FieldsLimitsAndFormatsAreThoseOfTheRun) {
  FileOptions options = Gold("");
  options.gold = Input("gold.json.zst", Zstd(R"([{"key": 1, "id": 2, "want": 3, "expected": 4},
                                                 {"key": 5, "want": [[0]]}, {"key": 6, "want": 1e999}])"));
  options.id_field = "key";
  options.expected_field = "want";
  options.max_depth = 2;
  options.strict_json = true;
  const GoldTable gold(options);
  EXPECT_EQ(gold.size(), 1u);
  EXPECT_EQ(Expected(gold, "1"), "3");
  EXPECT_EQ(gold.counts().rejected, 2u);
  options.join_field = "id";
  EXPECT_EQ(Expected(GoldTable(options), "2"), "3");
}

TEST_F(GoldTableTest, ManyAndLargeValuesStayWhereTheyAre) {
  std::string text;
  const auto value = [](int i) { return std::string(i % 100 == 0 ? 700'000 : i % 50, 'a' + i % 26); };
  for (int i = 0; i < 3000; ++i)
    text += fmt::format("{{\"id\": \"r{}\", \"expected\": \"{}\"}}\n", i, value(i));
  const GoldTable gold(Gold(text));
  ASSERT_EQ(gold.size(), 3000u);
  for (int i = 0; i < 3000; ++i) {
    ASSERT_EQ(gold.Find(fmt::format("r{}", i)), static_cast<std::uint32_t>(i));
    ASSERT_EQ(gold.expected_json(static_cast<std::uint32_t>(i)), '"' + value(i) + '"');
  }
  EXPECT_EQ(gold.Find("r3000"), GoldTable::kNone);
}

}  // namespace
}  // namespace leafscore::internal
