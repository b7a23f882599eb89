// Checks answers against a JSON Schema: 1 if they are valid, else 0.
#include <fmt/format.h>

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/match/target_path.h"
#include "engine/schema/schema_checker.h"
#include "engine/scorers/own_schemas.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/schema_option.h"
#include "engine/scorers/selecting_batch.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kJsonSchemaOptions[] = {
    kTargetOutputKeyOption.WithHelp(
        "part of the actual value to check: a.b, items[0].name, or a list of such paths; \"*\" is the whole "
        "value"),
    kDefaultExpectedOption,
    kParseTextsOption,
    {"schema", "JSON Schema or path of one", "none", "the schema of all records that have none of their own"},
    kSchemaKeyOption,
    {"formats", "bool", "false",
     "whether format is checked: date, date-time, time, email, uri, uuid, ipv4 and ipv6"},
    kThresholdOption,
};

constexpr std::string_view kJsonSchemaMetricNames[] = {"valid", "type_safety", "required", "error_count"};

struct JsonSchemaSettings {
  PairSelectorOptions selection;
  std::shared_ptr<const JsonSchema> schema;  // may be null if there is a schema_key
  std::optional<TargetPath> schema_key;
  SchemaOptions how;
  double threshold;
  std::vector<std::string> files;

  std::vector<const TargetPath*> record_fields() const {
    return schema_key ? std::vector{&*schema_key} : std::vector<const TargetPath*>();
  }
};

class JsonSchemaBatch final : public SelectingBatch {
 public:
  enum MetricIndex : std::size_t { kValid, kTypeSafety, kRequired, kErrorCount };

  JsonSchemaBatch(const JsonSchemaSettings* settings, WorkerTools tools)
      : SelectingBatch(&settings->selection, tools, kJsonSchemaMetricNames, /*expected_optional=*/true),
        settings_(settings),
        keeps_faults_(tools.details != DetailLevel::kNone),
        texts_(tools) {
    if (settings->schema != nullptr) common_.emplace(settings->schema, tools.shapes);
    if (settings->schema_key) own_.emplace(&*settings->schema_key, tools);
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
  ParsedTexts texts_;  // objects that several paths build
  std::optional<SchemaChecker> common_;
  std::optional<OwnSchemas<SchemaChecker>> own_;
  SchemaFaults found_;            // in the current record
  std::vector<Entries> entries_;  // by record
  std::vector<SchemaFault> faults_;
  std::vector<std::pair<std::string, std::uint32_t>> counts_;  // by FaultName
};

void JsonSchemaBatch::BeginBatch(std::uint32_t records) {
  if (common_) common_->Reset();
  if (own_) {
    own_->BeginBatch();
    own_->ForEach([](SchemaChecker& schema) { schema.Reset(); });
  }
  texts_.Truncate(0);
  entries_.assign(records, {});
  faults_.clear();
  counts_.clear();
}

// Returns the schema of a record, or sets the reason why it has none.
SchemaChecker* JsonSchemaBatch::SchemaOf(std::uint32_t record) {
  SchemaChecker* const common = common_ ? &*common_ : nullptr;
  if (!own_) return common;
  const auto compile = [&](ValueRef schema, std::string* fault) -> std::unique_ptr<SchemaChecker> {
    auto compiled =
        JsonSchema::Compile(JsonView(*schema.table, *shapes_, schema.node), settings_->how, fault);
    return compiled == nullptr ? nullptr : std::make_unique<SchemaChecker>(std::move(compiled), shapes_);
  };
  SchemaChecker* const found = own_->Find(selector_, record, common, compile);
  if (found == nullptr) SetRecordError(record, RejectReason::kBadCriteria, own_->fault(), columns_);
  return found;
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

// Returns the kind of structure that a schema asks for: an object or, if it allows no objects, an array;
// nullopt if the schema allows texts, or neither kind.
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
  std::optional<TargetPath> key = ReadSchemaKey(options);
  if (schema == nullptr && !key)
    throw options.MakeError("schema",
                            "give the JSON Schema of the answers, the path of one, or a schema_key");
  // Most schemas of records are schemas of objects.
  const std::optional<ValueKind> wanted = schema != nullptr ? WantedKind(*schema) : ValueKind::kObject;
  return std::make_unique<ConfiguredScorer<JsonSchemaBatch, JsonSchemaSettings>>(
      JsonSchemaSettings{PairSelectorOptions::OfAnswersAlone(options, wanted), std::move(schema),
                         std::move(key), how, ReadThreshold(options), std::move(files)});
}

}  // namespace

constinit const ScorerType kJsonSchemaScorer = {
    "json_schema",
    "1 when the actual value is valid by a JSON Schema",
    kJsonSchemaOptions,
    MakeJsonSchema,
    {"For answers that have to fit a JSON Schema, whether or not their values are right. The score is 1 if "
     "the answer is valid, else 0, with the errors by field and keyword.",
     "json_schema:schema={type: object, properties: {age: {type: integer}}, required: [age]}", "null",
     R"({"age": "36"})", "", 0}};

}  // namespace leafscore::internal
