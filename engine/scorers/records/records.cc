// Precision, recall and F1 over the cells of two JSON values, with rows paired in any order.
#include <algorithm>
#include <cmath>
#include <deque>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/match/value_ids.h"
#include "engine/scorers/accepted_values.h"
#include "engine/scorers/answer_envelopes.h"
#include "engine/scorers/normalise_options.h"
#include "engine/scorers/own_schemas.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/records/cell_columns.h"
#include "engine/scorers/records/cell_details.h"
#include "engine/scorers/records/judging.h"
#include "engine/scorers/records/place_tree.h"
#include "engine/scorers/records/record_judge.h"
#include "engine/scorers/records/record_rules.h"
#include "engine/scorers/records/revisions.h"
#include "engine/scorers/records/similar_texts.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/schema_option.h"
#include "engine/scorers/selecting_batch.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kRecordsOptions[] = {
    kTargetOutputKeyOption,
    kDefaultExpectedOption,
    kParseTextsOption,
    kNormaliseOption,
    {"fields", "list of maps", "none",
     "fields with rules of their own: {path, normalise, tolerance, relative, similarity}; the last match "
     "wins"},
    {"match_by", "map from path pattern to list of texts", "none",
     "keys by which the rows of an array are joined first: {items: [sku]}"},
    {"match_left", "bool", "true", "whether rows that keys did not pair are paired by their cells"},
    {"arrays", "map from path pattern to any_order, ordered or whole", "any_order",
     "how array elements are paired; whole: the array is one cell"},
    {"null", "absent or value", "absent", "whether null is no cell, or a cell that equals only null"},
    kAnyOfKeyOption,
    {"schema", "JSON Schema or path of one", "none",
     "defaults, dates, ordered arrays and x-leafscore options by place; and answers are checked by it"},
    kSchemaKeyOption,
    {"defaults", "bool", "true", "whether a missing key takes its default where the other side has the key"},
    {"unwrap", "list of single, value, rows, merge, sidecars, fold_keys and wrapper", "[single, value]",
     "envelopes of answers: a list of one object; {value: ..., confidence: ...}; rows without the object "
     "around them; one object in several; X_citations and X_meta beside X; keys in other case, with blanks "
     "or underscores"},
    {"confidence_key", "text", "none",
     "the key beside `value` in an envelope with the confidence from 0 to 1; the summary tells how far the "
     "confidences are right"},
    kIgnorePathsOption,
    {"gate", "text or graded", "text",
     "of sob-2026-06: values count from a coverage of 0.95, or less below one of 0.9"},
    kThresholdOption.WithHelp("F1 from which a record passes"),
};

constexpr std::string_view kRecordsMetricNames[] = {
    "precision",      "recall",       "f1",      "matched", "wrong",       "missing", "extra",
    "expected_cells", "actual_cells", "perfect", "valid",   "type_safety", "required"};
constexpr std::size_t kMetricsWithoutSchema = 10;
// A remark for inexact pairing, then one for each envelope.
constexpr std::string_view kRemarks[] = {"near",
                                         "unwrapped_single",
                                         "unwrapped_value",
                                         "unwrapped_rows",
                                         "unwrapped_merge",
                                         "unwrapped_sidecars",
                                         "unwrapped_fold_keys",
                                         "unwrapped_wrapper"};
static_assert(std::size(kRemarks) == 1 + std::size(kEnvelopeNames));
static_assert(std::size(kRemarks) <= ScorerBatch::kMaxRemarks);

enum RecordsTextMetricIndex : std::size_t { kPairing, kUnwrapped };
constexpr TextMetric kRecordsTextMetrics[] = {{"pairing", /*is_list=*/false},
                                              {"unwrapped", /*is_list=*/true}};

struct RecordsSettings {
  PairSelectorOptions selection;
  RecordRules rules;
  double threshold;
  std::shared_ptr<const JsonSchema> schema;  // by which answers are checked, unless null
  std::optional<TargetPath> schema_key;      // where each record has its own schema

  bool has_schema() const { return schema != nullptr || schema_key; }
  std::vector<const TargetPath*> record_fields() const {
    return schema_key ? std::vector{&*schema_key} : std::vector<const TargetPath*>();
  }
};

// A set of places; emptying it costs no pass over the places.
class PlaceSet {
 public:
  // Makes the set empty, with room for `places` places.
  void Clear(std::size_t places) {
    ++round_;
    added_in_.resize(std::max(added_in_.size(), places), 0);
  }
  void Add(PlaceId place) { added_in_[place] = round_; }
  bool Has(PlaceId place) const { return added_in_[place] == round_; }

 private:
  std::vector<std::uint64_t> added_in_;  // by place: the last round in which it was added
  std::uint64_t round_ = 0;
};

class RecordsBatch final : public SelectingBatch {
 public:
  enum MetricIndex : std::size_t {
    kPrecision,
    kRecall,
    kF1,
    kMatched,
    kWrong,
    kMissing,
    kExtra,
    kExpectedCells,
    kActualCells,
    kPerfect,
    kValid,
    kTypeSafety,
    kRequired,
  };

  RecordsBatch(const RecordsSettings* settings, WorkerTools tools)
      : SelectingBatch(
            &settings->selection, tools,
            std::span(kRecordsMetricNames)
                .first(settings->has_schema() ? std::size(kRecordsMetricNames) : kMetricsWithoutSchema)),
        settings_(settings),
        tools_(tools),
        waits_(settings->rules.has_similarity || settings->schema_key),
        common_(&settings->rules, settings->schema, tools, &ids_),
        unwrapper_(settings->rules.unwraps, tools) {
    if (tools.details == DetailLevel::kLeaves) common_.judge.KeepCells(&cells_);
    if (settings->schema_key) own_.emplace(&*settings->schema_key, tools);
  }

  void Reduce(const StringPairs& pairs) override;
  std::span<const TextMetric> text_metrics() const override { return kRecordsTextMetrics; }
  void AppendTexts(std::uint32_t record, std::size_t metric, std::vector<std::string>& texts) const override;
  void AppendLeaves(std::uint32_t record, LeafList& leaves) const override;
  void WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const override;
  void AppendNamedPaths(std::vector<NamedPaths>& rows) const override;
  std::span<const std::string_view> remark_names() const override { return kRemarks; }
  std::uint8_t RemarksOn(std::uint32_t record) const override;
  bool counts_cells() const override { return true; }
  void AppendCellCounts(std::uint32_t record, std::vector<NamedCellCounts>& counts) const override;

 private:
  // A part of a record, ready to be judged.
  struct PreparedPart {
    std::uint32_t record;
    ValueRef expected;
    ValueRef actual;
    const TargetPath* path;
    NodeId member = kNoNode;  // the member of the expected object whose value the actual list is
    CellColumns expected_columns = {};
    CellColumns actual_columns = {};
  };
  // The ranges of the entries of a record, for its details.
  struct Entries {
    std::size_t fields_begin = 0, fields_end = 0;
    std::size_t rows_begin = 0, rows_end = 0;
    std::size_t cells_begin = 0, cells_end = 0;
    std::size_t parts_begin = 0, parts_end = 0;
    std::size_t confidences_begin = 0, confidences_end = 0;
    bool exact = true;
    Envelopes unwrapped = {};  // the envelopes that were removed
    Judging* by = nullptr;     // null if there is no schema to judge by
  };

  void BeginBatch(std::uint32_t records) override;
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  void MissRecord(std::uint32_t record, StringPairs& pairs) override;
  bool AnswerIsOfOtherKind() const override;
  double UnexpectedShare() override;
  PreparedPart& NextPart(std::uint32_t record, const SelectedPart& part);
  void Prepare(PreparedPart& part);
  bool BeginRecord(std::uint32_t record);
  void JudgeRecord(std::uint32_t record, PreparedPart* begin, std::size_t count);
  template <class Visit>
  void ForEachJudging(Visit visit) {
    visit(common_);
    if (own_) own_->ForEach(visit);
  }
  template <class Visit>
  void ForEachJudging(Visit visit) const {
    visit(common_);
    if (own_) own_->ForEach(visit);
  }
  void JudgeParts(PreparedPart* begin, std::size_t count);
  void CheckAnswer(std::uint32_t record);
  void Keep(std::uint32_t record);
  void KeepFields(std::uint32_t record);
  void KeepConfidences(std::uint32_t record);
  CellPaths PathsOf(std::uint32_t record) const;
  std::span<const FieldCount> FieldsOf(std::uint32_t record) const {
    const Entries& entries = entries_[record];
    return std::span(fields_).subspan(entries.fields_begin, entries.fields_end - entries.fields_begin);
  }
  std::span<const JudgedCell> CellsOf(std::uint32_t record) const {
    const Entries& entries = entries_[record];
    return std::span(cells_).subspan(entries.cells_begin, entries.cells_end - entries.cells_begin);
  }
  auto PlacesIn(std::uint32_t record) const {
    return [by = entries_[record].by](PlaceId place) -> const Place& { return by->places[place]; };
  }

  const RecordsSettings* settings_;
  WorkerTools tools_;
  bool waits_;  // whether records are judged in Reduce
  ValueIds ids_;
  Judging common_;  // for records without a schema of their own
  std::optional<OwnSchemas<Judging>> own_;
  Judging* now_ = &common_;          // for the current record
  std::vector<PreparedPart> parts_;  // of the current record, or of the batch if it waits
  std::size_t used_parts_ = 0;
  std::size_t first_part_ = 0;      // of the current record
  bool has_expected_kind_ = false;  // whether the answer, without envelopes, is of the expected kind
  PlaceSet expected_at_;            // of the part that UnexpectedShare looks at
  AnswerUnwrapper unwrapper_;
  std::vector<CellSides> sides_;  // for each part of the batch
  std::vector<Entries> entries_;  // by record
  std::vector<FieldCount> fields_;
  std::vector<std::pair<PlaceId, RowCounts>> rows_;
  std::vector<JudgedCell> cells_;
  std::vector<NamedCellCounts> confidences_;
  std::map<std::uint16_t, std::string> confidence_names_;  // of all batches
};

void RecordsBatch::BeginBatch(std::uint32_t records) {
  constexpr std::size_t kKeptBytes = std::size_t{512} << 10;  // more would leave the cache
  constexpr std::size_t kKeptPlaces = 1 << 14;
  if (own_) own_->BeginBatch();
  std::size_t places = 0;
  ForEachJudging([&](const Judging& judging) { places += judging.places.size(); });
  const bool forgets = ids_.memory_bytes() > kKeptBytes || places > kKeptPlaces;
  if (forgets) ids_.Clear();
  ForEachJudging([&](Judging& judging) { judging.BeginBatch(forgets); });
  used_parts_ = 0;
  unwrapper_.BeginBatch();
  sides_.clear();
  entries_.assign(records, {});
  fields_.clear();
  rows_.clear();
  cells_.clear();
  confidences_.clear();
}

// Reads both sides of a part.
void RecordsBatch::Prepare(PreparedPart& part) {
  PlaceId place = now_->places.Start(*part.path);
  now_->reader.ReadExpected(part.expected, place, part.expected_columns);
  if (part.member != kNoNode) place = part.expected_columns.place(part.member);
  if (part.actual.present()) now_->reader.ReadActual(part.actual, place, part.actual_columns);
}

RecordsBatch::PreparedPart& RecordsBatch::NextPart(std::uint32_t record, const SelectedPart& part) {
  if (used_parts_ == parts_.size()) parts_.emplace_back();
  PreparedPart& prepared = parts_[used_parts_++];
  prepared.record = record;
  prepared.expected = part.expected;
  prepared.actual = part.actual;
  prepared.path = part.path;
  prepared.member = kNoNode;
  return prepared;
}

// Finds the rules that judge a record. RETURNS: false if the record's schema is missing or wrong;
// own_->fault() then has the reason.
bool RecordsBatch::BeginRecord(std::uint32_t record) {
  if (!waits_) used_parts_ = 0;
  first_part_ = used_parts_;
  now_ = &common_;
  if (own_) {
    const auto compile = [&](ValueRef schema, std::string* fault) {
      std::unique_ptr<Judging> judging = Judging::WithSchema(settings_->rules, schema, tools_, &ids_, fault);
      if (judging != nullptr) judging->judge.KeepCells(common_.judge.results().cells);
      return judging;
    };
    now_ = own_->Find(selector_, record, settings_->schema == nullptr ? nullptr : &common_, compile);
  }
  entries_[record].by = now_;
  if (now_ != nullptr) now_->reader.BeginRecord();
  return now_ != nullptr;
}

// Without an answer, everything expected is missing, even if some parts of the answer exist.
void RecordsBatch::MissRecord(std::uint32_t record, StringPairs& /*pairs*/) {
  has_expected_kind_ = false;
  if (!BeginRecord(record)) return;
  for (const SelectedPart& part : selector_.parts()) {
    if (!part.expected.present()) continue;
    PreparedPart& prepared = NextPart(record, part);
    prepared.actual = {};
    Prepare(prepared);
  }
  if (!waits_) JudgeRecord(record, parts_.data() + first_part_, used_parts_ - first_part_);
}

void RecordsBatch::MatchRecord(std::uint32_t record, StringPairs& pairs) {
  has_expected_kind_ = true;
  if (!BeginRecord(record))
    return SetRecordError(record, RejectReason::kBadCriteria, own_->fault(), columns_);
  Entries& entries = entries_[record];
  entries.parts_begin = sides_.size();
  std::uint64_t cells = 0;
  for (const SelectedPart& part : selector_.parts()) {
    PreparedPart& prepared = NextPart(record, part);
    entries.unwrapped |= unwrapper_.Unwrap(prepared.expected, prepared.actual, prepared.member);
    Prepare(prepared);
    const NodeId wanted = prepared.member == kNoNode ? prepared.expected.node : prepared.member;
    const CellRef given = Unwrapped({&prepared.actual_columns, prepared.actual.node});
    has_expected_kind_ &= given.kind() == prepared.expected.table->kind(wanted);
    cells += prepared.expected_columns.cells[0] + std::uint64_t{prepared.actual_columns.cells[0]};
    sides_.push_back({prepared.expected, prepared.actual, part.path});
    if (now_->rules->has_similarity)
      now_->similar.Append(record, prepared.expected_columns, prepared.actual_columns, pairs);
  }
  entries.parts_end = sides_.size();
  entries.unwrapped.set(Envelope::kValue, now_->reader.unwrapped());
  entries.unwrapped.set(Envelope::kSidecars, now_->reader.dropped());
  if (!waits_) JudgeRecord(record, &parts_[first_part_], used_parts_ - first_part_);
  if (now_->checker) CheckAnswer(record);
  const bool holds_accepted =
      !settings_->rules.any_of_key.empty();  // the smallest accepted value may have no cells
  if (cells == 0 && !holds_accepted) CompareNothing(record);
}

// Checks an answer by the schema. The answer is checked as it was given, with its envelopes.
void RecordsBatch::CheckAnswer(std::uint32_t record) {
  const ValueRef answer = selector_.whole_answer();
  const SchemaValidator::Verdict verdict = now_->checker->validator.Validate(answer, nullptr);
  const SchemaFit fit = now_->checker->fit.Count(answer);
  if (verdict != SchemaValidator::Verdict::kTooLong)
    metric(kValid, record) = verdict == SchemaValidator::Verdict::kValid ? 1 : 0;
  metric(kTypeSafety, record) = fit.type_safety();
  metric(kRequired, record) = fit.required_share();
}

void RecordsBatch::JudgeRecord(std::uint32_t record, PreparedPart* begin, std::size_t count) {
  Entries& entries = entries_[record];
  entries.cells_begin = cells_.size();
  now_->similar.BeginRecord(record);
  JudgeParts(begin, count);
  if (now_->similar.Answer()) {
    cells_.resize(entries.cells_begin);
    JudgeParts(begin, count);
  }
  entries.cells_end = cells_.size();
  if (scored(record)) Keep(record);
  KeepFields(record);
  KeepConfidences(record);
}

void RecordsBatch::JudgeParts(PreparedPart* begin, std::size_t count) {
  now_->judge.BeginRecord();
  for (std::size_t i = 0; i < count; ++i) {
    const PreparedPart& part = begin[i];
    if (!part.actual.present()) {
      now_->judge.Miss(part.expected_columns);
    } else if (part.member == kNoNode) {
      now_->judge.Judge(part.expected_columns, part.actual_columns);
    } else {
      now_->judge.JudgeMember(part.expected_columns, part.member, part.actual_columns);
    }
  }
}

// Computes the metrics and the score of the record that was judged.
void RecordsBatch::Keep(std::uint32_t record) {
  const RecordTally& tally = now_->judge.results().tally();
  const double matched = tally.matched;
  const double expected = tally.expected();
  const double actual = tally.actual();
  const auto share = [&](double of, double others) {
    return of != 0 ? matched / of : others == 0 ? 1.0 : 0.0;
  };
  const double f1 = expected + actual == 0 ? 1 : 2 * matched / (expected + actual);
  const bool perfect = matched == expected && matched == actual;
  const double metrics[] = {share(actual, expected),
                            share(expected, actual),
                            f1,
                            matched,
                            static_cast<double>(tally.wrong),
                            static_cast<double>(tally.missing),
                            static_cast<double>(tally.extra),
                            expected,
                            actual,
                            perfect ? 1.0 : 0.0};
  for (std::size_t m = 0; m < std::size(metrics); ++m) metric(m, record) = metrics[m];
  columns_.score[record] = f1;
  columns_.passed[record] = f1 >= settings_->threshold;
  // At most all cells of one side can match, unless accepted values and defaults add cells.
  const bool is_fixed = settings_->rules.any_of_key.empty() && now_->rules->schema == nullptr;
  const bool matches_most = is_fixed && matched == std::min(expected, actual);
  entries_[record].exact = matches_most || (tally.exact && !now_->similar.has_unanswered());
}

// Stores the results of the fields and rows of the record that was judged.
void RecordsBatch::KeepFields(std::uint32_t record) {
  const RecordResults& results = now_->judge.results();
  Entries& entries = entries_[record];
  entries.fields_begin = fields_.size();
  for (const PlaceId place : results.fields()) fields_.push_back({place, results.field(place)});
  entries.fields_end = fields_.size();
  if (tools_.details == DetailLevel::kNone) return;
  const auto path_of = [&](PlaceId place) -> const std::string& { return now_->places[place].path; };
  std::ranges::sort(std::span(fields_).subspan(entries.fields_begin), {},
                    [&](const FieldCount& count) { return path_of(count.field); });
  entries.rows_begin = rows_.size();
  for (const PlaceId place : results.arrays()) rows_.emplace_back(place, results.rows(place));
  entries.rows_end = rows_.size();
  std::ranges::sort(std::span(rows_).subspan(entries.rows_begin), {},
                    [&](const auto& rows) { return path_of(rows.first); });
}

// For each confidence, counts the values of the current record that have it.
void RecordsBatch::KeepConfidences(std::uint32_t record) {
  std::map<std::uint16_t, CellCounts> by_step;
  for (const auto& [step, is_right] : now_->judge.results().confidences()) {
    CellCounts& counts = by_step[step];
    ++(is_right ? counts.right : counts.extra);
  }
  Entries& entries = entries_[record];
  entries.confidences_begin = confidences_.size();
  for (const auto& [step, counts] : by_step) {
    const auto name = confidence_names_.try_emplace(step, ConfidenceName(step)).first;
    confidences_.push_back({name->second, counts});
  }
  entries.confidences_end = confidences_.size();
}

void RecordsBatch::Reduce(const StringPairs& pairs) {
  if (!waits_) return;
  ForEachJudging([&](Judging& judging) { judging.similar.Resolve(pairs); });
  fields_.clear();
  rows_.clear();
  cells_.clear();
  confidences_.clear();
  for (std::size_t i = 0; i < used_parts_;) {
    std::size_t end = i;
    while (end < used_parts_ && parts_[end].record == parts_[i].record) ++end;
    now_ = entries_[parts_[i].record].by;
    JudgeRecord(parts_[i].record, &parts_[i], end - i);
    i = end;
  }
}

void RecordsBatch::AppendTexts(std::uint32_t record, std::size_t metric,
                               std::vector<std::string>& texts) const {
  const Entries& entries = entries_[record];
  if (metric == kPairing) {
    texts.emplace_back(entries.exact ? "exact" : "near");
    return;
  }
  for (std::size_t i = 0; i < std::size(kEnvelopeNames); ++i) {
    if (entries.unwrapped[i]) texts.emplace_back(kEnvelopeNames[i]);
  }
}

std::uint8_t RecordsBatch::RemarksOn(std::uint32_t record) const {
  const Entries& entries = entries_[record];
  return static_cast<std::uint8_t>(entries.unwrapped.to_ulong() << 1 | (entries.exact ? 0 : 1));
}

// Answers are judged without their envelopes.
bool RecordsBatch::AnswerIsOfOtherKind() const {
  return selector_.answer_is_of_other_kind() && !has_expected_kind_;
}

// A leaf is expected at every place where the expected value has something, whatever the number of rows.
// Ignored leaves do not count, nor do leaves beside the value in an envelope.
double RecordsBatch::UnexpectedShare() {
  std::uint64_t leaves = 0;
  std::uint64_t unexpected = 0;
  for (std::size_t i = first_part_; i < used_parts_; ++i) {
    const CellColumns& expected = parts_[i].expected_columns;
    const CellColumns& actual = parts_[i].actual_columns;
    expected_at_.Clear(now_->places.size());
    for (const PlaceId place : expected.places) {
      if (place != kNoPlace) expected_at_.Add(place);
    }
    for (std::size_t n = 0; n < actual.places.size(); ++n) {
      const PlaceId place = actual.places[n];
      if (place == kNoPlace || IsContainer(actual.table->kind(actual.root + static_cast<NodeId>(n))))
        continue;
      ++leaves;
      unexpected += !expected_at_.Has(place);
    }
  }
  return ShareOfLeaves(unexpected, leaves);
}

CellPaths RecordsBatch::PathsOf(std::uint32_t record) const {
  const Entries& entries = entries_[record];
  return {std::span(sides_).subspan(entries.parts_begin, entries.parts_end - entries.parts_begin), *shapes_};
}

void RecordsBatch::AppendLeaves(std::uint32_t record, LeafList& leaves) const {
  AppendJudgedLeaves(CellsOf(record), PlacesIn(record), PathsOf(record), *shapes_, leaves);
}

void RecordsBatch::WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const {
  ScorerBatch::WriteDetails(record, level, json);
  const Entries& entries = entries_[record];
  const PlaceTree& places = entries.by->places;
  json.Key<"rows">();
  json.StartList();
  for (std::size_t i = entries.rows_begin; i < entries.rows_end; ++i) {
    const auto& [place, rows] = rows_[i];
    json.StartObject();
    json.Key<"path">().String(DisplayPath(places[place]));
    json.Key<"expected">().Number(rows.expected);
    json.Key<"actual">().Number(rows.actual);
    json.Key<"paired">().Number(rows.paired);
    if (places[place].keys != nullptr) json.Key<"joined">().Number(rows.joined);
    json.EndObject();
    if (!json.EndElement()) break;
  }
  json.EndArray();
  WriteFields(
      FieldsOf(record), [&](PlaceId place) { return DisplayPath(places[place]); }, json);
  if (level == DetailLevel::kLeaves)
    WriteLeaves(CellsOf(record), PlacesIn(record), PathsOf(record), *shapes_, json);
}

void RecordsBatch::AppendCellCounts(std::uint32_t record, std::vector<NamedCellCounts>& counts) const {
  const Entries& entries = entries_[record];
  const auto path_of = [&](PlaceId place) -> std::string_view {
    const std::string& path = entries.by->places[place].path;
    return path.empty() ? "*" : std::string_view(path);
  };
  AppendFieldCounts(FieldsOf(record), path_of, counts);
  counts.insert(counts.end(), confidences_.begin() + static_cast<std::ptrdiff_t>(entries.confidences_begin),
                confidences_.begin() + static_cast<std::ptrdiff_t>(entries.confidences_end));
}

void RecordsBatch::AppendNamedPaths(std::vector<NamedPaths>& rows) const {
  SelectingBatch::AppendNamedPaths(rows);
  NamedPaths& row = rows.emplace_back(selector_.LookedAt());
  const auto any = [&](auto test) {
    bool found = false;
    ForEachJudging([&](const Judging& by) { found = found || test(by); });
    return found;
  };
  for (const PathRules::Pattern& pattern : settings_->rules.paths.patterns()) {
    const std::size_t number = row.paths.size();
    row.found.push_back(any([&](const Judging& by) { return bool{by.places.led_somewhere()[number]}; }));
    row.paths.push_back({pattern.text, pattern.option});
  }
  // Rules with a record's own schema begin with the same keys.
  for (std::size_t k = 0; k < settings_->rules.keys.size(); ++k) {
    for (std::size_t i = 0; i < settings_->rules.keys[k].size(); ++i) {
      row.found.push_back(any([&](const Judging& by) { return bool{by.judge.keys_found()[k][i]}; }));
      row.paths.push_back({settings_->rules.keys[k][i].text, "match_by"});
    }
  }
}

enum RecordsRevision : std::size_t { kSeed, kAnlsStar, kExtractBench, kOmniBench, kSob };
constexpr std::string_view kRecordsRevisions[] = {"seed", "anls-star-1.0", "extractbench-2026-09", "omni-0.1",
                                                  "sob-2026-06"};

// Throws if an option was given that a revision does not use.
void RefuseOthers(const OptionReader& options, std::string_view revision,
                  std::initializer_list<std::string_view> used) {
  for (const OptionSpec& option : kRecordsOptions) {
    const bool is_common = option.name == kTargetOutputKeyOption.name ||
                           option.name == kDefaultExpectedOption.name ||
                           option.name == kParseTextsOption.name || option.name == kThresholdOption.name;
    if (is_common || !options.Has(option.name) || std::ranges::find(used, option.name) != used.end())
      continue;
    throw options.MakeError(option.name,
                            "revision " + std::string(revision) + " has no such option; leave it out");
  }
}

std::unique_ptr<Scorer> MakeRecords(const OptionReader& options) {
  switch (options.GetChoice(kRevisionOption.name, kSeed, kRecordsRevisions)) {
    case kAnlsStar:
      RefuseOthers(options, kRecordsRevisions[kAnlsStar], {"any_of_key"});
      return MakeAnlsStar(options);
    case kExtractBench:
      RefuseOthers(options, kRecordsRevisions[kExtractBench], {"any_of_key", "fields", "schema"});
      return MakeExtractBench(options);
    case kOmniBench:
      RefuseOthers(options, kRecordsRevisions[kOmniBench], {"arrays", "schema"});
      return MakeOmniBench(options);
    case kSob:
      RefuseOthers(options, kRecordsRevisions[kSob], {"schema", "gate"});
      return MakeSob(options);
    default:
      break;
  }
  if (options.Has("gate")) throw options.MakeError("gate", "only revision sob-2026-06 has it; leave it out");
  RecordsSettings settings{PairSelectorOptions::OfAnswers(options), RecordRules(options),
                           ReadThreshold(options), nullptr, ReadSchemaKey(options)};
  settings.selection.SeekAnyOfKey(settings.rules.any_of_key);
  if (const std::optional<ConfigValue> schema = options.GetAny("schema"))
    settings.schema = CompileSchemaOption(options, "schema", *schema, {});
  return std::make_unique<ConfiguredScorer<RecordsBatch, RecordsSettings>>(std::move(settings));
}

}  // namespace

constinit const ScorerType kRecordsScorer = {
    "records",
    "F1 of precision and recall over cells, with rows paired in any order",
    kRecordsOptions,
    MakeRecords,
    {"For data extracted from documents, with rows in any order. The score is F1 over all values, after rows "
     "are paired so that most of them match.",
     "records", R"({"lines": [{"sku": "A1", "qty": 2}, {"sku": "B2", "qty": 1}]})",
     R"({"lines": [{"sku": "B2", "qty": 3}, {"sku": "A1", "qty": 2}]})", "", 0.75},
    kRecordsRevisions};

}  // namespace leafscore::internal
