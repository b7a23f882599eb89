// engine/schema/canonical_value.h: writes JSON values as texts that are equal exactly if the values are equal
// by the rules of JSON Schema: numbers by value, objects whatever the order of their keys. Stateless.
#ifndef LEAFSCORE_ENGINE_SCHEMA_CANONICAL_VALUE_H_
#define LEAFSCORE_ENGINE_SCHEMA_CANONICAL_VALUE_H_

#include <string>

#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"

namespace leafscore::internal {

// Appends the text of a value. COST: linear, except for the sorting of keys; recursive within the depth limit
// of JSON.
void AppendCanonicalValue(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCHEMA_CANONICAL_VALUE_H_
