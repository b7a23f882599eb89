#include "engine/io/table_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "engine/io/record_reader.h"
#include "tests/io/io_test_util.h"

namespace leafscore::internal {
namespace {

// Bytes in memory, handed out in pieces of one size.
class PiecesSource final : public ByteSource {
 public:
  PiecesSource(std::string bytes, std::size_t piece_bytes)
      : bytes_(std::move(bytes)), piece_bytes_(piece_bytes) {}

  std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline) override {
    const std::size_t n = std::min({out.size(), piece_bytes_, bytes_.size() - read_});
    std::memcpy(out.data(), bytes_.data() + read_, n);
    read_ += n;
    return n;
  }
  std::uint64_t consumed_bytes() const noexcept override { return read_; }

 private:
  std::string bytes_;
  std::size_t piece_bytes_;
  std::size_t read_ = 0;
};

// RETURNS: the lines of a table, the same however it is cut into pieces.
ReadResult Lines(const std::string& table, InputFormat format = InputFormat::kCsv,
                 std::size_t max_row_bytes = 1000) {
  const auto read = [&](std::size_t piece_bytes) {
    return ReadAll(
        *LinesOfTable(std::make_unique<PiecesSource>(table, piece_bytes), format, "t.csv", max_row_bytes));
  };
  ReadResult whole = read(table.size() + 1);
  for (const std::size_t piece_bytes : {1, 2, 3, 7}) {
    const ReadResult pieces = read(piece_bytes);
    EXPECT_EQ(pieces.bytes, whole.bytes) << piece_bytes;
    EXPECT_EQ(pieces.error, whole.error) << piece_bytes;
  }
  return whole;
}

// RETURNS: the lines of a table that has no error.
std::string LinesOf(const std::string& table, InputFormat format = InputFormat::kCsv) {
  ReadResult read = Lines(table, format);
  EXPECT_EQ(read.error, "");
  return read.bytes;
}

// RETURNS: the line of a broken row.
std::string Broken(const std::string& sentence, const std::string& object) {
  return std::string(1, kBrokenRowMark) + sentence + '\0' + object + '\n';
}

std::string ErrorIn(const std::string& table, InputFormat format = InputFormat::kCsv) {
  return Lines(table, format).error;
}

TEST(TableSource, RowsBecomeObjectsOfTexts) {
  EXPECT_EQ(LinesOf("id,expected,actual\n1,a,b\n2,c,d\n"),
            "{\"id\":\"1\",\"expected\":\"a\",\"actual\":\"b\"}\n"
            "{\"id\":\"2\",\"expected\":\"c\",\"actual\":\"d\"}\n");
  EXPECT_EQ(LinesOf("id\tactual\n1\ta,b;c\n", InputFormat::kTsv), "{\"id\":\"1\",\"actual\":\"a,b;c\"}\n");
}

TEST(TableSource, QuotedCellsHoldSeparatorsQuotesAndLineBreaks) {
  EXPECT_EQ(LinesOf("id,\"the \"\"x\"\"\",y\n1,\"{\"\"a\"\": [1, 2]}\",\"two\r\nlines\"\n"),
            "{\"id\":\"1\",\"the \\\"x\\\"\":\"{\\\"a\\\": [1, 2]}\",\"y\":\"two\\r\\nlines\"}\n");
  // Elsewhere, a quote is a character.
  EXPECT_EQ(LinesOf("id,actual\n1,5\" or 6\"\n2, \"x\"\n"),
            "{\"id\":\"1\",\"actual\":\"5\\\" or 6\\\"\"}\n{\"id\":\"2\",\"actual\":\" \\\"x\\\"\"}\n");
}

TEST(TableSource, EveryLineEndEndsARow) {
  const std::string lines = "{\"a\":\"1\",\"b\":\"2\"}\n{\"a\":\"3\",\"b\":\"4\"}\n";
  for (const std::string_view end : {"\n", "\r\n", "\r"}) {
    const std::string e(end);
    EXPECT_EQ(LinesOf("a,b" + e + "1,2" + e + "3,4" + e), lines);
    EXPECT_EQ(LinesOf("a,b" + e + "1,2" + e + "3,4"), lines);              // the last row may lack it
    EXPECT_EQ(LinesOf(e + "a,b" + e + e + "1,2" + e + e + "3,4"), lines);  // empty lines are no rows
  }
  EXPECT_EQ(LinesOf("a,b\n1,2\n3,\"4\""), lines);
}

TEST(TableSource, ACarriageReturnIsTextWhereRowsEndOtherwise) {
  const std::string lines = "{\"a\":\"1\",\"b\":\"x\\ry\"}\n{\"a\":\"2\",\"b\":\"z\\r\"}\n";
  EXPECT_EQ(LinesOf("a,b\n1,x\ry\n2,\"z\r\"\n"), lines);
  EXPECT_EQ(LinesOf("a,b\r\n1,x\ry\r\n2,\"z\r\"\r\n"), lines);
  EXPECT_EQ(LinesOf("a,b\n1,x\ry\n2,\"z\r\""), lines);
  EXPECT_EQ(LinesOf("a,b\nx\r,"), "{\"a\":\"x\\r\"}\n");
}

// Else a CR within an answer would end its row.
TEST(TableSource, RowsThatEndWithCrAndWithLfAreRefused) {
  const std::string error = ErrorIn("a,b\r1,x\ry\n2,z\n");
  EXPECT_NE(error.find("row 2 (line 3): the first row ends with CR and this one with LF"), error.npos)
      << error;
  EXPECT_EQ(ErrorIn("a,b\r1,x\r\n2,z\r"), "");  // an empty line
}

TEST(TableSource, EmptyCellsAndColumnsWithoutNameAreLeftOut) {
  EXPECT_EQ(LinesOf("id,expected,actual\n1,,x\n,\"\",\n"), "{\"id\":\"1\",\"actual\":\"x\"}\n{}\n");
  EXPECT_EQ(LinesOf(",id,\n0,1,x\n"), "{\"id\":\"1\"}\n");
  EXPECT_EQ(LinesOf("id\n\"\"\n\n1\n"), "{}\n{\"id\":\"1\"}\n");
  EXPECT_EQ(LinesOf("id,b\n1,"), "{\"id\":\"1\"}\n");
}

TEST(TableSource, AByteOrderMarkIsNoPartOfTheFirstName) {
  EXPECT_EQ(LinesOf("\xef\xbb\xbfid,a\n1,2\n"), "{\"id\":\"1\",\"a\":\"2\"}\n");
  EXPECT_EQ(LinesOf("\xef\xbb\xbf\"id\",a\n1,2\n"), "{\"id\":\"1\",\"a\":\"2\"}\n");
}

TEST(TableSource, TheFirstRowShowsTheSeparator) {
  EXPECT_EQ(LinesOf("id;a\n1;2,5\n"), "{\"id\":\"1\",\"a\":\"2,5\"}\n");
  EXPECT_EQ(LinesOf("id\ta\n1\t2,5\n"), "{\"id\":\"1\",\"a\":\"2,5\"}\n");
  EXPECT_EQ(LinesOf("id;\"a, b, c\"\n1;2\n"), "{\"id\":\"1\",\"a, b, c\":\"2\"}\n");
  EXPECT_EQ(LinesOf("a;b,c\n1,2\n"), "{\"a;b\":\"1\",\"c\":\"2\"}\n");  // as many: the comma
}

TEST(TableSource, NoTableNoLines) {
  for (const std::string_view table : {"", "\n\r\n", "id,actual", "id,actual\n", "\xef\xbb\xbf"}) {
    EXPECT_EQ(LinesOf(std::string(table)), "") << table;
  }
}

// The rows around them are read.
TEST(TableSource, BrokenRowsAreLinesThatSayWhy) {
  const std::string first = "{\"id\":\"1\",\"actual\":\"a\"}\n";
  const std::string last = "{\"id\":\"3\",\"actual\":\"c\"}\n";
  const auto expect = [&](const std::string& row, const std::string& sentence, const std::string& object) {
    EXPECT_EQ(LinesOf("id,actual\n1,a\n" + row + "\n3,c\n"), first + Broken(sentence, object) + last);
  };
  expect("2",
         "row 2 (line 3) has 1 cell, but the first row names 2 columns; quote each cell that holds a "
         "separator, a "
         "quote or a line break",
         "{\"id\":\"2\"}");
  expect("2,{\"b\": 1, \"c\": 2}",
         "row 2 (line 3) has 3 cells, but the first row names 2 columns; quote each cell that holds a "
         "separator, "
         "a quote or a line break",
         "{\"id\":\"2\",\"actual\":\"{\\\"b\\\": 1\"}");
  expect("2,\"b\" c",
         "row 2 (line 3), column \"actual\": text follows the closing quote; write each quote inside a cell "
         "as two",
         "{\"id\":\"2\",\"actual\":\"b c\"}");
  expect("2,\xe9t\xe9",
         "row 2 (line 3), column \"actual\": this is not UTF-8; write the table as UTF-8 (iconv -f LATIN1 -t "
         "UTF-8, "
         "if it is Latin 1)",
         "{\"id\":\"2\",\"actual\":\"\xef\xbf\xbdt\xef\xbf\xbd\"}");
  expect(std::string("2,b\0", 4),
         "row 2 (line 3), column \"actual\": a cell must not hold NUL bytes; write the table as UTF-8 text",
         "{\"id\":\"2\",\"actual\":\"b\\u0000\"}");
  expect("2,\"b\nb\",c",
         "row 2 (lines 3 to 4) has 3 cells, but the first row names 2 columns; quote each cell that holds a "
         "separator, a quote or a line break",
         "{\"id\":\"2\",\"actual\":\"b\\nb\"}");
}

TEST(TableSource, RowsHaveALimit) {
  for (const std::size_t bytes : {9, 10}) {
    const std::string text(bytes - 1, 'x');
    EXPECT_EQ(Lines("id,actual\n1," + text + "\n", InputFormat::kCsv, 10).bytes,
              "{\"id\":\"1\",\"actual\":\"" + text + "\"}\n");
  }
  EXPECT_EQ(
      Lines("id,actual\n1,xxxxxxxxxx\n2,y\n", InputFormat::kCsv, 10).bytes,
      Broken(
          "row 1 (line 2) has more than 10 bytes; give a higher --max-line-bytes (and --memory), or close a "
          "quote that was left open",
          "{\"id\":\"1\"}") +
          "{\"id\":\"2\",\"actual\":\"y\"}\n");
  // Cells without a column take no memory.
  EXPECT_EQ(
      Lines("id\n1,xxxxx,xxxxx,xxxxx\n", InputFormat::kCsv, 10).bytes,
      Broken("row 1 (line 2) has 4 cells, but the first row names 1 column; quote each cell that holds a "
             "separator, a quote or a line break",
             "{\"id\":\"1\"}"));
}

// An open quote may hold any number of rows.
TEST(TableSource, RowsThatCannotBeToldApartEndTheInput) {
  const ReadResult open = Lines("id,actual\n1,a\n2,\"b\n3,c\n4,d\n");
  EXPECT_EQ(open.error,
            "t.csv: row 2 (lines 3 to 6), column \"actual\": the quote that opens this cell is never closed, "
            "so the "
            "rows cannot be told apart; close it, and write each quote inside a cell as two");
  EXPECT_EQ(open.bytes, "{\"id\":\"1\",\"actual\":\"a\"}\n{\"id\":\"2\"");
  const ReadResult swallowed = Lines("id,actual\n1,a\n2,\"b\n3,c\n4,\"d\"\n5,e\n");
  EXPECT_EQ(
      swallowed.error,
      "t.csv: row 2 (lines 3 to 5), column \"actual\": text follows the closing quote of a cell with several "
      "lines, so the rows cannot be told apart; write each quote inside a cell as two");
  EXPECT_EQ(swallowed.bytes, "{\"id\":\"1\",\"actual\":\"a\"}\n{\"id\":\"2\"");
}

TEST(TableSource, TheFirstRowMustNameColumns) {
  EXPECT_EQ(ErrorIn("id,a,id\n1,2,3\n"), "t.csv: columns 1 and 3 both have the name \"id\"; rename one");
  EXPECT_EQ(ErrorIn("id,\xff\n1,2\n"),
            "t.csv: the name of column 2 is not UTF-8 text; write the table as UTF-8");
  EXPECT_EQ(ErrorIn("id,\"a\n1,2\n"),
            "t.csv: a quote in the first row is never closed; write each quote inside a name as two");
  for (const std::string names : {"id\"x,\"a\n1,2\n", "a\"b,c\n1,2\"3\n4,5\n", "a\"b,c\n1,2\n"}) {
    EXPECT_EQ(ErrorIn(names),
              "t.csv: a quote in the first row is never closed; write each quote inside a name as two");
  }
  for (const std::string before : {"", "\n", "\r\n\r\n"}) {
    EXPECT_EQ(ErrorIn(before + "id,\"a\"b\n1,2\n"),
              "t.csv: in the first row, which names the columns, text follows a closing quote");
  }
  EXPECT_EQ(ErrorIn(",,\n1,2,3\n"),
            "t.csv: the first row names no column; put the names of the fields there");
  EXPECT_TRUE(ErrorIn("{\"id\": 1, \"actual\": 2}\n").find("--input-format jsonl") != std::string::npos);
  EXPECT_TRUE(ErrorIn("[{\"id\": 1, \"actual\": 2}]\n").find("--input-format json") != std::string::npos);
  EXPECT_TRUE(ErrorIn(std::string("\xff\xfei\0d\0\n\0", 8)).find("UTF-16") != std::string::npos);
  EXPECT_TRUE(ErrorIn("PK\x03\x04\n").find("zip archive") != std::string::npos);
  const std::string name((1 << 20) - 1, 'n');
  const auto error_in = [](const std::string& table) {
    return ReadAll(*LinesOfTable(std::make_unique<PiecesSource>(table, 1 << 16), InputFormat::kCsv, "t.csv",
                                 1000))
        .error;
  };
  EXPECT_EQ(error_in(name + "\n"), "");
  EXPECT_EQ(error_in("n" + name + "\n"), "");
  EXPECT_TRUE(error_in("nn" + name + "\n").ends_with("has more than 1048576 bytes"));
}

// As the records of a batch, for the whole way.
class TableReading : public testing::Test {
 protected:
  // RETURNS: for each record, its text or why it was rejected.
  std::vector<std::string> Records(const std::string& name, const std::string& bytes,
                                   InputFormat format = InputFormat::kAuto) {
    WriteFile(dir_ / name, bytes);
    ReaderOptions options;
    options.format = format;
    options.ranges = true;
    options.max_line_bytes = 100;
    RecordReader reader({dir_ / name}, options);
    std::vector<std::string> records;
    error_.clear();
    try {
      for (RecordBatch batch; reader.Next(batch);) {
        EXPECT_EQ(batch.first_record_in_input, records.size() + 1);
        for (const RecordSpan& span : batch.records) {
          const std::string text(batch.Text(span));
          records.push_back(span.reject == RejectReason::kNone
                                ? text
                                : std::string(RejectReasonName(span.reject)) + " " + text);
        }
      }
    } catch (const Error& error) {
      error_ = error.what();
    }
    EXPECT_TRUE(error_.empty() ? reader.checksum(0).Text() == BlockChecksumOf(bytes) : true);
    return records;
  }

  TempDir dir_;
  std::string error_;
};

using Texts = std::vector<std::string>;

TEST_F(TableReading, NamesAndOptionsTellTables) {
  const std::string table = "id,a\n1,x\n2\n3,y\n";
  const Texts records = {"{\"id\":\"1\",\"a\":\"x\"}", "invalid_row {\"id\":\"2\"}",
                         "{\"id\":\"3\",\"a\":\"y\"}"};
  EXPECT_EQ(Records("t.csv", table), records);
  EXPECT_EQ(Records("t.CSV", table), records);
  EXPECT_EQ(Records("t.csv.gz", Gzip(table)), records);
  EXPECT_EQ(Records("t.csv.zst", Zstd(table)), records);
  EXPECT_EQ(Records("t.data", table, InputFormat::kCsv), records);
  std::string tabs = table;
  std::ranges::replace(tabs, ',', '\t');
  EXPECT_EQ(Records("t.tsv", tabs), records);
  EXPECT_EQ(Records("t.txt", tabs, InputFormat::kTsv), records);
  EXPECT_EQ(Records("t.jsonl", "\x1e{\"id\":1}\n"), Texts{"\x1e{\"id\":1}"});  // no broken row
}

TEST_F(TableReading, ErrorsKeepTheRecordsBeforeThem) {
  EXPECT_EQ(Records("t.csv", "id,a\n1,x\n2,\"y\n"),
            (Texts{"{\"id\":\"1\",\"a\":\"x\"}", "truncated_input {\"id\":\"2\""}));
  EXPECT_TRUE(error_.find("t.csv: row 2 (lines 3 to 4), column \"a\"") != std::string::npos) << error_;
  const std::string cut = Gzip("id,a\n1,x\n2,yyyyyy\n").substr(0, 30);
  Records("t.csv.gz", cut);
  EXPECT_TRUE(error_.find("is damaged at compressed byte") != std::string::npos) << error_;
}

// Damage explains a first row that makes no sense.
TEST_F(TableReading, DamageIsToldBeforeAStrangeTable) {
  std::string damaged = Gzip("id,id\n1,x\n2,yyyyyy\n");
  damaged[damaged.size() - 5] ^= 1;  // the checksum
  EXPECT_TRUE(Records("t.csv.gz", damaged).empty());
  EXPECT_TRUE(error_.find("is damaged at compressed byte") != std::string::npos) << error_;
}

TEST_F(TableReading, LongRowsAndLongLinesAreRejected) {
  const Texts records =
      Records("t.csv", "id,a\n1," + std::string(95, 'x') + "\n2," + std::string(200, 'y') + "\n3,z\n");
  ASSERT_EQ(records.size(), 3u);
  EXPECT_TRUE(records[0].starts_with("line_too_long {\"id\":\"1\",\"a\":\"xxx")) << records[0];
  EXPECT_EQ(records[1], "invalid_row {\"id\":\"2\"}");
  EXPECT_EQ(records[2], "{\"id\":\"3\",\"a\":\"z\"}");
}

}  // namespace
}  // namespace leafscore::internal
