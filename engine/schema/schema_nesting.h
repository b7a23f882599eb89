// engine/schema/schema_nesting.h: checks that no schema applies to itself without going into a value, and
// what types the schemas that apply together allow. Stateless.
#ifndef LEAFSCORE_ENGINE_SCHEMA_SCHEMA_NESTING_H_
#define LEAFSCORE_ENGINE_SCHEMA_SCHEMA_NESTING_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/schema/json_schema.h"

namespace leafscore::internal {

struct NestingFault {
  SchemaId schema;
  std::string message;
};

// Sets SchemaNode::possible. RETURNS: a schema that applies to itself, or one in which more than
// JsonSchema::kMostNested apply to a value, each within the other. COST: linear; it does not recurse.
std::optional<NestingFault> CheckNesting(std::vector<SchemaNode>& nodes);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCHEMA_SCHEMA_NESTING_H_
