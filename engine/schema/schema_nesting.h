// engine/schema/schema_nesting.h: checks that no schema applies to itself at the same value, and finds the
// types that a schema allows together with the schemas that it applies. Stateless.
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

// Sets SchemaNode::possible. RETURNS: a schema that applies to itself, or one that applies more than
// JsonSchema::kMostNested schemas to a value, each within the other. COST: linear; it does not recurse.
std::optional<NestingFault> CheckNesting(std::vector<SchemaNode>& nodes);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCHEMA_SCHEMA_NESTING_H_
