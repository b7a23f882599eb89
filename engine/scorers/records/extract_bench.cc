// records by the rules of ExtractBench. The schema alone says which values are cells. Null is a value, a
// missing key takes its default, and a list of texts is one cell. All rows of the shorter side are paired.
#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/suggest.h"
#include "engine/json/json_view.h"
#include "engine/json/json_writer.h"
#include "engine/match/value_ids.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/records/cell_batch.h"
#include "engine/scorers/records/extract_equality.h"
#include "engine/scorers/records/extract_judge.h"
#include "engine/scorers/records/extract_values.h"
#include "engine/scorers/records/revisions.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kExtractFieldOptions[] = {
    {"path", "text", "none", "path pattern of the field in the expected value: total, items[0].price"},
    {"normalise", "text or list of texts", "none", "normalisers of the revision"},
};
constexpr std::string_view kExtractMetricNames[] = {"precision",     "recall",         "f1",
                                                    "matched",       "expected_cells", "actual_cells",
                                                    "expected_rows", "actual_rows",    "incomplete"};
constexpr TextMetric kExtractTextMetrics[] = {{"unwrapped", /*is_list=*/false}};
// A remark for incomplete pairing, then one for each way of unwrapping a list.
constexpr std::string_view kExtractRemarks[] = {"incomplete", "unwrapped_bare_rows",
                                                "unwrapped_singleton_doc", "unwrapped_wrapper_merge"};
// An object at the root that has only this member stands for the member's value.
constexpr std::string_view kWrappedKey = "value";

// How an answer that is a list was turned into the expected object. The values are indexes of kListModeNames.
enum class ListMode { kNoOp, kBareRows, kSingletonDoc, kWrapperMerge };
constexpr std::string_view kListModeNames[] = {"no_op", "bare_rows", "singleton_doc", "wrapper_merge"};

struct ExtractSettings {
  PairSelectorOptions selection;
  ExtractRules rules;
  double threshold;
};

struct UnwrappedList {
  std::string json;
  ListMode mode;
};

struct ListContents {
  std::size_t size = 0;
  bool has_only_objects = true;
  bool has_lists = false;  // as members of objects
};

// Returns the keys under which arrays of objects are expected.
std::vector<std::string_view> ExpectedArrays(const JsonView& expected, const ExtractSchema& schema) {
  std::vector<std::string_view> keys;
  expected.ForEachMember([&](std::string_view key, const JsonView& value) {
    bool has_objects = false;
    if (value.Is(ValueKind::kArray)) {
      value.ForEachChild([&](const JsonView& element) { has_objects |= element.Is(ValueKind::kObject); });
    }
    if (has_objects) keys.push_back(schema.CanonicalKey(key));
  });
  return keys;
}

ListContents ContentsOf(const JsonView& list) {
  ListContents contents;
  list.ForEachChild([&](const JsonView& element) {
    ++contents.size;
    contents.has_only_objects &= element.Is(ValueKind::kObject);
    element.ForEachMember([&](std::string_view /*key*/, const JsonView& value) {
      contents.has_lists |= value.Is(ValueKind::kArray);
    });
  });
  return contents;
}

// Joins the objects of a list into one object. A key with lists gets all their elements except null. Any
// other key gets its first value; null and empty texts are skipped. With `keeps_empty`, null and empty texts
// count, too, and a key gets its last value.
std::string JoinedObjects(const JsonView& list, const ExtractSchema& schema, bool keeps_empty) {
  struct Joined {
    std::vector<JsonView> lists;
    std::vector<JsonView> values;
  };
  std::map<std::string_view, Joined> members;
  list.ForEachChild([&](const JsonView& document) {
    document.ForEachMember([&](std::string_view key, const JsonView& value) {
      const bool is_empty = value.Is(ValueKind::kNull) || (value.IsText() && value.Written().size() == 2);
      if (is_empty && !keeps_empty) return;
      Joined& joined = members[schema.CanonicalKey(key)];
      (value.Is(ValueKind::kArray) ? joined.lists : joined.values).push_back(value);
    });
  });
  std::string text;
  JsonWriter json(text, JsonLayout::kCompact);
  json.StartObject();
  for (const auto& [key, joined] : members) {
    json.Key(key);
    if (joined.lists.empty()) {
      // If keys of one object differ only in case, the last one counts.
      json.Raw((keeps_empty ? joined.values.back() : joined.values.front()).Written());
      continue;
    }
    json.StartArray();
    for (const JsonView& rows : joined.lists) {
      rows.ForEachChild([&](const JsonView& row) {
        if (!row.Is(ValueKind::kNull)) json.Raw(row.Written());
      });
    }
    json.EndArray();
  }
  json.EndObject();
  return text;
}

std::string RowsUnder(std::string_view key, const JsonView& list) {
  std::string text;
  JsonWriter json(text, JsonLayout::kCompact);
  json.StartObject();
  json.Key(key).Raw(list.Written());
  json.EndObject();
  return text;
}

// Returns the object for which an answer that is a list stands. The list can be the rows of the only array of
// objects that is expected, a single object without lists, or several objects whose lists are joined.
// RETURNS: nullopt if no such reading fits.
std::optional<UnwrappedList> UnwrapListAnswer(ValueRef expected, ValueRef list, const ExtractSchema& schema,
                                              const ShapeTable& shapes) {
  const JsonView answer(*list.table, shapes, list.node);
  const std::vector<std::string_view> arrays =
      ExpectedArrays(JsonView(*expected.table, shapes, expected.node), schema);
  const ListContents contents = ContentsOf(answer);
  const bool is_one_object = contents.size == 1 && contents.has_only_objects;
  if (is_one_object && !contents.has_lists && arrays.empty()) {
    return UnwrappedList{JoinedObjects(answer, schema, /*keeps_empty=*/true), ListMode::kSingletonDoc};
  }
  if (contents.has_only_objects && contents.has_lists) {
    return UnwrappedList{JoinedObjects(answer, schema, /*keeps_empty=*/false), ListMode::kWrapperMerge};
  }
  if (arrays.size() != 1) return std::nullopt;
  return UnwrappedList{RowsUnder(arrays[0], answer), ListMode::kBareRows};
}

class ExtractBatch final : public CellBatch {
 public:
  ExtractBatch(const ExtractSettings* settings, WorkerTools tools)
      : CellBatch(&settings->selection, tools, kExtractMetricNames),
        settings_(settings),
        reader_(&settings->rules, tools, &ids_),
        equality_(&ids_),
        judge_(&settings->rules, &equality_),
        rewritten_(tools) {
    judge_.cells = listed_cells_;
  }

  void Reduce(const StringPairs& pairs) override;
  std::span<const TextMetric> text_metrics() const override { return kExtractTextMetrics; }
  void AppendTexts(std::uint32_t record, std::size_t /*metric*/,
                   std::vector<std::string>& texts) const override {
    texts.emplace_back(kListModeNames[static_cast<std::size_t>(entries_[record].mode)]);
  }
  void AppendNamedPaths(std::vector<NamedPaths>& rows) const override;
  std::span<const std::string_view> remark_names() const override { return kExtractRemarks; }
  std::uint8_t RemarksOn(std::uint32_t record) const override;

 private:
  enum MetricIndex : std::size_t {
    kPrecision,
    kRecall,
    kF1,
    kMatched,
    kExpectedCells,
    kActualCells,
    kExpectedRows,
    kActualRows,
    kIncomplete,
  };
  struct Part {
    ExtractValues expected;
    ExtractValues actual;
  };
  struct Entry {
    bool incomplete = false;
    ListMode mode = ListMode::kNoOp;
  };
  // A record that waits until its similar texts are compared. It has the range of its parts.
  struct Waiting {
    std::uint32_t record;
    std::size_t parts_begin, parts_end;
  };

  void BeginBatch(std::uint32_t records) override;
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  void MissRecord(std::uint32_t record, StringPairs& pairs) override;
  bool AnswerIsOfOtherKind() const override { return selector_.answer_is_of_other_kind() && !has_unwrapped_; }
  double UnexpectedShare() override;
  Part& NextPart();
  bool ReadPart(std::uint32_t record, const SelectedPart& selected, Part& part);
  ValueRef Unwrapped(ValueRef value) const;
  ValueRef ObjectOf(ValueRef expected, ValueRef actual, ListMode& mode);
  template <class Visit>
  void ForEachCellOf(const ExtractValues& values, Visit visit) const;
  void CountCells(const ExtractValues& values, bool is_expected);
  void NameTexts(const Part& part, Entry& entry);
  void JudgeRecord(std::uint32_t record, std::size_t parts_begin, std::size_t parts_end);
  std::string_view FieldPath(std::uint32_t field) const override { return reader_.FieldPath(field); }

  const ExtractSettings* settings_;
  ValueIds ids_;
  ExtractReader reader_;
  ExtractEquality equality_;
  ExtractJudge judge_;
  ParsedTexts rewritten_;
  std::vector<std::unique_ptr<Part>> parts_;  // of the current record and of those that wait
  std::size_t used_parts_ = 0;
  std::vector<Waiting> waiting_;
  std::uint32_t record_ = 0;    // the current one
  bool has_unwrapped_ = false;  // whether the current answer was unwrapped
  std::vector<Entry> entries_;  // by record
};

void ExtractBatch::BeginBatch(std::uint32_t records) {
  constexpr std::size_t kKeptBytes = std::size_t{16} << 20;
  const bool forgets = ids_.memory_bytes() > kKeptBytes;
  if (forgets) ids_.Clear();
  equality_.BeginBatch(forgets);
  reader_.BeginBatch();
  rewritten_.Truncate(0);
  used_parts_ = 0;
  waiting_.clear();
  entries_.assign(records, {});
  BeginCells(records);
}

ExtractBatch::Part& ExtractBatch::NextPart() {
  if (used_parts_ == parts_.size()) parts_.push_back(std::make_unique<Part>());
  return *parts_[used_parts_++];
}

// If a value is an object whose only member is `value`, returns the value of that member. Otherwise, returns
// the value itself.
ValueRef ExtractBatch::Unwrapped(ValueRef value) const {
  if (!value.present() || value.kind() != ValueKind::kObject) return value;
  const ShapeId shape = value.table->shape(value.node);
  if (shapes_->member_count(shape) != 1 || shapes_->Keys(shape)[0] != kWrappedKey) return value;
  return {value.table, value.node + 1};
}

// Returns the object for which the answer stands. If it stands for no object, returns the answer without its
// wrapper.
ValueRef ExtractBatch::ObjectOf(ValueRef expected, ValueRef actual, ListMode& mode) {
  if (actual.kind() != ValueKind::kArray || expected.kind() != ValueKind::kObject) return Unwrapped(actual);
  std::optional<UnwrappedList> object = UnwrapListAnswer(expected, actual, settings_->rules.schema, *shapes_);
  if (!object) return actual;
  const ValueRef rewritten = rewritten_.Add(std::move(object->json));
  if (!rewritten.present()) return actual;  // it nests too deep now
  mode = object->mode;
  return Unwrapped(rewritten);
}

// Calls visit(field, cell, likeness) for each cell.
template <class Visit>
void ExtractBatch::ForEachCellOf(const ExtractValues& values, Visit visit) const {
  if (values.rows.empty()) return;
  const ExtractSchema& schema = settings_->rules.schema;
  ForEachCell(schema, values, schema.root(), values.rows[0], visit);
  for (const ExtractValues::Extra& extra : values.extras)
    visit(extra.field, extra.cell, LikenessOf(extra.key));
}

void ExtractBatch::CountCells(const ExtractValues& values, bool is_expected) {
  ForEachCellOf(values, [&](std::uint32_t field, std::uint32_t /*cell*/, double /*likeness*/) {
    FieldCells& cells = tally_[field];
    ++(is_expected ? cells.expected : cells.actual);
  });
}

// Names the pairs of texts that are compared by similarity.
void ExtractBatch::NameTexts(const Part& part, Entry& entry) {
  struct Texts {
    std::vector<ValueId> expected;
    std::vector<ValueId> actual;
    double likeness = 0;
  };
  std::map<std::uint32_t, Texts> texts_of;  // by field
  ForEachCellOf(part.expected, [&](std::uint32_t field, std::uint32_t cell, double likeness) {
    if (likeness == 0) return;
    Texts& texts = texts_of[field];
    texts.likeness = likeness;
    equality_.AppendTexts(part.expected.Cell(cell), texts.expected);
    const ExtractValues::Note& note = part.expected.NoteOf(cell);
    for (std::uint32_t i = note.begin; i < note.end; ++i) {
      equality_.AppendTexts(part.expected.alternatives[i], texts.expected);
    }
  });
  if (texts_of.empty()) return;
  ForEachCellOf(part.actual, [&](std::uint32_t field, std::uint32_t cell, double likeness) {
    if (likeness == 0) return;
    const auto found = texts_of.find(field);
    if (found != texts_of.end()) equality_.AppendTexts(part.actual.Cell(cell), found->second.actual);
  });
  for (auto& [field, texts] : texts_of) {
    entry.incomplete |=
        !equality_.NamePairs(std::move(texts.expected), std::move(texts.actual), texts.likeness);
  }
}

// Reads both sides of a part. RETURNS: false if they have too many cells.
bool ExtractBatch::ReadPart(std::uint32_t record, const SelectedPart& selected, Part& part) {
  part.expected.Clear();
  part.actual.Clear();
  Entry& entry = entries_[record];
  const ValueRef expected = Unwrapped(selected.expected);
  const bool has_answer = selected.actual.present();
  const ValueRef actual = has_answer ? ObjectOf(expected, selected.actual, entry.mode) : selected.actual;
  const bool is_comparable = !has_answer || actual.kind() == ValueKind::kObject;
  if (expected.kind() != ValueKind::kObject || !is_comparable) return true;
  AddSides(record, {expected, actual, selected.path});
  if (!reader_.Read(expected, /*is_expected=*/true, part.expected)) return false;
  return !has_answer || reader_.Read(actual, /*is_expected=*/false, part.actual);
}

// Without an answer, everything expected is missing.
void ExtractBatch::MissRecord(std::uint32_t record, StringPairs& /*pairs*/) {
  has_unwrapped_ = false;
  const std::size_t first_part = used_parts_;
  bool fits = true;
  for (const SelectedPart& selected : selector_.parts()) {
    if (!selected.expected.present()) continue;
    Part& part = NextPart();
    fits &= ReadPart(record, {selected.expected, {}, selected.path}, part);
    if (fits) CountCells(part.expected, /*is_expected=*/true);
  }
  KeepFields(record);
  used_parts_ = first_part;
}

void ExtractBatch::MatchRecord(std::uint32_t record, StringPairs& /*pairs*/) {
  Entry& entry = entries_[record];
  const std::size_t first_part = used_parts_;
  record_ = record;
  equality_.BeginRecord();
  for (const SelectedPart& selected : selector_.parts()) {
    Part& part = NextPart();
    if (!ReadPart(record, selected, part)) {
      used_parts_ = first_part;
      KeepFields(record);
      return SetRecordError(record, RejectReason::kWorkLimit,
                            "its rows have too many cells, counting the cells that they lack", columns_);
    }
    CountCells(part.expected, /*is_expected=*/true);
    CountCells(part.actual, /*is_expected=*/false);
    NameTexts(part, entry);
  }
  has_unwrapped_ = entry.mode != ListMode::kNoOp;
  KeepFields(record);
  if (FieldsOf(record).empty()) CompareNothing(record);
  if (equality_.needs_pairs()) {
    waiting_.push_back({record, first_part, used_parts_});
    return;
  }
  JudgeRecord(record, first_part, used_parts_);
  used_parts_ = first_part;
}

// A cell of the answer is unexpected if the expected value has no cell in the same field.
double ExtractBatch::UnexpectedShare() {
  std::uint64_t cells = 0;
  std::uint64_t unexpected = 0;
  for (const auto& [field, counts] : FieldsOf(record_)) {
    cells += counts.actual;
    unexpected += counts.expected == 0 ? counts.actual : 0;
  }
  return ShareOfLeaves(unexpected, cells);
}

void ExtractBatch::Reduce(const StringPairs& /*pairs*/) {
  if (waiting_.empty()) return;
  equality_.Compute();
  for (const auto& [record, parts_begin, parts_end] : waiting_) JudgeRecord(record, parts_begin, parts_end);
}

void ExtractBatch::JudgeRecord(std::uint32_t record, std::size_t parts_begin, std::size_t parts_end) {
  Entry& entry = entries_[record];
  judge_.BeginRecord(reader_.field_count());
  const std::size_t first_cell = cell_count();
  for (std::size_t i = parts_begin; i < parts_end; ++i) {
    if (!parts_[i]->actual.rows.empty()) judge_.Judge(parts_[i]->expected, parts_[i]->actual);
  }
  KeepCells(record, first_cell);
  const ExtractTally& tally = judge_.tally();
  entry.incomplete |= tally.incomplete;
  double expected = 0;
  double actual = 0;
  for (auto& [field, counts] : FieldsOf(record)) {
    counts.matched = judge_.matched(field);
    expected += counts.expected;
    actual += counts.actual;
  }
  const auto matched = static_cast<double>(tally.matched);
  const double precision = actual == 0 ? 0 : matched / actual;
  const double recall = expected == 0 ? 0 : matched / expected;
  const double f1 = expected + actual == 0 ? 0 : 2 * matched / (expected + actual);
  metric(kPrecision, record) = precision;
  metric(kRecall, record) = recall;
  metric(kF1, record) = f1;
  metric(kMatched, record) = matched;
  metric(kExpectedCells, record) = expected;
  metric(kActualCells, record) = actual;
  metric(kExpectedRows, record) = static_cast<double>(tally.expected_rows);
  metric(kActualRows, record) = static_cast<double>(tally.actual_rows);
  metric(kIncomplete, record) = entry.incomplete;
  columns_.score[record] = f1;
  columns_.passed[record] = f1 >= settings_->threshold;
}

std::uint8_t ExtractBatch::RemarksOn(std::uint32_t record) const {
  const Entry& entry = entries_[record];
  const auto mode = static_cast<unsigned>(entry.mode);
  return static_cast<std::uint8_t>((entry.incomplete ? 1u : 0u) | (mode == 0 ? 0u : 1u << mode));
}

void ExtractBatch::AppendNamedPaths(std::vector<NamedPaths>& rows) const {
  SelectingBatch::AppendNamedPaths(rows);
  NamedPaths& row = rows.emplace_back(selector_.LookedAt());
  for (const PathRules::Pattern& pattern : settings_->rules.paths.patterns()) {
    row.found.push_back(reader_.led_somewhere()[row.paths.size()]);
    row.paths.push_back({pattern.text, pattern.option});
  }
}

// Reads a list of normalisers. RETURNS: a number whose bit k is set if the list has the k-th name.
std::uint32_t ReadExtractNormalisers(const OptionReader& field) {
  std::uint32_t normalisers = 0;
  for (const std::string& name : field.GetTextList("normalise")) {
    const auto found = std::ranges::find(kExtractNormaliserNames, name);
    if (found == std::end(kExtractNormaliserNames)) {
      throw field.MakeError("normalise", UnknownNameMessage("normaliser", name, kExtractNormaliserNames));
    }
    normalisers |= 1u << (found - std::begin(kExtractNormaliserNames));
  }
  return normalisers;
}

ExtractRules ReadExtractRules(const OptionReader& options) {
  PathRules paths;
  std::vector<std::uint32_t> normalisers;
  constexpr char kAdvice[] = "give a list of fields such as {path: w, normalise: phone_digits}";
  options.ForEachField(kExtractFieldOptions, kAdvice, [&](const OptionReader& field) {
    const auto number = static_cast<std::uint32_t>(normalisers.size());
    paths.AddMark(options, "fields", field.GetText("path", ""), number);
    normalisers.push_back(ReadExtractNormalisers(field));
  });
  ExtractSchema schema(options, paths);
  return {std::move(paths), std::move(normalisers), options.GetText("any_of_key", ""), std::move(schema)};
}

}  // namespace

std::unique_ptr<Scorer> MakeExtractBench(const OptionReader& options) {
  ExtractSettings settings{PairSelectorOptions::OfStructure(options), ReadExtractRules(options),
                           ReadThreshold(options)};
  settings.selection.SeekAnyOfKey(settings.rules.any_of_key);
  return std::make_unique<ConfiguredScorer<ExtractBatch, ExtractSettings>>(std::move(settings));
}

}  // namespace leafscore::internal
