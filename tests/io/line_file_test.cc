// Ranges of files against the same bytes read from begin to end, which record_reader_test.cc tests.
#include "engine/io/line_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "engine/io/record_reader.h"
#include "tests/io/io_test_util.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kRange = BlockChecksum::kBlockBytes;  // the least

struct RangeRecord {
  std::string text;
  std::uint64_t offset = 0;
  std::uint64_t in_input = 0;
  std::uint64_t in_run = 0;
  RejectReason reject = RejectReason::kNone;

  bool operator==(const RangeRecord&) const = default;
};

std::ostream& operator<<(std::ostream& out, const RangeRecord& record) {
  return out << '"' << record.text.substr(0, 40) << "\" (" << record.text.size() << " bytes) at "
             << record.offset << ", " << record.in_input << " and " << record.in_run << ", "
             << RejectReasonName(record.reject);
}

struct RangeOutcome {
  std::vector<RangeRecord> records;
  std::string error;
  std::string checksum;  // of the last input
  std::uint64_t decoded = 0;
  std::uint64_t consumed = 0;
};

void Append(const RecordBatch& batch, std::vector<RangeRecord>& records) {
  const std::string zeros(kTextPadding, '\0');
  EXPECT_EQ(std::string(batch.bytes.data(), kTextPadding), zeros);
  EXPECT_EQ(std::string(batch.bytes.data() + batch.data_end, kTextPadding), zeros);
  for (std::size_t r = 0; r < batch.records.size(); ++r) {
    const RecordSpan& record = batch.records[r];
    records.push_back({std::string(batch.Text(record)), batch.OffsetOf(record),
                       batch.first_record_in_input + r, batch.first_record_in_run + r, record.reject});
  }
}

class LineFileTest : public ::testing::Test {
 protected:
  std::string Input(const std::string& text, const std::string& name = "in.jsonl") {
    WriteFile(folder_ / name, text);
    return folder_ / name;
  }

  RangeOutcome Serially(const std::vector<std::string>& inputs, ReaderOptions options) {
    options.ranges = false;
    RecordReader reader(inputs, options);
    return ReadAll(reader, inputs.size());
  }

  // By Next.
  RangeOutcome ReadAll(RecordReader& reader, std::size_t inputs) {
    RangeOutcome outcome;
    RecordBatch batch;
    try {
      while (reader.Next(batch)) Append(batch, outcome.records);
    } catch (const Error& error) {
      outcome.error = error.what();
    }
    return Ended(reader, inputs, std::move(outcome));
  }

  // In steps, the last ranges read first. What may not be held is read at last.
  RangeOutcome InSteps(const std::vector<std::string>& inputs, ReaderOptions options, bool may_hold) {
    options.ranges = true;
    RecordReader reader(inputs, options);
    RangeOutcome outcome;
    std::vector<RecordBatch> batches(1);
    while (reader.Take(batches.back())) batches.emplace_back();
    batches.pop_back();
    for (std::size_t i = batches.size(); i-- > 0;) {
      if (batches[i].range) RecordReader::Read([&](std::size_t) { return may_hold; }, batches[i]);
    }
    for (RecordBatch& batch : batches) {
      if (!reader.Number(batch)) continue;
      if (batch.range && batch.range->has_rest) {
        EXPECT_FALSE(may_hold);
        batch.range->file->ReadRest(batch);
      }
      Append(batch, outcome.records);
    }
    if (reader.range_error()) outcome.error = reader.range_error()->what();
    return Ended(reader, inputs.size(), std::move(outcome));
  }

  // Checks that all ways to read give the same. RETURNS: the records.
  std::vector<RangeRecord> ExpectSame(const std::vector<std::string>& inputs, ReaderOptions options) {
    const RangeOutcome serial = Serially(inputs, options);
    EXPECT_EQ(serial.error, "");
    options.ranges = true;
    RecordReader reader(inputs, options);
    for (const RangeOutcome& outcome :
         {ReadAll(reader, inputs.size()), InSteps(inputs, options, true), InSteps(inputs, options, false)}) {
      EXPECT_EQ(outcome.error, "");
      EXPECT_EQ(outcome.records, serial.records);
      EXPECT_EQ(outcome.checksum, serial.checksum);
      EXPECT_EQ(outcome.decoded, serial.decoded);
      EXPECT_EQ(outcome.consumed, serial.consumed);
    }
    return serial.records;
  }

  static RangeOutcome Ended(const RecordReader& reader, std::size_t inputs, RangeOutcome outcome) {
    outcome.checksum = reader.checksum(inputs - 1).Text();
    outcome.decoded = reader.decoded_bytes();
    outcome.consumed = reader.consumed_bytes();
    return outcome;
  }

  TempDir folder_;
};

ReaderOptions Options(std::size_t batch_bytes = kRange, std::size_t max_line_bytes = 1 << 20) {
  ReaderOptions options;
  options.batch_bytes = batch_bytes;
  options.max_line_bytes = max_line_bytes;
  return options;
}

std::string TextLines(std::size_t count, std::size_t least, std::string_view line_end = "\n") {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += R"({"id": )" + std::to_string(i) + R"(, "t": ")" + std::string(least + i * 37 % 301, 'x') + "\"}";
    text += line_end;
  }
  return text;
}

TEST_F(LineFileTest, FilesOfLinesOfAllKinds) {
  const std::string lines = TextLines(500, 100);
  for (const std::string& text :
       {lines, lines.substr(0, lines.size() - 1), TextLines(500, 90, "\r\n"),
        TextLines(300, 100, "\n\n \t\r\n"), "\xef\xbb\xbf" + lines, "\xef\xbb\xbf \r\n\n  " + lines,
        std::string(1, '{'), std::string("{}\n"), lines + std::string(40000, '\n'),
        lines + std::string(40000, ' ') + "{}", std::string(70000, '\n') + lines,
        "{}\n" + std::string(70000, ' ') + "\n{}"}) {
    const std::string input = Input(text);
    EXPECT_FALSE(ExpectSame({input}, Options()).empty());
    ExpectSame({input}, Options(3 * kRange + 5));
    ExpectSame({input}, Options(1 << 20));
  }
}

TEST_F(LineFileTest, LinesThatEndAroundTheEndOfARange) {
  for (const int shift : {-2, -1, 0, 1, 2}) {
    const std::size_t first = kRange + static_cast<std::size_t>(shift) - 1;  // without its line end
    for (const std::string line_end : {"\n", "\r\n"}) {
      const std::string text =
          '"' + std::string(first - 2, 'a') + '"' + line_end + TextLines(3, 10, line_end) + "\n\n{}";
      const std::vector<RangeRecord> records = ExpectSame({Input(text)}, Options());
      ASSERT_EQ(records.size(), 5u);
      EXPECT_EQ(records[1].offset, first + line_end.size());
    }
  }
}

TEST_F(LineFileTest, LinesOverManyRanges) {
  const std::string text = TextLines(20, 100) + TextLines(3, 5 * kRange) + TextLines(20, 100) +
                           TextLines(2, 9 * kRange) + TextLines(1, 0) + std::string(3 * kRange, ' ') +
                           TextLines(1, 70000);
  EXPECT_EQ(ExpectSame({Input(text)}, Options()).size(), 47u);
  ExpectSame({Input(text.substr(0, text.size() - 1))}, Options());
}

TEST_F(LineFileTest, LongLinesAreRejectedAtTheLimit) {
  for (const std::size_t limit : {std::size_t{300}, kRange - 1, kRange, 3 * kRange + 11}) {
    for (const int over : {-1, 0, 1, 5000}) {
      const std::string line(limit + static_cast<std::size_t>(over), '1');
      const std::string blank(limit + static_cast<std::size_t>(over), ' ');
      const std::string text =
          TextLines(30, 20) + line + "\n{}\n" + blank + "\n" + line + "\r\n" + blank + "1\n[]\n" + blank;
      const std::vector<RangeRecord> records = ExpectSame({Input(text)}, Options(kRange, limit));
      ASSERT_GT(records.size(), 31u);
      EXPECT_EQ(records[30].reject, over > 0 ? RejectReason::kLineTooLong : RejectReason::kNone);
    }
  }
}

TEST_F(LineFileTest, InputsOfManyKinds) {
  const std::string a = Input(TextLines(400, 100), "a.jsonl");
  const std::string b = Input("[" + TextLines(1, 50000) + "]", "b.json");  // no lines
  const std::string c = Input(Gzip(TextLines(300, 100)), "c.jsonl.gz");
  const std::string d = Input("", "d.jsonl");
  const std::string e = Input(" \n\n", "e.jsonl");
  const std::string f = Input(TextLines(500, 100), "f");  // whose format its bytes tell
  EXPECT_EQ(ExpectSame({a, b, c, d, e, f}, Options()).size(), 1201u);
  EXPECT_EQ(ExpectSame({f, e, d, c, b, a}, Options()).size(), 1201u);
}

TEST_F(LineFileTest, ShardsHaveTheirPartsOfAFile) {
  const std::string input = Input(TextLines(900, 100));
  std::size_t records = 0;
  for (std::uint32_t shard = 1; shard <= 5; ++shard) {
    ReaderOptions options = Options();
    options.shard = Shard{shard, 5};
    records += ExpectSame({input}, options).size();
  }
  EXPECT_EQ(records, 900u);
}

TEST_F(LineFileTest, AFileThatBecameShorterBreaksWhereItEnds) {
  const std::string text = TextLines(900, 100);
  const std::string input = Input(text);
  ReaderOptions options = Options();
  options.ranges = true;
  RecordReader reader({input}, options);
  RecordBatch batch;
  ASSERT_TRUE(reader.Next(batch));
  std::filesystem::resize_file(input, 3 * kRange + 100);
  const RangeOutcome outcome = ReadAll(reader, 1);
  EXPECT_EQ(outcome.error, "cannot read " + input + ": it became shorter meanwhile");
  ASSERT_FALSE(outcome.records.empty());
  EXPECT_EQ(outcome.records.back().reject, RejectReason::kTruncatedInput);
  for (std::size_t r = 0; r + 1 < outcome.records.size(); ++r) {
    EXPECT_EQ(outcome.records[r].reject, RejectReason::kNone);
    EXPECT_EQ(outcome.records[r].text,
              text.substr(outcome.records[r].offset, outcome.records[r].text.size()));
  }
  EXPECT_LE(outcome.decoded, 3 * kRange + 100);
  EXPECT_THROW(reader.Next(batch), Error);
}

TEST_F(LineFileTest, AFileThatIsWrittenToMeanwhileIsAnError) {
  const std::string text = TextLines(900, 100);
  const std::string input = Input(text);
  ReaderOptions options = Options();
  options.ranges = true;
  RecordReader reader({input}, options);
  RecordBatch batch;
  ASSERT_TRUE(reader.Next(batch));
  const std::size_t first = batch.records.size();
  WriteFile(input, text + TextLines(100, 100));
  const RangeOutcome outcome = ReadAll(reader, 1);
  EXPECT_EQ(outcome.error, input + " was written to while it was read: score it when it changes no more");
  EXPECT_EQ(first + outcome.records.size(), 900u);
}

// Who reads a batch may hold no more than twice its range without being asked.
TEST_F(LineFileTest, LongLinesAreHeldOnlyWhereTheyMay) {
  const std::string input = Input(TextLines(1, 100) + TextLines(1, 10 * kRange) + TextLines(1, 100));
  ReaderOptions options = Options();
  options.ranges = true;
  RecordReader reader({input}, options);
  RecordBatch batch;
  ASSERT_TRUE(reader.Take(batch));
  std::size_t held = 0;
  RecordReader::Read(
      [&](std::size_t bytes) {
        held += bytes;
        return held < 5 * kRange;
      },
      batch);
  EXPECT_TRUE(batch.range->has_rest);
  ASSERT_EQ(batch.records.size(), 2u);
  EXPECT_EQ(batch.records[1].begin, batch.records[1].end);
  EXPECT_LE(batch.data_end, 8 * kRange);
  batch.range->file->ReadRest(batch);
  EXPECT_FALSE(batch.range->has_rest);
  ASSERT_EQ(batch.records.size(), 2u);
  EXPECT_EQ(std::string(batch.Text(batch.records[1])) + "\n", TextLines(1, 10 * kRange));
}

}  // namespace
}  // namespace leafscore::internal
