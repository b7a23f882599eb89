#include "engine/io/record_reader.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <ostream>
#include <thread>

#include "tests/io/io_test_util.h"

namespace leafscore::internal {
namespace {

// Gives `text` in pieces of at most `piece_bytes`, then ends or breaks.
class FakeSource final : public ByteSource {
 public:
  FakeSource(std::string text, std::size_t piece_bytes, bool breaks)
      : text_(std::move(text)), piece_bytes_(piece_bytes), breaks_(breaks) {}

  std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline) override {
    const std::size_t n = std::min({out.size(), piece_bytes_, text_.size() - taken_});
    if (n == 0 && breaks_) throw Error(ErrorCode::kInput, "broken");
    std::memcpy(out.data(), text_.data() + taken_, n);
    taken_ += n;
    return n;
  }
  std::uint64_t consumed_bytes() const noexcept override { return taken_; }

 private:
  std::string text_;
  std::size_t piece_bytes_;
  bool breaks_;
  std::size_t taken_ = 0;
};

struct Record {
  std::string text;
  std::uint64_t offset = 0;
  RejectReason reject = RejectReason::kNone;

  bool operator==(const Record&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Record& record) {
  return out << '"' << record.text << "\" at " << record.offset << " " << RejectReasonName(record.reject);
}

struct Outcome {
  std::vector<Record> records;
  std::string error;
};

// Reads everything, and checks what holds for every batch.
Outcome ReadAllRecords(RecordReader& reader) {
  Outcome outcome;
  RecordBatch batch;
  std::uint64_t in_input = 0;
  std::uint32_t input = 0;
  try {
    while (reader.Next(batch)) {
      if (batch.input != input) in_input = 0;
      input = batch.input;
      EXPECT_FALSE(batch.records.empty());
      EXPECT_EQ(batch.first_record_in_input, in_input + 1);
      EXPECT_EQ(batch.first_record_in_run, outcome.records.size() + 1);
      EXPECT_GE(batch.bytes.size(), batch.data_end + kTextPadding);
      const std::string zeros(kTextPadding, '\0');
      EXPECT_EQ(std::string(batch.bytes.data(), kTextPadding), zeros);
      EXPECT_EQ(std::string(batch.bytes.data() + batch.data_end, kTextPadding), zeros);
      std::uint32_t end = RecordBatch::kDataBegin;
      for (const RecordSpan& record : batch.records) {
        EXPECT_GE(record.begin, end);
        EXPECT_GE(record.end, record.begin);
        EXPECT_LE(record.end, batch.data_end);
        end = record.end;
        outcome.records.push_back({std::string(batch.Text(record)), batch.OffsetOf(record), record.reject});
      }
      in_input += batch.records.size();
    }
  } catch (const Error& error) {
    outcome.error = error.what();
  }
  return outcome;
}

struct Reading {
  std::size_t batch_bytes = 1 << 20;
  std::size_t max_line_bytes = 1 << 20;
  std::size_t piece_bytes = 1 << 20;
  bool breaks = false;
  InputFormat format = InputFormat::kAuto;
  std::string error = {};
};

Outcome ReadText(const std::string& text, const Reading& reading = {}) {
  ReaderOptions options;
  options.batch_bytes = reading.batch_bytes;
  options.max_line_bytes = reading.max_line_bytes;
  options.format = reading.format;
  options.open = [&](const std::string&) {
    return std::make_unique<FakeSource>(text, reading.piece_bytes, reading.breaks);
  };
  RecordReader reader({"input"}, options);
  return ReadAllRecords(reader);
}

// Expects these records whatever the sizes of batches and pieces.
void ExpectRecords(const std::string& text, const std::vector<Record>& expected, Reading reading = {}) {
  SCOPED_TRACE(text.substr(0, 200));
  for (std::size_t size = 1; size <= 130; ++size) {
    reading.batch_bytes = size;
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
      reading.piece_bytes = piece;
      const Outcome outcome = ReadText(text, reading);
      ASSERT_EQ(outcome.records, expected) << "batch_bytes " << size << ", pieces of " << piece;
      ASSERT_EQ(outcome.error, reading.breaks ? "broken" : reading.error);
    }
  }
}

constexpr RejectReason kTooLong = RejectReason::kLineTooLong;
constexpr RejectReason kTruncated = RejectReason::kTruncatedInput;
constexpr RejectReason kInvalid = RejectReason::kInvalidJson;

TEST(RecordReader, SplitsLines) {
  ExpectRecords("", {});
  ExpectRecords("\n", {});
  ExpectRecords("a", {{"a", 0}});
  ExpectRecords("a\n", {{"a", 0}});
  ExpectRecords("{\"a\":1}\n{\"b\":2}\n", {{"{\"a\":1}", 0}, {"{\"b\":2}", 8}});
  ExpectRecords("{\"a\":1}\n{\"b\":2}", {{"{\"a\":1}", 0}, {"{\"b\":2}", 8}});
  ExpectRecords("{1}\r\n{2}\r\n", {{"{1}", 0}, {"{2}", 5}});
  ExpectRecords("{1}\n \t\r\n\n\n{2}\n  ", {{"{1}", 0}, {"{2}", 10}});
  ExpectRecords(" \n\r\n  {1} \t\n {2}\n", {{"{1}", 6}, {"{2}", 13}});
  ExpectRecords("{1}\n[2]\n", {{"{1}", 0}, {"[2]", 4}});
}

TEST(RecordReader, SkipsAByteOrderMarkAtTheStartOnly) {
  ExpectRecords("\xef\xbb\xbf", {});
  ExpectRecords("\xef\xbb\xbf{1}\n\xef\xbb\xbf{2}\n", {{"{1}", 3}, {"\xef\xbb\xbf{2}", 7}});
  ExpectRecords("\xef\xbb\xbf\n [1]", {{"1", 6}});
  ExpectRecords("\xef\xbb", {{"\xef\xbb", 0}});
  ExpectRecords("\xef\n{}", {{"\xef", 0}, {"{}", 2}});
}

TEST(RecordReader, SplitsLinesOfEveryLengthAtEveryPlace) {
  std::string text;
  std::vector<Record> expected;
  for (std::size_t length = 1; length <= 140; ++length) {
    expected.push_back({std::string(length, static_cast<char>('a' + length % 26)), text.size()});
    text += expected.back().text + (length % 3 == 0 ? "\r\n" : "\n");
  }
  ExpectRecords(text, expected);
}

TEST(RecordReader, RejectsLinesAboveTheLimit) {
  for (const std::size_t limit : {std::size_t{2}, std::size_t{9}, std::size_t{64}, std::size_t{250}}) {
    Reading reading;
    reading.max_line_bytes = limit;
    const std::string head(std::min(limit, std::size_t{200}), 'x');
    const std::string first = std::string(limit - 1, 'x') + "\n";
    const std::string second = std::string(limit, 'x') + "\n";
    const std::string third = std::string(limit + 1, 'x') + "\n";
    const std::uint64_t third_offset = first.size() + second.size();
    const std::uint64_t fourth_offset = third_offset + third.size();
    ExpectRecords(first + second + third + "y\n",
                  {{std::string(limit - 1, 'x'), 0},
                   {std::string(limit, 'x'), first.size()},
                   {head, third_offset, kTooLong},
                   {"y", fourth_offset}},
                  reading);
    ExpectRecords(std::string(limit + 1, 'x'), {{head, 0, kTooLong}}, reading);
    ExpectRecords(std::string(limit, 'x'), {{std::string(limit, 'x'), 0}}, reading);
    ExpectRecords("y\n" + std::string(limit + 1, ' ') + "\nz",
                  {{"y", 0}, {std::string(head.size(), ' '), 2, kTooLong}, {"z", limit + 4}}, reading);
  }
}

TEST(RecordReader, SkipsALineOfManyBuffersWithoutHoldingIt) {
  Reading reading{.batch_bytes = 100, .max_line_bytes = 50, .piece_bytes = 7, .breaks = false};
  const std::string text = "a\n" + std::string(100'000, 'x') + "\nb\n" + std::string(100'000, 'y');
  ReaderOptions options;
  options.batch_bytes = reading.batch_bytes;
  options.max_line_bytes = reading.max_line_bytes;
  options.format.reset();  // which would be looked for in more
  options.open = [&](const std::string& input) {
    return std::make_unique<FakeSource>(input, reading.piece_bytes, false);
  };
  RecordReader reader({text}, options);
  RecordBatch batch;
  std::vector<Record> records;
  while (reader.Next(batch)) {
    EXPECT_LE(batch.bytes.capacity(), 64u + 100 + 64);
    for (const RecordSpan& record : batch.records) {
      records.push_back({std::string(batch.Text(record)), batch.OffsetOf(record), record.reject});
    }
  }
  EXPECT_EQ(records, (std::vector<Record>{{"a", 0},
                                          {std::string(50, 'x'), 2, kTooLong},
                                          {"b", 100'003},
                                          {std::string(50, 'y'), 100'005, kTooLong}}));
  EXPECT_EQ(reader.consumed_bytes(), text.size());
}

TEST(RecordReader, DeliversWhatCameBeforeABreak) {
  Reading reading;
  reading.breaks = true;
  ExpectRecords("", {}, reading);
  ExpectRecords("{1}\n", {{"{1}", 0}}, reading);
  ExpectRecords("{1}\n  \t", {{"{1}", 0}}, reading);
  ExpectRecords("{1}\n{2}\n{3", {{"{1}", 0}, {"{2}", 4}, {"{3", 8, kTruncated}}, reading);
  ExpectRecords("{1}\n{" + std::string(500, 'x'), {{"{1}", 0}, {"{" + std::string(199, 'x'), 4, kTruncated}},
                reading);
  ExpectRecords("[{1}, {2", {{"{1}", 1}, {"{2", 6, kTruncated}}, reading);
  ExpectRecords("[{1}] ", {{"{1}", 1}}, reading);
  reading.max_line_bytes = 3;
  ExpectRecords("{1}\n{234", {{"{1}", 0}, {"{23", 4, kTooLong}}, reading);
}

TEST(RecordReader, ThrowsABreakAgainOnEveryLaterCall) {
  ReaderOptions options;
  options.open = [](const std::string& input) { return std::make_unique<FakeSource>(input, 10, true); };
  RecordReader reader({"a\n", "b\n"}, options);
  RecordBatch batch;
  EXPECT_TRUE(reader.Next(batch));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ErrorOf(ErrorCode::kInput, [&] { reader.Next(batch); }), "broken");
}

TEST(RecordReader, SplitsArrays) {
  ExpectRecords("[]", {});
  ExpectRecords(" \n[ \r\n ]\n", {});
  ExpectRecords("[{\"a\":1}]", {{"{\"a\":1}", 1}});
  ExpectRecords("[\n  {\n    \"a\": 1\n  },\n  {}\n]\n", {{"{\n    \"a\": 1\n  }", 4}, {"{}", 24}});
  ExpectRecords("[1 , [2, [3, {\"x\": [4]}]] ,\"a,b\", null]",
                {{"1", 1}, {"[2, [3, {\"x\": [4]}]]", 5}, {"\"a,b\"", 27}, {"null", 34}});
  ExpectRecords(R"([{"a":"]},{["}, "\"", "\\", "\\\"],", {"\\\\":"\\\\\""}])",
                {{R"({"a":"]},{["})", 1},
                 {R"("\"")", 16},
                 {R"("\\")", 22},
                 {R"("\\\"],")", 28},
                 {R"({"\\\\":"\\\\\""})", 38}});
}

TEST(RecordReader, ReportsNothingBetweenCommasAsARecord) {
  ExpectRecords("[1,,2]", {{"1", 1}, {"", 3, kInvalid}, {"2", 4}});
  ExpectRecords("[ , 1]", {{"", 2, kInvalid}, {"1", 4}});
  ExpectRecords("[1, ]", {{"1", 1}, {"", 4, kInvalid}});
  ExpectRecords("[,]", {{"", 1, kInvalid}, {"", 2, kInvalid}});
}

// Expects these records, then the fault at this byte.
void ExpectFault(const std::string& text, const std::vector<Record>& records, std::size_t byte,
                 const std::string& fault, InputFormat format = InputFormat::kJsonArray) {
  Reading reading;
  reading.format = format;
  reading.error = "input, byte " + std::to_string(byte) + ": " + fault;
  ExpectRecords(text, records, reading);
}

TEST(RecordReader, EndsWhereAnArrayIsBroken) {
  const std::string no_comma = "neither a comma nor ] follows an element of the array of records";
  ExpectFault("[{1} {2}, {3}]", {{"{1}", 1}}, 5, no_comma);
  ExpectFault("[{1}}, {3}]", {{"{1}", 1}}, 4, no_comma);
  ExpectFault("[{1}\n{2}\n{3}\n", {{"{1}", 1}}, 5, no_comma);
  ExpectFault("[7 {1}, {3} {4}]", {{"7 {1}", 1}, {"{3}", 8}}, 12, no_comma);
  const std::string behind =
      "text follows the array of records; if each line is a record, say --input-format jsonl";
  ExpectFault("[{1}] \n]", {{"{1}", 1}}, 7, behind);
  ExpectFault("[{1}]\n{2}\n{3}\n", {{"{1}", 1}}, 6, behind);
  ExpectFault("[] " + std::string(1000, 'x'), {}, 3, behind);
  const std::string open =
      "the array of records is not closed; if each line is a record, say --input-format jsonl";
  ExpectFault("[", {{"", 1, kTruncated}}, 1, open);
  ExpectFault("[1", {{"1", 1, kTruncated}}, 2, open);
  ExpectFault("[1, ", {{"1", 1}, {"", 4, kTruncated}}, 4, open);
  ExpectFault("[{1}  ", {{"{1}", 1, kTruncated}}, 6, open);
  ExpectFault("[1, {\"a\": \"]\n ", {{"1", 1}, {"{\"a\": \"]", 4, kTruncated}}, 14, open);
}

// Before, whatever began with [ was an array, and all behind its end was one rejected record.
TEST(RecordReader, AFileIsAnArrayOnlyWhenItIsOneWholeArray) {
  ExpectRecords("[1]\n{2}\n{3}\n", {{"[1]", 0}, {"{2}", 4}, {"{3}", 8}});
  ExpectRecords("\n[{1},{2}] \r\n \n{3}", {{"[{1},{2}]", 1}, {"{3}", 15}});
  ExpectRecords("[]\n[]\n", {{"[]", 0}, {"[]", 3}});
  ExpectRecords("[{1}]\n \r\n\n", {{"{1}", 1}});
  ExpectRecords("[\n{1}\n]", {{"{1}", 2}});
  ExpectRecords("[{1},\n{2}]\n", {{"{1}", 1}, {"{2}", 6}});
  ExpectFault("[{1},\n{2}]\n{3}\n", {{"{1}", 1}, {"{2}", 6}}, 11,
              "text follows the array of records; if each line is a record, say --input-format jsonl",
              InputFormat::kAuto);
}

// A first line that is longer is an array, whose end is then not the input's: a fault, so nothing is lost.
TEST(RecordReader, AFirstLineIsLookedAtAsFarAsTheLookAhead) {
  for (const std::size_t max_line_bytes : {std::size_t{50}, std::size_t{1} << 20}) {
    const std::size_t look_ahead = kFormatLookAhead.default_value;
    for (const int more : {-1, 0, 1}) {
      // The line break and what follows it are the last two bytes that are seen, or not all of them.
      const std::string array = "[" + std::string(look_ahead + static_cast<std::size_t>(more) - 4, ' ') + "]";
      for (const std::size_t batch_bytes : {1, 1000, 1 << 20}) {
        SCOPED_TRACE(std::to_string(look_ahead) + ", " + std::to_string(more));
        const Outcome outcome =
            ReadText(array + "\n7",
                     {.batch_bytes = batch_bytes, .max_line_bytes = max_line_bytes, .piece_bytes = 999});
        if (more <= 0) {
          ASSERT_EQ(outcome.records.size(), 2u);
          EXPECT_EQ(outcome.records[1], (Record{"7", array.size() + 1}));
          EXPECT_EQ(outcome.records[0].reject,
                    max_line_bytes < array.size() ? RejectReason::kLineTooLong : RejectReason::kNone);
          EXPECT_EQ(outcome.error, "");
        } else {
          EXPECT_TRUE(outcome.records.empty());
          EXPECT_NE(outcome.error.find("text follows the array of records"), std::string::npos);
        }
      }
    }
  }
}

TEST(RecordReader, TheFormatAskedForIsTaken) {
  Reading reading;
  reading.format = InputFormat::kJsonLines;
  ExpectRecords("[{1}]", {{"[{1}]", 0}}, reading);
  ExpectRecords("[{1},\n{2}]", {{"[{1},", 0}, {"{2}]", 6}}, reading);
  reading.format = InputFormat::kJsonArray;
  ExpectRecords("[{1}]", {{"{1}", 1}}, reading);
  ExpectRecords("\xef\xbb\xbf \n", {}, reading);
  ExpectFault("{1}\n", {}, 0,
              "this is no JSON array, which begins with [; leave out --input-format json for JSON Lines");
}

TEST(RecordReader, NamesOfLinesAreLines) {
  const TempDir dir;
  for (const std::string name : {"a.jsonl", "a.ndjson", "a.jsonl.gz", "a.ndjson.zst"}) {
    WriteFile(dir / name, "[{1}]\n");
    RecordReader reader({dir / name}, {});
    EXPECT_EQ(ReadAllRecords(reader).records, (std::vector<Record>{{"[{1}]", 0}})) << name;
  }
  for (const std::string name : {"a.json", "a", "jsonl", "a.jsonl.bak"}) {
    WriteFile(dir / name, "[{1}]\n");
    RecordReader reader({dir / name}, {});
    EXPECT_EQ(ReadAllRecords(reader).records, (std::vector<Record>{{"{1}", 1}})) << name;
  }
}

TEST(RecordReader, RejectsElementsAboveTheLimit) {
  for (const std::size_t limit : {std::size_t{9}, std::size_t{64}, std::size_t{250}}) {
    Reading reading;
    reading.max_line_bytes = limit;
    const auto element = [](std::size_t size) { return "\"" + std::string(size - 2, '\\') + "\""; };
    const std::size_t even = limit - limit % 2;  // an even number of backslashes keeps the string closed
    const std::string fits = element(even);
    const std::string above = element(even + 2);
    const std::string head = above.substr(0, std::min(limit, std::size_t{200}));
    ExpectRecords(
        "[" + fits + "," + above + ",1," + above + "]",
        {{fits, 1}, {head, even + 2, kTooLong}, {"1", 2 * even + 5}, {head, 2 * even + 7, kTooLong}},
        reading);
    const std::string spaces = "1" + std::string(limit, ' ');
    ExpectRecords("[" + spaces + ",2]", {{spaces.substr(0, head.size()), 1, kTooLong}, {"2", limit + 3}},
                  reading);
    const std::string exact(limit, '7');
    ExpectRecords("[" + exact + "]", {{exact, 1}}, reading);
    ExpectRecords("[" + exact + "7]", {{exact.substr(0, 200), 1, kTooLong}}, reading);
    Reading open = reading;
    open.error = "input, byte " + std::to_string(limit + 2) +
                 ": the array of records is not closed; if each line is a record, say --input-format jsonl";
    ExpectRecords("[" + exact + "7", {{exact.substr(0, 200), 1, kTooLong}}, open);
    ExpectRecords("[{" + std::string(1000, '[') + std::string(1000, ']') + "},1]",
                  {{"{" + std::string(std::min(limit, std::size_t{200}) - 1, '['), 1, kTooLong}, {"1", 2004}},
                  reading);
    ExpectRecords("[" + std::string(1000, ' ') + "1,2]", {{"1", 1001}, {"2", 1003}}, reading);
  }
}

TEST(RecordReader, NeverAcceptsAnArrayCutAnywhere) {
  const std::string text = "\n[ {\"a\": \"x\\\"y\"}, {\"b\": [1, {\"c\": \"]\"}]},\n {} ]\n";
  const std::vector<Record> whole = ReadText(text).records;
  ASSERT_EQ(whole.size(), 3u);
  for (std::size_t cut = 2; cut + 1 < text.size(); ++cut) {
    for (const bool breaks : {false, true}) {
      for (std::size_t batch_bytes = 1; batch_bytes <= 60; batch_bytes += 7) {
        const Reading reading{
            .batch_bytes = batch_bytes, .max_line_bytes = 1000, .piece_bytes = 5, .breaks = breaks};
        const Outcome outcome = ReadText(text.substr(0, cut), reading);
        EXPECT_NE(outcome.error, "") << cut;
        std::vector<Record> records = outcome.records;
        ASSERT_FALSE(records.empty()) << cut;
        EXPECT_EQ(records.back().reject, kTruncated) << cut;
        records.pop_back();
        ASSERT_LE(records.size(), whole.size());
        EXPECT_TRUE(std::equal(records.begin(), records.end(), whole.begin())) << cut;
      }
    }
  }
}

// The obvious second implementations: the whole text at once, a byte at a time.

std::vector<Record> SlowLines(const std::string& text, std::size_t limit) {
  std::vector<Record> records;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const std::size_t first = line.find_first_not_of(" \t\r");
    const std::size_t last = line.find_last_not_of(" \t\r");
    if (line.size() > limit) {
      records.push_back({line.substr(0, limit), begin, kTooLong});
    } else if (first != std::string::npos) {
      records.push_back({line.substr(first, last - first + 1), begin + first});
    }
    begin = end + 1;
  }
  return records;
}

// And whether the array is whole.
std::pair<std::vector<Record>, bool> SlowArray(const std::string& text, std::size_t limit) {
  std::vector<Record> records;
  const auto skip_space = [&](std::size_t i) {
    return std::min(text.find_first_not_of(" \n", i), text.size());
  };
  const auto add = [&](std::size_t begin, std::size_t end, RejectReason reject) {
    std::string element = text.substr(begin, end - begin);
    if (element.size() > limit) {
      reject = kTooLong;
    } else {
      element.erase(element.find_last_not_of(" \n") + 1);
    }
    if (reject != RejectReason::kNone) element.resize(std::min(element.size(), limit));
    records.push_back({element, begin, reject});
  };
  bool after_comma = false;
  for (std::size_t i = skip_space(1);; i = skip_space(i + 1)) {
    const std::size_t begin = i;
    int depth = 0;
    bool in_string = false;
    bool escaped = false;
    bool value_ended = false;
    for (; i < text.size() && !value_ended; ++i) {
      const char c = text[i];
      const bool was_escaped = escaped;
      escaped = c == '\\' && !was_escaped;
      if (c == '"' && !was_escaped) in_string = !in_string;
      if (in_string) continue;
      if (depth == 0 && (c == ',' || c == ']')) break;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && depth > 0) value_ended = --depth == 0;
    }
    if (value_ended) i = skip_space(i);
    if (i == text.size()) {
      add(begin, i, kTruncated);
      return {records, false};
    }
    if (i == begin && (after_comma || text[i] == ',')) {
      add(begin, i, kInvalid);
    } else if (i != begin) {
      add(begin, i, RejectReason::kNone);
    }
    if (text[i] != ',' && text[i] != ']') return {records, false};
    after_comma = text[i] == ',';
    if (!after_comma) return {records, skip_space(i + 1) == text.size()};
  }
}

std::uint64_t NextRandom(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33;
}

TEST(RecordReader, AgreesWithASlowReferenceOnRandomLines) {
  std::uint64_t state = 42;
  for (int round = 0; round < 300; ++round) {
    constexpr std::string_view kAlphabet = "\n\n\r \tab{}[]\",\\";
    std::string text = "{}\n";  // so that it looks like JSON Lines
    while (text.size() < 400) text += kAlphabet[NextRandom(state) % kAlphabet.size()];
    for (const std::size_t batch_bytes : {1, 2, 3, 7, 13, 14, 64, 500}) {
      const Reading reading{
          .batch_bytes = batch_bytes, .max_line_bytes = 12, .piece_bytes = 11, .breaks = false};
      ASSERT_EQ(ReadText(text, reading).records, SlowLines(text, 12)) << text;
    }
  }
}

TEST(RecordReader, AgreesWithASlowReferenceOnRandomArrays) {
  std::uint64_t state = 43;
  constexpr InputFormat kArray = InputFormat::kJsonArray;
  std::size_t good = 0;
  for (int round = 0; round < 3000; ++round) {
    // Mostly well-nested: pieces rather than bytes.
    std::string text = "[";
    const std::size_t size = 1 + static_cast<std::size_t>(round) % 400;
    while (text.size() < size) {
      constexpr std::string_view kPieces[] = {"{",
                                              "}",
                                              "{}",
                                              "[1]",
                                              ",",
                                              ",",
                                              " ",
                                              "\n",
                                              "12",
                                              "\"a\"",
                                              "\"",
                                              "\\\"",
                                              "\"\\\\\"",
                                              "\\",
                                              "]",
                                              "[1,2",
                                              "]",
                                              ", ",
                                              "                              ",
                                              "{\"k\"",
                                              "\"}],{[\"",
                                              ",{},"};
      text += kPieces[NextRandom(state) % std::size(kPieces)];
    }
    const auto [expected, is_whole] = SlowArray(text, 70);
    for (const Record& record : expected) good += record.reject == RejectReason::kNone ? 1 : 0;
    for (const std::size_t batch_bytes : {1, 5, 63, 64, 65, 128, 500}) {
      const Reading reading{
          .batch_bytes = batch_bytes, .max_line_bytes = 70, .piece_bytes = 50, .format = kArray};
      const Outcome outcome = ReadText(text, reading);
      ASSERT_EQ(outcome.records, expected) << text;
      ASSERT_EQ(outcome.error.empty(), is_whole) << text;
    }
  }
  EXPECT_GT(good, 1000u);
}

TEST(RecordReader, ReadsSeveralFilesAndCountsThem) {
  const TempDir dir;
  WriteFile(dir / "a", "{1}\n{2}");
  WriteFile(dir / "empty", "");
  WriteFile(dir / "b.gz", Gzip("[{3},{4}]"));
  WriteFile(dir / "c.zst", Zstd("{5}\n"));
  RecordReader reader({dir / "a", dir / "empty", dir / "b.gz", dir / "c.zst"}, {});
  RecordBatch batch;
  std::string seen;
  while (reader.Next(batch)) {
    for (std::size_t i = 0; i < batch.records.size(); ++i) {
      seen += std::to_string(batch.input) + ":" + std::to_string(batch.first_record_in_input + i) + ":" +
              std::to_string(batch.first_record_in_run + i) + ":" +
              std::string(batch.Text(batch.records[i])) + " ";
    }
  }
  EXPECT_EQ(seen, "0:1:1:{1} 0:2:2:{2} 2:1:3:{3} 2:2:4:{4} 3:1:5:{5} ");
  ASSERT_TRUE(reader.total_bytes().has_value());
  EXPECT_EQ(reader.consumed_bytes(), *reader.total_bytes());
}

TEST(RecordReader, FindsAMissingInputBeforeReadingTheFirst) {
  const TempDir dir;
  WriteFile(dir / "a", "{1}\n");
  EXPECT_EQ(ErrorOf(ErrorCode::kInput,
                    [&] {
                      RecordReader({dir / "a", dir / "none"}, {});
                    }),
            "cannot read " + (dir / "none") + ": No such file or directory");
  EXPECT_NE(ErrorOf(ErrorCode::kUsage, [] { RecordReader({"-", "-"}, {}); }), "");
}

TEST(RecordReader, ReportsTruncatedCompressedInputAfterItsRecords) {
  const TempDir dir;
  std::string text;
  for (int i = 0; i < 50; ++i) text += "{\"id\":" + std::to_string(i * i) + "}\n";
  for (const std::string& whole : {Gzip(text), Zstd(text)}) {
    for (std::size_t cut = 4; cut < whole.size(); ++cut) {
      WriteFile(dir / "x", whole.substr(0, cut));
      RecordReader reader({dir / "x"}, {});
      const Outcome outcome = ReadAllRecords(reader);
      EXPECT_NE(outcome.error, "");
      for (const Record& record : outcome.records) {
        const bool is_last = &record == &outcome.records.back();
        EXPECT_TRUE(record.reject == RejectReason::kNone || (is_last && record.reject == kTruncated));
        EXPECT_EQ(text.substr(record.offset, record.text.size()), record.text);
      }
    }
  }
}

// Damage changes text before a checksum tells it: how near they are must not decide which of them is told.
TEST(RecordReader, TellsThatACompressedArrayIsDamagedRatherThanWhatCameOfThat) {
  const TempDir dir;
  const std::string text = "[{\"a\": 1}, {\"b\": 2} 3]" + std::string(500'000, ' ');
  const std::string path = dir / "in.json.gz";
  const auto read = [&](std::size_t batch_bytes, unsigned threads) {
    ReaderOptions options;
    options.batch_bytes = batch_bytes;
    options.unpack_threads = threads;
    RecordReader reader({path}, options);
    const Outcome outcome = ReadAllRecords(reader);
    EXPECT_EQ(outcome.records, (std::vector<Record>{{"{\"a\": 1}", 1}, {"{\"b\": 2}", 11}}));
    EXPECT_EQ(reader.decoded_bytes(), 20u);
    return outcome.error;
  };
  for (const std::size_t batch_bytes : {100u, 64'000u, 1'000'000u}) {
    for (const unsigned threads : {1u, 2u, 4u}) {
      WriteFile(path, Gzip(text));
      EXPECT_EQ(read(batch_bytes, threads),
                path + ", byte 20: neither a comma nor ] follows an element of the array of records");
      std::string damaged = Gzip(text);
      damaged[damaged.size() - 8] ^= 1;  // of the checksum
      WriteFile(path, damaged);
      EXPECT_EQ(read(batch_bytes, threads), path + " is damaged at compressed byte " +
                                                std::to_string(damaged.size() - 8) +
                                                ": incorrect data check; fetch or make it again");
    }
  }
}

TEST(RecordReader, StopsWhenAsked) {
  std::atomic<bool> stop = false;
  ReaderOptions options;
  options.stop = &stop;
  options.batch_bytes = 1;
  options.open = [](const std::string& input) { return std::make_unique<FakeSource>(input, 1, false); };
  RecordReader reader({"1\n2\n3\n"}, options);
  RecordBatch batch;
  EXPECT_TRUE(reader.Next(batch));
  stop = true;
  EXPECT_FALSE(reader.Next(batch));
}

TEST(RecordReader, StopsWhileItWaitsForAPipe) {
  const TempDir dir;
  ASSERT_EQ(mkfifo((dir / "fifo").c_str(), 0600), 0);
  std::atomic<bool> stop = false;
  ReaderOptions options;
  options.stop = &stop;
  RecordReader reader({dir / "fifo"}, options);
  std::ofstream writer;
  std::thread stopper([&] {
    writer.open(dir / "fifo");
    writer << "{\"half\": " << std::flush;  // and the writer stays open
    stop = true;
  });
  RecordBatch batch;
  EXPECT_FALSE(reader.Next(batch));
  stopper.join();
}

// Gives its pieces one by one; after each there is nothing for now.
class SlowSource final : public ByteSource {
 public:
  explicit SlowSource(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}

  std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline deadline) override {
    if (paused_ && deadline != Deadline::max()) return std::nullopt;
    if (next_ == pieces_.size()) return 0;
    const std::string& piece = pieces_[next_++];
    std::memcpy(out.data(), piece.data(), piece.size());
    paused_ = true;
    return piece.size();
  }
  std::uint64_t consumed_bytes() const noexcept override { return 0; }

 private:
  std::vector<std::string> pieces_;
  std::size_t next_ = 0;
  bool paused_ = false;
};

// They were held back until the batch was full or the input ended.
TEST(RecordReader, HandsOnTheRecordsOfASlowInput) {
  ReaderOptions options;
  options.open = [](const std::string&) {
    return std::make_unique<SlowSource>(
        std::vector<std::string>{"{\"a\"", ": 1}\n", "{}\n{}\n{", "}\n[", "]"});
  };
  RecordReader reader({"input"}, options);
  RecordBatch batch;
  std::vector<std::size_t> records;
  while (reader.Next(batch)) records.push_back(batch.records.size());
  EXPECT_EQ(records, (std::vector<std::size_t>{1, 2, 1, 1}));
}

}  // namespace
}  // namespace leafscore::internal
