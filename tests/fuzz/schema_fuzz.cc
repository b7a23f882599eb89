// Fuzzes JSON Schemas and values: a schema compiles or its fault is told; the same schema within allOf holds
// for the same values, and within `not` for all others; and what is invalid has a fault.
// An input's first line is the schema; the value follows.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/json/json_value.h"
#include "engine/schema/schema_fit.h"
#include "engine/schema/schema_validator.h"
#include "fuzz/fuzz_check.h"

namespace leafscore::internal {
namespace {

using Verdict = SchemaValidator::Verdict;

// RETURNS: null if the text is no schema, and then why not.
std::unique_ptr<const JsonSchema> Compile(const std::string& schema) {
  std::string fault;
  std::unique_ptr<const JsonSchema> compiled = JsonSchema::Compile(schema, {.formats = true}, &fault);
  Check((compiled == nullptr) == !fault.empty(), "a schema and a fault, or neither: " + schema);
  return compiled;
}

Verdict Validate(const JsonSchema& schema, const std::string& json) {
  JsonValue reader{JsonOptions{}};
  const JsonView view = reader.Read(json);
  const ValueRef value{&reader.table(), view.node()};
  SchemaValidator validator(&schema, &reader.shapes());
  const Verdict verdict = validator.Validate(value, nullptr);
  SchemaFaults faults;
  Check(validator.Validate(value, &faults) == verdict || verdict == Verdict::kInvalid,
        "with faults to tell, another verdict");
  Check((verdict == Verdict::kInvalid) >= !faults.listed().empty(), "a valid value with faults");
  const SchemaFit fit = SchemaFitCounter(&schema, &reader.shapes()).Count(value);
  Check(fit.allowed <= fit.cells && fit.present <= fit.required, "a part is larger than the whole");
  return verdict;
}

void CheckSchema(std::string_view data) {
  const std::size_t end = data.find('\n');
  if (end == data.npos) return;
  const std::string schema(data.substr(0, end));
  const std::string json(data.substr(end + 1));
  const std::unique_ptr<const JsonSchema> compiled = Compile(schema);
  if (compiled == nullptr) return;
  JsonValue reader{JsonOptions{}};
  if (!reader.Read(json).present()) return;
  const Verdict verdict = Validate(*compiled, json);
  // References and names mean something else within another schema.
  if (schema.find('$') != schema.npos || schema.find('\\') != schema.npos) return;
  const std::unique_ptr<const JsonSchema> within = Compile("{\"allOf\": [" + schema + "]}");
  const std::unique_ptr<const JsonSchema> negated = Compile("{\"not\": " + schema + "}");
  if (within == nullptr || negated == nullptr) return;  // they nest too deep
  const Verdict of_within = Validate(*within, json);
  const Verdict of_negated = Validate(*negated, json);
  if (Verdict::kTooLong == verdict || Verdict::kTooLong == of_within || Verdict::kTooLong == of_negated)
    return;
  Check(of_within == verdict, "allOf with one schema differs from it");
  Check(of_negated != verdict, "a value is valid by a schema and by its negation, or by neither");
}

}  // namespace
}  // namespace leafscore::internal

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  leafscore::internal::CheckSchema({reinterpret_cast<const char*>(data), size});
  return 0;
}
