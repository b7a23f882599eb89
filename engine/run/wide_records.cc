#include "engine/run/wide_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/io/input_format.h"
#include "engine/io/record_batch.h"
#include "engine/io/table_source.h"
#include "engine/json/json_text.h"
#include "engine/json/json_view.h"
#include "engine/json/json_writer.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/match/record_text.h"
#include "engine/run/file_options.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// The records of one input, one after another.
class WideReader {
 public:
  WideReader(RecordReader& records, JsonOptions json) : records_(records), reader_(&shapes_, json) {}

  bool is_at_end_of_batch() const { return next_ == batch_.records.size(); }

  // Reads the next record. RETURNS: false if there is none.
  bool Next() {
    if (is_at_end_of_batch()) {
      batch_.records.clear();
      next_ = 0;
      if (!records_.Next(batch_)) return false;
      shapes_.ClearIfLarge();
      texts_.emplace(batch_, 0, reader_, table_);
    }
    result_ = texts_->Read(next_++);
    return true;
  }

  // About the record that was read last.
  const JsonResult& result() const { return result_; }
  JsonView record() const { return {table_, shapes_, result_.root}; }
  std::string_view text() const { return batch_.Text(batch_.records[next_ - 1]); }
  bool is_rejected() const { return batch_.records[next_ - 1].reject != RejectReason::kNone; }
  std::uint64_t number() const { return batch_.first_record_in_input + next_ - 1; }

 private:
  RecordReader& records_;
  RecordBatch batch_;
  ShapeTable shapes_;
  JsonReader reader_;
  LeafTable table_;
  std::optional<RecordText> texts_;
  JsonResult result_;
  std::size_t next_ = 0;
};

// Returns the name of the model whose answer has this key; nullopt if the key belongs to no answer.
std::optional<std::string_view> ModelOf(std::string_view key, const WideField& answers) {
  const std::size_t around = answers.before.size() + answers.after.size();
  const bool is_answer =
      key.size() >= around && key.starts_with(answers.before) && key.ends_with(answers.after);
  if (!is_answer) return std::nullopt;
  return key.substr(answers.before.size(), key.size() - around);
}

JsonView AnswersIn(JsonView record, const WideField& answers) {
  for (const TargetPath::Step& step : answers.object.steps) record = record.Member(step.key);
  return record;
}

class WideSource final : public ByteSource {
 public:
  WideSource(std::unique_ptr<RecordReader> records, WideLayout layout)
      : records_(std::move(records)), layout_(std::move(layout)), reader_(*records_, layout_.json) {
    for (const std::string& model : layout_.models) AddModel(model);
  }

  std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline deadline) override;
  std::uint64_t consumed_bytes() const noexcept override { return records_->consumed_bytes(); }

 private:
  bool IsAbsent(JsonView value) const { return layout_.is_table && value.Is(ValueKind::kNull); }
  void BeginRecord();
  void ReadAnswers(JsonView record);
  void AddModel(std::string_view model);
  void WriteObject(JsonView object, std::size_t depth, JsonWriter& json);
  void WriteId(JsonView record, JsonWriter& json);
  void WriteAnswer(std::size_t model);
  void WriteFault(std::string_view sentence);
  void WriteLine(std::string_view text);

  std::unique_ptr<RecordReader> records_;
  WideLayout layout_;
  WideReader reader_;
  std::vector<std::string> models_;
  std::map<std::string, std::size_t, std::less<>> number_;  // the index of each model in models_

  std::vector<std::string_view> answers_;  // of the record, by model; empty for a model without an answer
  std::size_t next_answer_ = 0;
  std::string frame_;              // the record without answers and without its last brace
  std::size_t place_ = 0;          // where an answer belongs in frame_
  bool is_behind_member_ = false;  // another member comes before place_ in its object

  std::string lines_;
  std::size_t taken_ = 0;  // bytes of lines_
};

std::optional<std::size_t> WideSource::ReadUntil(std::span<std::byte> out, Deadline deadline) {
  while (taken_ == lines_.size()) {
    lines_.clear();
    taken_ = 0;
    if (next_answer_ != answers_.size()) {
      WriteAnswer(next_answer_++);
      continue;
    }
    // Return nothing rather than wait for records that may come late.
    if (reader_.is_at_end_of_batch() && deadline != Deadline::max()) return std::nullopt;
    if (!reader_.Next()) return 0;
    BeginRecord();
  }
  const std::size_t size = std::min(out.size(), lines_.size() - taken_);
  std::memcpy(out.data(), lines_.data() + taken_, size);
  taken_ += size;
  return size;
}

void WideSource::BeginRecord() {
  answers_.clear();
  next_answer_ = 0;
  if (reader_.result().root != kNoNode) {
    ReadAnswers(reader_.record());
  } else if (reader_.is_rejected()) {
    WriteFault(reader_.result().message);
  }
  if (answers_.empty()) WriteLine(reader_.text());
}

void WideSource::ReadAnswers(JsonView record) {
  if (record.Member(layout_.source_field).present()) {
    throw Error(
        ErrorCode::kInput,
        fmt::format("{}: a record has a field {}, which is to get the name of the model; name another "
                    "one with --source-field",
                    layout_.input, QuoteForMessage(layout_.source_field)));
  }
  const bool is_first = models_.empty();
  answers_.assign(models_.size(), {});
  std::string unknown;
  AnswersIn(record, layout_.answers).ForEachMember([&](std::string_view key, JsonView value) {
    const std::optional<std::string_view> model = ModelOf(key, layout_.answers);
    if (!model) return;
    if (is_first) AddModel(*model);
    const auto known = number_.find(*model);
    if (known == number_.end()) {
      unknown += (unknown.empty() ? "" : ", ") + QuoteForMessage(key);
      return;
    }
    answers_.resize(models_.size());
    answers_[known->second] = IsAbsent(value) ? std::string_view() : value.Written();
  });
  if (!unknown.empty()) {
    WriteFault("the first record has no " + unknown + "; give it all answers, null where there is none");
    WriteLine(record.Written());
  }
  if (reader_.result().duplicate_keys != 0) {
    WriteFault("a key occurs twice; only its last value counts, which may be an answer");
    WriteLine(record.Written());
  }
  frame_.clear();
  JsonWriter json(frame_);
  WriteObject(record, 0, json);
  frame_.pop_back();
}

void WideSource::AddModel(std::string_view model) {
  number_.emplace(model, models_.size());
  models_.emplace_back(model);
}

// Writes the record, or the object that is `depth` steps below it on the path to the answers, without the
// answers.
void WideSource::WriteObject(JsonView object, std::size_t depth, JsonWriter& json) {
  const std::vector<TargetPath::Step>& steps = layout_.answers.object.steps;
  const bool has_answers = depth == steps.size();
  json.StartObject();
  const std::size_t begin = frame_.size();
  if (depth == 0) WriteId(object, json);
  object.ForEachMember([&](std::string_view key, JsonView value) {
    if (!has_answers && key == steps[depth].key && value.Is(ValueKind::kObject)) {
      WriteObject(value, depth + 1, json.Key(key));
    } else if (!IsAbsent(value) && !(has_answers && ModelOf(key, layout_.answers))) {
      json.Key(key).Raw(value.Written());
    }
  });
  if (has_answers) {
    place_ = frame_.size();
    is_behind_member_ = place_ != begin;
  }
  json.EndObject();
}

// Writes an id for a record without an id, so that all its answers have the same id.
void WideSource::WriteId(JsonView record, JsonWriter& json) {
  if (layout_.id_field.empty() || record.Member(layout_.id_field).present()) return;
  json.Key(layout_.id_field).String(layout_.id_prefix + std::to_string(reader_.number()));
}

// Writes the line of one model, unless it has no answer and need not have a line.
void WideSource::WriteAnswer(std::size_t model) {
  const std::string_view answer = answers_[model];
  if (answer.empty() && !layout_.is_complete) return;
  std::string line = frame_;
  if (!answer.empty()) {
    std::string member = is_behind_member_ ? ", " : "";
    AppendJsonString(member, layout_.answers.key);
    member += ": ";
    member += answer;
    line.insert(place_, member);
  }
  if (line != "{") line += ", ";
  AppendJsonString(line, layout_.source_field);
  line += ": ";
  AppendJsonString(line, models_[model]);
  WriteLine(line + '}');
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

ReaderOptions AnswerReaderOptions(const FileOptions& options, ReaderOptions reader) {
  const std::optional<WideField> answers = WideFieldOf(options.actual_field);
  if (!answers) return reader;
  WideLayout layout = {.answers = *answers,
                       .source_field = options.source_field.empty() ? kWideSourceField : options.source_field,
                       .id_field = options.gold.empty() ? options.id_field : "",
                       .is_complete = options.gold.empty(),  // with gold, each id is asked of each model
                       .json = JsonOptionsOf(options)};
  if (AreRegularFiles(options.inputs)) {
    try {
      ReaderOptions search = ReaderOptionsOf(options);
      search.shard.reset();
      RecordReader records(options.inputs, std::move(search));
      layout.models = FindWideModels(records, *answers, layout.json);
    } catch (const Error&) {  // the run reports what is wrong with the input
      layout.models.clear();
    }
  }
  const InputFormat format = options.input_format;
  const bool has_many = options.inputs.size() > 1;
  reader.rewrite = [=](std::unique_ptr<RecordReader> records, const std::string& input) {
    WideLayout of_input = layout;
    of_input.input = InputName(input);
    if (has_many) of_input.id_prefix = of_input.input + ':';
    of_input.is_table = IsTable(FormatByName(format, input));
    return LinesOfWideRecords(std::move(records), std::move(of_input));
  };
  return reader;
}

std::vector<std::string> FindWideModels(RecordReader& records, const WideField& answers, JsonOptions json) {
  std::vector<std::string> models;
  std::set<std::string, std::less<>> known;
  for (WideReader reader(records, json); reader.Next();) {
    if (reader.result().root == kNoNode) continue;
    AnswersIn(reader.record(), answers).ForEachMember([&](std::string_view key, JsonView) {
      const std::optional<std::string_view> model = ModelOf(key, answers);
      if (model && known.emplace(*model).second) models.emplace_back(*model);
    });
  }
  return models;
}

std::unique_ptr<ByteSource> LinesOfWideRecords(std::unique_ptr<RecordReader> records, WideLayout layout) {
  return std::make_unique<WideSource>(std::move(records), std::move(layout));
}

}  // namespace leafscore::internal
