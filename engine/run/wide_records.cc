#include "engine/run/wide_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/suggest.h"
#include "engine/io/record_batch.h"
#include "engine/io/table_source.h"
#include "engine/json/json_view.h"
#include "engine/json/json_writer.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/match/record_text.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

class WideSource final : public ByteSource {
 public:
  WideSource(std::unique_ptr<RecordReader> records, WideLayout layout)
      : records_(std::move(records)), layout_(std::move(layout)), reader_(&shapes_, layout_.json) {}

  std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline deadline) override;
  std::uint64_t consumed_bytes() const noexcept override { return records_->consumed_bytes(); }

 private:
  bool BeginBatch();
  void BeginRecord(std::size_t r);
  std::optional<std::string_view> ModelOf(std::string_view key) const;
  bool IsAbsent(JsonView value) const { return layout_.is_table && value.Is(ValueKind::kNull); }
  void ReadAnswers(JsonView record);
  void AddModel(std::string_view model);
  void WriteAnswer(std::size_t model);
  void WriteObject(JsonView object, std::size_t depth, std::size_t model, JsonWriter& json) const;
  void WriteFault(std::string_view sentence);
  void WriteLine(std::string_view text);

  std::unique_ptr<RecordReader> records_;
  WideLayout layout_;
  std::vector<std::string> models_;            // of the first record with answers
  std::map<std::string, std::size_t> number_;  // of each, in models_

  RecordBatch batch_;
  ShapeTable shapes_;
  JsonReader reader_;
  LeafTable table_;
  std::optional<RecordText> texts_;
  std::size_t next_record_ = 0;

  NodeId record_ = kNoNode;
  std::vector<std::string_view> answers_;  // of the record, by model; empty where there is none
  std::size_t next_answer_ = 0;

  std::string lines_;      // of the record
  std::size_t taken_ = 0;  // bytes of lines_
};

std::optional<std::size_t> WideSource::ReadUntil(std::span<std::byte> out, Deadline deadline) {
  while (taken_ == lines_.size()) {
    lines_.clear();
    taken_ = 0;
    if (next_answer_ != answers_.size()) {
      WriteAnswer(next_answer_++);
    } else if (next_record_ != batch_.records.size()) {
      BeginRecord(next_record_++);
    } else if (deadline != Deadline::max()) {
      return std::nullopt;  // rather than wait for records that may come late
    } else if (!BeginBatch()) {
      return 0;
    }
  }
  const std::size_t size = std::min(out.size(), lines_.size() - taken_);
  std::memcpy(out.data(), lines_.data() + taken_, size);
  taken_ += size;
  return size;
}

bool WideSource::BeginBatch() {
  batch_.records.clear();
  next_record_ = 0;
  if (!records_->Next(batch_)) return false;
  shapes_.ClearIfLarge();
  texts_.emplace(batch_, 0, reader_, table_);
  return true;
}

void WideSource::BeginRecord(std::size_t r) {
  const JsonResult result = texts_->Read(r);
  record_ = result.root;
  answers_.clear();
  next_answer_ = 0;
  if (record_ != kNoNode) {
    ReadAnswers({table_, shapes_, record_});
  } else if (batch_.records[r].reject != RejectReason::kNone) {
    WriteFault(result.message);
  }
  if (answers_.empty()) WriteLine(batch_.Text(batch_.records[r]));
}

// Returns the name of the model whose answer has this key, if it is one.
std::optional<std::string_view> WideSource::ModelOf(std::string_view key) const {
  const WideField& answers = layout_.answers;
  const std::size_t around = answers.before.size() + answers.after.size();
  const bool is_answer =
      key.size() >= around && key.starts_with(answers.before) && key.ends_with(answers.after);
  if (!is_answer) return std::nullopt;
  return key.substr(answers.before.size(), key.size() - around);
}

void WideSource::ReadAnswers(JsonView record) {
  if (record.Member(layout_.source_field).present()) {
    throw Error(
        ErrorCode::kInput,
        fmt::format("{}: a record has a field {}, which is to get the name of the model; name another "
                    "one with --source-field",
                    layout_.input, QuoteForMessage(layout_.source_field)));
  }
  JsonView object = record;
  for (const TargetPath::Step& step : layout_.answers.object.steps) object = object.Member(step.key);
  const bool is_first = models_.empty();
  answers_.assign(models_.size(), {});
  std::string unknown;
  object.ForEachMember([&](std::string_view key, JsonView value) {
    const std::optional<std::string_view> model = ModelOf(key);
    if (!model) return;
    if (is_first) AddModel(*model);
    if (const auto known = number_.find(std::string(*model)); known != number_.end()) {
      answers_[known->second] = IsAbsent(value) ? std::string_view() : value.Written();
    } else {
      unknown += (unknown.empty() ? "" : ", ") + QuoteForMessage(key);
    }
  });
  if (unknown.empty()) return;
  WriteFault("the first record has no " + unknown + "; give it all answers, null where there is none");
  WriteLine(record.Written());
}

void WideSource::AddModel(std::string_view model) {
  number_.emplace(model, models_.size());
  models_.emplace_back(model);
  answers_.emplace_back();
}

void WideSource::WriteAnswer(std::size_t model) {
  std::string line;
  JsonWriter json(line);
  WriteObject({table_, shapes_, record_}, 0, model, json);
  WriteLine(line);
}

// Writes the record, or an object `depth` steps on the way to the answers, with the answer of one model.
void WideSource::WriteObject(JsonView object, std::size_t depth, std::size_t model, JsonWriter& json) const {
  const std::vector<TargetPath::Step>& steps = layout_.answers.object.steps;
  json.StartObject();
  object.ForEachMember([&](std::string_view key, JsonView value) {
    if (depth < steps.size() && key == steps[depth].key && value.Is(ValueKind::kObject)) {
      WriteObject(value, depth + 1, model, json.Key(key));
    } else if (!IsAbsent(value) && (depth != steps.size() || !ModelOf(key))) {
      json.Key(key).Raw(value.Written());
    }
  });
  if (depth == steps.size() && !answers_[model].empty()) {
    json.Key(layout_.answers.key).Raw(answers_[model]);
  }
  if (depth == 0) json.Key(layout_.source_field).String(models_[model]);
  json.EndObject();
}

// Makes the next line a broken row.
void WideSource::WriteFault(std::string_view sentence) {
  lines_ += kBrokenRowMark;
  lines_ += sentence;
  lines_ += '\0';
}

// Writes a line. The text may be an element of an array, with line breaks between its tokens.
void WideSource::WriteLine(std::string_view text) {
  for (const char c : text) lines_ += c == '\n' ? ' ' : c;
  lines_ += '\n';
}

}  // namespace

std::optional<WideField> WideFieldOf(const std::string& field) {
  const std::size_t star = field.find('*');
  if (star == field.npos || field.find('"') != field.npos) return std::nullopt;
  std::optional<TargetPath> path = TargetPath::Parse(field);
  WideField wide;
  if (path && !path->steps.empty()) {
    wide.key = std::move(path->steps.back().key);
    path->steps.pop_back();
    wide.object = *std::move(path);
  }
  const std::size_t in_key = wide.key.find('*');
  const bool is_pattern = wide.key.size() > 1 || !wide.object.steps.empty();
  if (in_key == wide.key.npos || field.find('*', star + 1) != field.npos || !is_pattern ||
      !std::ranges::all_of(wide.object.steps, &TargetPath::Step::has_key)) {
    throw Error(ErrorCode::kUsage,
                "--actual-field " + QuoteForMessage(field) +
                    ": one * in the last step stands for the names of models: answers.* or answer_*");
  }
  wide.before = wide.key.substr(0, in_key);
  wide.after = wide.key.substr(in_key + 1);
  return wide;
}

std::unique_ptr<ByteSource> LinesOfWideRecords(std::unique_ptr<RecordReader> records, WideLayout layout) {
  return std::make_unique<WideSource>(std::move(records), std::move(layout));
}

}  // namespace leafscore::internal
