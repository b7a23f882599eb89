#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/suggest.h"
#include "engine/lint/checks.h"
#include "engine/lint/findings.h"
#include "engine/lint/gold_values.h"
#include "engine/report/join_summary.h"
#include "engine/run/file_options.h"
#include "engine/schema/schema_validator.h"
#include "engine/scorers/schema_option.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// A schema that the gold should follow.
struct GoldSchema {
  std::string json;
  std::string scorer;  // the scorer that has it as an option; empty for the option of the linter
  bool formats;
};

bool IsTrueOption(const ConfigValue& options, std::string_view name) {
  const ConfigMember* const member = options.Find(name);
  return member != nullptr && AsBool(member->value) == true;
}

// Returns the schemas to check. Leaves out scorers with any_of_key or target_output_key, because their gold
// does not have the form of an answer.
std::vector<GoldSchema> SchemasOf(const LintOptions& options, const ScorerSet& scorers) {
  std::vector<GoldSchema> schemas;
  if (!options.schema.empty()) schemas.push_back({ReadSchemaFile(options.schema), "", false});
  for (const ScorerSpec& spec : scorers.specs()) {
    const ConfigMember* const schema = spec.options.Find("schema");
    if (schema == nullptr || (spec.type != "json_schema" && spec.type != "records")) continue;
    if (spec.options.Find("any_of_key") != nullptr || spec.options.Find("target_output_key") != nullptr)
      continue;
    GoldSchema found{SchemaJsonOf(schema->value), spec.name, IsTrueOption(spec.options, "formats")};
    const auto is_same = [&](const GoldSchema& known) {
      return known.json == found.json && known.formats == found.formats;
    };
    if (std::ranges::none_of(schemas, is_same)) schemas.push_back(std::move(found));
  }
  return schemas;
}

void CheckSchema(const GoldRecords& gold, const EngineOptions& options, const GoldSchema& from,
                 const JsonSchema& schema, LintReport& report) {
  GoldValues values(gold, JsonOptionsOf(options));
  SchemaValidator validator(&schema, &values.shapes());
  ListedIds ids;
  std::map<std::pair<std::string, std::string>, std::uint64_t> counts;
  SchemaFault first;
  for (std::uint32_t row = 0; row < gold.size(); ++row) {
    const JsonView value = values.Read(row);
    validator.Reset();
    SchemaFaults faults;
    if (!value.present() ||
        validator.Validate({&value.table(), value.node()}, &faults) != SchemaValidator::Verdict::kInvalid)
      continue;
    if (ids.count == 0) first = faults.listed().front();
    AddId(gold.Name(row), ids);
    for (const auto& [fault, count] : faults.counts()) counts[fault] += count;
  }
  ListedIds paths;
  for (const auto& [fault, count] : counts) AddId(fault.first + " (" + fault.second + ")", paths);
  AddAbout(
      ids,
      {.severity = LintSeverity::kWarning,
       .kind = LintKind::kInvalidGold,
       .scorer = from.scorer,
       .paths = paths,
       .message =
           fmt::format("{} an expected value that the schema does not allow; the first error is at "
                       "{}: {} ({}).",
                       RecordsHave(ids), QuoteForMessage(first.path), first.keyword, first.schema_path),
       .advice = "Correct the gold or the schema: an answer that follows the schema differs from this gold."},
      report);
}

}  // namespace

void CheckSchemas(const GoldRecords& gold, const LintOptions& options, const ScorerSet& scorers,
                  LintReport& report) {
  for (const GoldSchema& from : SchemasOf(options, scorers)) {
    std::string fault;
    const auto schema = JsonSchema::Compile(from.json, {.formats = from.formats}, &fault);
    if (schema == nullptr)
      throw Error(ErrorCode::kUsage, fmt::format("--schema {}: {}", QuoteForMessage(options.schema), fault));
    CheckSchema(gold, options.files, from, *schema, report);
  }
}

}  // namespace leafscore::internal
