// Holds answers against a JSON Schema: 1 if they are valid, else 0.
#include <fmt/format.h>

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/text_map.h"
#include "engine/match/target_path.h"
#include "engine/schema/schema_checker.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/schema_option.h"
#include "engine/scorers/selecting_batch.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kJsonSchemaOptions[] = {
    {kTargetOutputKeyOption.name, kTargetOutputKeyOption.type, kTargetOutputKeyOption.default_text,
     "part of the actual value to check: a.b, items[0].name, or a list of such paths; \"*\" is the whole "
     "value"},
    kDefaultExpectedOption,
    kParseTextsOption,
    {"schema", "JSON Schema or path of one", "none", "the schema of all records that have none of their own"},
    {"schema_key", "text", "none",
     "path of the member of a record with its schema, as in schema or meta.schema"},
    {"formats", "bool", "false",
     "whether format is checked: date, date-time, time, email, uri, uuid, ipv4 and ipv6"},
    {"threshold", "number from 0 to 1", "1", "score from which a record passes"},
};

constexpr std::string_view kJsonSchemaMetricNames[] = {"valid", "type_safety", "required", "error_count"};

struct JsonSchemaSettings {
  PairSelectorOptions selection;
  std::shared_ptr<const JsonSchema> schema;  // may be null if there is a schema_key
  std::optional<TargetPath> schema_key;
  SchemaOptions how;
  double threshold;
  std::vector<std::string> files;
};

// The schemas of records, each compiled once as long as there is room.
class RecordSchemas {
 public:
  struct Entry {
    std::unique_ptr<SchemaChecker> schema;  // null: it is wrong
    std::string fault;
  };

  RecordSchemas(SchemaOptions how, ShapeTable* shapes) : how_(how), shapes_(shapes) {}

  Entry& Find(ValueRef schema) {
    const std::string_view text = schema.table->token(schema.node);
    if (const auto known = entries_.find(text); known != entries_.end()) return known->second;
    if (entries_.size() == kMostSchemas || bytes_ > kMostBytes) Forget();
    bytes_ += text.size();
    Entry& entry = entries_[std::string(text)];
    std::shared_ptr<const JsonSchema> compiled =
        JsonSchema::Compile(JsonView(*schema.table, *shapes_, schema.node), how_, &entry.fault);
    if (compiled != nullptr) entry.schema = std::make_unique<SchemaChecker>(std::move(compiled), shapes_);
    return entry;
  }

  void Reset() {
    for (auto& [text, entry] : entries_) {
      if (entry.schema != nullptr) entry.schema->Reset();
    }
  }

 private:
  static constexpr std::size_t kMostSchemas = 256;
  static constexpr std::size_t kMostBytes = std::size_t{4} << 20;

  void Forget() {
    entries_.clear();
    bytes_ = 0;
  }

  SchemaOptions how_;
  ShapeTable* shapes_;
  TextMap<std::string, Entry> entries_;
  std::size_t bytes_ = 0;
};

class JsonSchemaBatch final : public SelectingBatch {
 public:
  enum MetricIndex : std::size_t { kValid, kTypeSafety, kRequired, kErrorCount };

  JsonSchemaBatch(const JsonSchemaSettings* settings, WorkerTools tools)
      : SelectingBatch(&settings->selection, tools, kJsonSchemaMetricNames, /*expected_optional=*/true),
        settings_(settings),
        keeps_faults_(tools.details != DetailLevel::kNone),
        texts_(tools),
        schemas_(settings->how, tools.shapes) {
    if (settings->schema != nullptr) common_.emplace(settings->schema, tools.shapes);
    if (settings->schema_key) follower_.emplace(&*settings->schema_key, tools.shapes);
  }

  static bool NeedsExpected(const JsonSchemaSettings& /*settings*/) { return false; }

  AnswerCauses possible_causes() const override { return kCausesOfAnyScorer; }
  void WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const override;
  bool counts_faults() const override { return true; }
  void AppendCellCounts(std::uint32_t record, std::vector<NamedCellCounts>& counts) const override;

 private:
  // The faults of a record, for its details and the counts of the run.
  struct Entries {
    std::size_t faults_begin = 0, faults_end = 0;
    std::size_t counts_begin = 0, counts_end = 0;
    bool cut = false;
  };

  void BeginBatch(std::uint32_t records) override;
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  double UnexpectedShare() override { return 0; }
  bool AnswerIsOfOtherKind() const override { return false; }
  SchemaChecker* SchemaOf(std::uint32_t record);
  ValueRef AnswerOf();
  void Keep(std::uint32_t record);

  const JsonSchemaSettings* settings_;
  bool keeps_faults_;
  ParsedTexts texts_;  // objects that several paths build, and schemas in texts
  std::optional<SchemaChecker> common_;
  std::optional<PathFollower> follower_;
  RecordSchemas schemas_;
  SchemaFaults found_;            // in the current record
  std::vector<Entries> entries_;  // by record
  std::vector<SchemaFault> faults_;
  std::vector<std::pair<std::string, std::uint32_t>> counts_;  // by FaultName
};

void JsonSchemaBatch::BeginBatch(std::uint32_t records) {
  if (common_) common_->Reset();
  schemas_.Reset();
  if (follower_) follower_->Reset();
  texts_.Truncate(0);
  entries_.assign(records, {});
  faults_.clear();
  counts_.clear();
}

// Returns the schema of a record, or sets why it has none.
SchemaChecker* JsonSchemaBatch::SchemaOf(std::uint32_t record) {
  ValueRef own;
  if (follower_ && selector_.record(record).present()) own = follower_->Follow(selector_.record(record));
  if (!own.present()) {
    if (common_) return &*common_;
    SetRecordError(record, RejectReason::kBadCriteria,
                   fmt::format("the record lacks its schema, \"{}\"", settings_->schema_key->text), columns_);
    return nullptr;
  }
  if (IsString(own.kind())) {  // JSON in a text
    ParsedText& parsed = texts_.Push();
    AppendStringText(*own.table, own.node, parsed.text);
    if (const JsonResult read = texts_.Read(parsed); read.root != kNoNode) own = {&parsed.table, read.root};
  }
  RecordSchemas::Entry& entry = schemas_.Find(own);
  if (entry.schema == nullptr) {
    SetRecordError(record, RejectReason::kBadCriteria, "the schema of the record is wrong: " + entry.fault,
                   columns_);
  }
  return entry.schema.get();
}

ValueRef JsonSchemaBatch::AnswerOf() {
  if (!selector_.builds_object()) return selector_.parts()[0].actual;
  ParsedText& built = texts_.Push();
  selector_.AppendJson(/*expected_side=*/false, built.text);
  return {&built.table, texts_.Read(built).root};
}

void JsonSchemaBatch::MatchRecord(std::uint32_t record, StringPairs& /*pairs*/) {
  SchemaChecker* const schema = SchemaOf(record);
  if (schema == nullptr) return;
  const ValueRef answer = AnswerOf();
  found_.Clear();
  const SchemaValidator::Verdict verdict = schema->validator.Validate(answer, &found_);
  if (verdict == SchemaValidator::Verdict::kTooLong) {
    return SetRecordError(record, RejectReason::kWorkLimit,
                          "checking the answer against its schema takes too many steps", columns_);
  }
  const bool is_valid = verdict == SchemaValidator::Verdict::kValid;
  const SchemaFit fit = schema->fit.Count(answer);
  metric(kValid, record) = is_valid ? 1 : 0;
  metric(kTypeSafety, record) = fit.type_safety();
  metric(kRequired, record) = fit.required_share();
  metric(kErrorCount, record) = static_cast<double>(found_.total());
  columns_.score[record] = is_valid ? 1 : 0;
  columns_.passed[record] = columns_.score[record] >= settings_->threshold;
  if (!is_valid) Keep(record);
}

// Keeps the faults of the current record.
void JsonSchemaBatch::Keep(std::uint32_t record) {
  Entries& entries = entries_[record];
  entries.cut = found_.cut();
  entries.faults_begin = faults_.size();
  if (keeps_faults_) faults_.insert(faults_.end(), found_.listed().begin(), found_.listed().end());
  entries.faults_end = faults_.size();
  entries.counts_begin = counts_.size();
  for (const auto& [fault, count] : found_.counts())
    counts_.emplace_back(FaultName(fault.first, fault.second), count);
  entries.counts_end = counts_.size();
}

void JsonSchemaBatch::AppendCellCounts(std::uint32_t record, std::vector<NamedCellCounts>& counts) const {
  const Entries& entries = entries_[record];
  for (std::size_t i = entries.counts_begin; i < entries.counts_end; ++i) {
    counts.push_back({counts_[i].first, {.extra = counts_[i].second}});
  }
}

void JsonSchemaBatch::WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const {
  ScorerBatch::WriteDetails(record, level, json);
  const Entries& entries = entries_[record];
  json.Key<"errors">();
  json.StartList();
  for (std::size_t i = entries.faults_begin; i < entries.faults_end; ++i) {
    json.StartObject();
    json.Key<"path">().String(faults_[i].path);
    json.Key<"keyword">().String(faults_[i].keyword);
    json.Key<"schema_path">().String(faults_[i].schema_path);
    json.EndObject();
    if (!json.EndElement()) break;
  }
  json.EndArray();
  if (entries.cut) json.SetCut();
}

// Returns the kind of structure that a schema asks for where a text cannot be right.
std::optional<ValueKind> WantedKind(const JsonSchema& schema) {
  const std::uint8_t possible = schema[schema.root()].possible;
  if ((possible & SchemaTypes::kString) != 0) return std::nullopt;
  if ((possible & SchemaTypes::kObject) != 0) return ValueKind::kObject;
  return (possible & SchemaTypes::kArray) != 0 ? std::optional(ValueKind::kArray) : std::nullopt;
}

std::unique_ptr<Scorer> MakeJsonSchema(const OptionReader& options) {
  const SchemaOptions how{.formats = options.GetBool("formats", false)};
  std::shared_ptr<const JsonSchema> schema;
  std::vector<std::string> files;
  const std::optional<ConfigValue> given = options.GetAny("schema");
  if (given) {
    schema = CompileSchemaOption(options, "schema", *given, how);
    if (given->kind == ConfigValue::Kind::kScalar && !AsBool(*given)) files.push_back(given->scalar);
  }
  std::optional<TargetPath> key;
  if (options.Has("schema_key")) {
    key = TargetPath::Parse(options.GetText("schema_key", ""));
    if (!key || key->steps.empty())
      throw options.MakeError("schema_key", "name a member of the records, as schema or meta.schema");
  }
  if (schema == nullptr && !key)
    throw options.MakeError("schema",
                            "give the JSON Schema of the answers, the path of one, or a schema_key");
  // A record's own schema usually is one of objects.
  const std::optional<ValueKind> wanted = schema != nullptr ? WantedKind(*schema) : ValueKind::kObject;
  return std::make_unique<ConfiguredScorer<JsonSchemaBatch, JsonSchemaSettings>>(
      JsonSchemaSettings{PairSelectorOptions::OfAnswersAlone(options, wanted), std::move(schema),
                         std::move(key), how, options.GetNumber("threshold", 1, 0, 1), std::move(files)});
}

}  // namespace

constinit const ScorerType kJsonSchemaScorer = {
    "json_schema", "1 when the actual value is valid by a JSON Schema", kJsonSchemaOptions, MakeJsonSchema};

}  // namespace leafscore::internal
