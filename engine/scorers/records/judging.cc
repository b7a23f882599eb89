#include "engine/scorers/records/judging.h"

#include "engine/config/config_parser.h"
#include "engine/config/options.h"
#include "engine/json/compact_text.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kOwnSchemaOption[] = {{"schema", "JSON Schema", "none", "the schema of the record"}};

}  // namespace

std::unique_ptr<Judging> Judging::WithSchema(const RecordRules& rules, ValueRef schema, WorkerTools tools,
                                             ValueIds* ids, std::string* fault) {
  std::shared_ptr<const JsonSchema> compiled =
      JsonSchema::Compile(JsonView(*schema.table, *tools.shapes, schema.node), {}, fault);
  if (compiled == nullptr) return nullptr;
  if (schema.kind() != ValueKind::kObject) {
    *fault = "it is no object, so it says nothing about places";
    return nullptr;
  }
  std::string json;
  AppendStandardJson(*schema.table, *tools.shapes, schema.node, json);
  auto own = std::make_unique<RecordRules>(rules);
  try {
    ConfigValue no_options;
    no_options.kind = ConfigValue::Kind::kMap;
    const OptionReader messages(no_options, kOwnSchemaOption, "the record", "the schema");
    own->AddSchema(messages, ParseConfig(json, "the schema"));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUsage) throw;
    *fault = error.what();
    return nullptr;
  }
  auto judging = std::make_unique<Judging>(own.get(), std::move(compiled), tools, ids);
  judging->own_rules = std::move(own);
  return judging;
}

void Judging::BeginBatch(bool all) {
  if (all) places.Clear();
  places.Begin();
  judge.BeginBatch(all);
  similar.Begin();
  if (checker) checker->Reset();
}

}  // namespace leafscore::internal
