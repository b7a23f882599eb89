// Shards of inputs: whatever the inputs and the number of shards, each record is read by one shard, as a
// reader of all of them reads it.
#include "engine/io/input_share.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/io/record_reader.h"
#include "io/io_test_util.h"
#include "sanitized.h"

namespace leafscore::internal {
namespace {

// Of an input and an offset in it: text, reason, and whether the batch is lines.
using Records =
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::tuple<std::string, RejectReason, bool>>;

// Adds what a reader gives until an input turns out to be no file of records; none may be there yet.
// RETURNS: whether all inputs are.
bool AddRecords(const std::vector<std::string>& inputs, const ReaderOptions& options, Records& all) {
  RecordReader reader(inputs, options);
  RecordBatch batch;
  std::uint64_t count = 0;
  bool good = true;
  const auto next = [&] {
    try {
      return reader.Next(batch);
    } catch (const Error&) {
      good = false;
      return false;
    }
  };
  while (next()) {
    EXPECT_EQ(batch.first_record_in_run, count + 1);
    for (const RecordSpan& record : batch.records) {
      const bool is_new = all.try_emplace({batch.input, batch.OffsetOf(record)}, batch.Text(record),
                                          record.reject, batch.lines)
                              .second;
      EXPECT_TRUE(is_new) << batch.OffsetOf(record);
      ++count;
    }
    const std::string_view padding(batch.bytes.data() + batch.data_end, kTextPadding);
    EXPECT_EQ(padding, std::string_view(std::string(kTextPadding, '\0')));
  }
  return good;
}

class InputShareTest : public testing::Test {
 protected:
  std::string Input(const std::string& name, const std::string& bytes) {
    WriteFile(folder_ / name, bytes);
    return folder_ / name;
  }

  void ExpectEachRecordInOneShard(const std::vector<std::string>& inputs, ReaderOptions options) {
    Records expected;
    const bool good = AddRecords(inputs, options, expected);
    for (std::uint32_t count = 1; count <= 7; ++count) {
      Records records;
      bool all_good = true;
      for (std::uint32_t index = 1; index <= count; ++index) {
        options.shard = Shard{index, count};
        options.batch_bytes = index % 2 == 0 ? 256 << 10 : count;
        all_good = AddRecords(inputs, options, records) && all_good;
      }
      EXPECT_EQ(all_good, good);
      if (!good) continue;  // shards read what comes behind the input that ends the run
      EXPECT_TRUE(records == expected)
          << ReadFile(inputs.back()).substr(0, 100) << " in " << count << " shards, lines of at most "
          << options.max_line_bytes << ": " << records.size() << " for " << expected.size();
    }
  }

  const TempDir folder_;
};

TEST_F(InputShareTest, EachLineIsInOneShardWhateverIsAtTheBorders) {
  const std::string mark = "\xef\xbb\xbf";
  const std::string texts[] = {
      "{1}\n{2}\n{3}\n",
      "{1}\n{2}\n{3}",
      "{1}\r\n\r\n{2}\r\n  \r\n{3}\r\n",
      mark + "{1}\n" + mark + "{2}\n{3}\n",
      mark + " \n\n {1}\n{2}\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n",
      "\n\n\n\n\n\n\n\n\n\n\n\n\n{1}\n{2}",
      "{12345678901234567890123456789012345678901234567890}\n{2}\n",
      "{2}\n{12345678901234567890123456789012345678901234567890}",
      "{1}\n" + std::string(40, ' ') + "\n{2}\n",
      std::string(40, ' ') + "\n" + std::string(20, ' ') + "{1}\n{2}\n",
      "[1]\n[2]\n{3}\n",
      "\n",
      "",
      mark,
      "x",
  };
  for (const std::string& text : texts) {
    for (const std::size_t max_line_bytes : {3, 5, 12, 1000}) {
      ReaderOptions options;
      options.max_line_bytes = max_line_bytes;
      ExpectEachRecordInOneShard({Input("a.jsonl", text)}, options);
      ExpectEachRecordInOneShard({Input("a", text), Input("b", texts[0])}, options);
      ExpectEachRecordInOneShard(
          {Input("a", texts[1]), Input("b", ""), Input("c.jsonl", text), Input("d", texts[0])}, options);
    }
  }
}

TEST_F(InputShareTest, EachRecordOfWhatCannotBeCutIsInOneShard) {
  std::string lines;
  std::string array = "[";
  constexpr int kRecords = Rounds(9000);
  for (int i = 0; i < kRecords; ++i) {
    const std::string record = "{\"id\": " + std::to_string(i) + ", \"text\": \"" +
                               std::string(static_cast<std::size_t>(i * 37 % 100), 'x') + "\"}";
    lines += record + (i % 50 == 0 ? "\n\n" : "\n");
    array += record + (i == kRecords - 1 ? "\n]" : i % 40 == 0 ? ",," : ",\n");
  }
  lines += "{\"id\": \"" + std::string(200'000, 'y') + "\"}\n" + lines.substr(0, 70'000);
  const std::string gz = Input("a.jsonl.gz", Gzip(lines));
  const std::string zst = Input("b.zst", Zstd(lines.substr(0, 100'000)));
  const std::string json = Input("c.json", array);
  const std::string plain = Input("d.jsonl", lines);
  const std::string small = Input("e.json", "[{}, {},\n {}]");
  ExpectEachRecordInOneShard({gz}, {});
  ExpectEachRecordInOneShard({json}, {});
  ExpectEachRecordInOneShard({zst, plain, gz}, {});
  ExpectEachRecordInOneShard({small, gz, plain, zst, json}, {});
}

TEST_F(InputShareTest, TheLinesOfOneFileAreSpread) {
  std::string lines;
  for (int i = 0; i < 20000; ++i) lines += "{\"id\": " + std::to_string(i) + ", \"text\": \"some text\"}\n";
  const std::string input = Input("a.jsonl", lines);
  for (std::uint32_t index = 1; index <= 4; ++index) {
    ReaderOptions options;
    options.shard = Shard{index, 4};
    Records records;
    EXPECT_TRUE(AddRecords({input}, options, records));
    EXPECT_GT(records.size(), 3000u) << index;
    EXPECT_LT(records.size(), 7000u) << index;
  }
}

TEST_F(InputShareTest, WhatCannotBeCutGoesToTheShardOfItsMiddle) {
  const std::string gz = Gzip("{1}\n{2}\n{3}\n");
  const std::vector<std::string> inputs = {Input("a.gz", gz), Input("b.gz", gz), Input("c.gz", gz)};
  constexpr std::size_t kRecords[] = {0, 3, 0, 3, 0, 3, 0};  // by shard
  for (std::uint32_t index = 1; index <= 7; ++index) {
    ReaderOptions options;
    options.shard = Shard{index, 7};
    Records records;
    EXPECT_TRUE(AddRecords(inputs, options, records));
    EXPECT_EQ(records.size(), kRecords[index - 1]) << index;
  }
}

TEST_F(InputShareTest, APlainFileIsReadInItsPartOnly) {
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "{\"id\": " + std::to_string(100000 + i) + "}\n";
  ReaderOptions options;
  options.shard = Shard{3, 4};
  RecordReader reader({Input("a.jsonl", lines)}, options);
  RecordBatch batch;
  while (reader.Next(batch)) {
  }
  EXPECT_EQ(reader.first_byte(0), lines.size() / 2);
  EXPECT_EQ(reader.decoded_bytes(0), lines.size() / 4);
  EXPECT_EQ(reader.checksum(0).Text(), BlockChecksumOf(lines.substr(lines.size() / 2, lines.size() / 4)));
}

TEST_F(InputShareTest, PipesCannotBeShared) {
  ReaderOptions options;
  options.shard = Shard{1, 2};
  for (const char* const input : {"-", "/dev/null"}) {
    try {
      RecordReader reader({input}, options);
      ADD_FAILURE() << input;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
    }
  }
}

}  // namespace
}  // namespace leafscore::internal
