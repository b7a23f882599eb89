// Fuzzes the way from the bytes of a file to scores, against the slow reference: where records begin and end,
// whether each is JSON, its tree, and that a value scores 1 against itself however it is written.
// An input's first byte is the size of the batches and reads; the file follows.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/record_reader.h"
#include "engine/json/compact_text.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/owned_texts.h"
#include "fuzz/fuzz_check.h"
#include "json/reader_probe.h"
#include "leafscore/leafscore.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

class PieceSource final : public ByteSource {
 public:
  PieceSource(std::string_view text, std::size_t piece_bytes) : text_(text), piece_bytes_(piece_bytes) {}

  std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline) override {
    const std::size_t n = std::min({out.size(), piece_bytes_, text_.size() - taken_});
    if (n != 0) std::memcpy(out.data(), text_.data() + taken_, n);
    taken_ += n;
    return n;
  }
  std::uint64_t consumed_bytes() const noexcept override { return taken_; }

 private:
  std::string_view text_;
  std::size_t piece_bytes_;
  std::size_t taken_ = 0;
};

const Plan& SimilarityPlan() {
  static const Plan plan({"json_similarity"});
  return plan;
}

// What became of one record. Its text is a copy, as batches come and go.
struct Record {
  std::string text;
  RejectReason reason = RejectReason::kNone;
  std::optional<reference::Value> tree;  // of an object
  bool good() const { return reason == RejectReason::kNone || reason == RejectReason::kNotAnObject; }
};

// Tells whether a file is to be read as an array.
bool IsArray(std::string_view file) {
  if (file.starts_with("\xef\xbb\xbf")) file.remove_prefix(3);
  const std::size_t begin = file.find_first_not_of(kSpace);
  return begin != file.npos && file[begin] == '[';
}

struct ReadRecords {
  std::vector<Record> records;
  bool faulty = false;  // the file as a whole
};

// Reads and scores a file as a run does. Every record is compared with the reference.
ReadRecords ReadFile(std::string_view file, std::size_t piece_bytes) {
  ReaderOptions options;
  options.format = IsArray(file) ? InputFormat::kJsonArray : InputFormat::kJsonLines;
  options.batch_bytes = piece_bytes;
  options.open = [&](const std::string&) { return std::make_unique<PieceSource>(file, piece_bytes); };
  RecordReader reader({"input"}, options);
  RecordBatch batch;
  BatchScorer scorer(SimilarityPlan().scorers(), {.details = DetailLevel::kLeaves});
  ReadRecords read;
  const auto next = [&] {
    try {
      return reader.Next(batch);
    } catch (const Error&) {
      read.faulty = true;
      return false;
    }
  };
  while (next()) {
    scorer.ScoreRecords(batch);
    for (std::size_t r = 0; r < batch.records.size(); ++r) {
      const JsonResult& parsed = scorer.records().parsed[r];
      Record record{std::string(batch.Text(batch.records[r])), parsed.reason, std::nullopt};
      if (parsed.root != kNoNode) record.tree = TreeOf(scorer.record_table(), scorer.shapes(), parsed.root);
      if (parsed.reason == RejectReason::kNotAnObject) {
        const auto wanted = reference::Parse(record.text);
        Check(wanted && wanted->value.kind != reference::Value::Kind::kObject, record.text + "\nis not JSON");
      } else if (batch.records[r].reject == RejectReason::kNone) {
        const std::string disagreement = Disagreement({record.text, parsed, record.tree});
        Check(disagreement.empty(), record.text + "\n" + disagreement);
      }
      read.records.push_back(std::move(record));
    }
  }
  return read;
}

// Returns the lines of a file that are not empty, trimmed.
std::vector<std::string_view> LinesOf(std::string_view file) {
  std::vector<std::string_view> lines;
  while (!file.empty()) {
    const std::size_t size = std::min(file.find('\n'), file.size());
    std::string_view line = file.substr(0, size);
    file.remove_prefix(std::min(size + 1, file.size()));
    const std::size_t begin = line.find_first_not_of(kSpace);
    if (begin == line.npos) continue;
    line = line.substr(begin, line.find_last_not_of(kSpace) - begin + 1);
    lines.push_back(line);
  }
  return lines;
}

void CheckRecords(std::string_view file, const ReadRecords& read) {
  const std::vector<Record>& records = read.records;
  if (file.starts_with("\xef\xbb\xbf")) file.remove_prefix(3);
  const std::size_t begin = file.find_first_not_of(kSpace);
  if (begin == file.npos) {
    Check(records.empty(), "a record in an empty file");
  } else if (file[begin] != '[' && read.faulty) {
    Check(records.empty(), "a record in a file of another kind");
  } else if (file[begin] != '[') {
    const std::vector<std::string_view> lines = LinesOf(file);
    Check(records.size() == lines.size(), "lines in are not records out");
    for (std::size_t i = 0; i < lines.size(); ++i) Check(records[i].text == lines[i], "another line");
  } else {  // an array of records: it is good when they all are
    const std::optional<reference::Parsed> whole = reference::Parse(file, 1025);
    const bool all_good = !read.faulty && std::ranges::all_of(records, &Record::good);
    Check(whole.has_value() == all_good, "wrong about the array");
    if (!whole) return;
    Check(records.size() == whole->value.items.size(), "elements in are not records out");
    for (std::size_t i = 0; i < records.size(); ++i) {
      Check(!records[i].tree || *records[i].tree == whole->value.items[i], "another element");
    }
  }
}

// Returns a value written anew.
std::string Rewritten(const std::string& json) {
  static ReaderProbe probe;  // kept, as it is slow to make
  probe.shapes().Clear();
  const Reading reading = probe.Read(json);
  std::string compact;
  AppendCompactJson(probe.table(), probe.shapes(), reading.result.root, compact);
  const Reading again = probe.Read(compact);
  Check(again.tree && *again.tree == *reading.tree, json + "\nis not the same value as\n" + compact);
  return compact;
}

void CheckScores(const std::vector<Record>& records) {
  OwnedTexts expected;
  OwnedTexts actual;
  for (const Record& record : records) {
    if (!record.good()) continue;
    for (const std::string& written : {record.text, Rewritten(record.text)}) {
      expected.Add(record.text);
      actual.Add(written);
    }
  }
  static BatchScorer scorer(SimilarityPlan().scorers(), {.details = DetailLevel::kNone});
  scorer.ScoreTexts(expected.column(), actual.column(), {});
  const ScoreColumns& columns = scorer.scorer_batch(0).columns();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    Check(columns.outcome[i] == Outcome::kScored && columns.score[i] == 1, "a value is not equal to itself");
  }
}

}  // namespace
}  // namespace leafscore::internal

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string file(reinterpret_cast<const char*>(data) + 1, size - 1);
  const leafscore::internal::ReadRecords read = leafscore::internal::ReadFile(file, std::size_t{1} + data[0]);
  leafscore::internal::CheckRecords(file, read);
  leafscore::internal::CheckScores(read.records);
  return 0;
}
