// engine/json/compact_text.h: writes JSON values as text.
#ifndef LEAFSCORE_ENGINE_JSON_COMPACT_TEXT_H_
#define LEAFSCORE_ENGINE_JSON_COMPACT_TEXT_H_

#include <string>

#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"

namespace leafscore::internal {

// Appends the text of a string value, without quotes and with escapes resolved.
// REQUIRES: IsString(table.kind(node)).
void AppendStringText(const LeafTable& table, NodeId node, std::string& out);

// Appends the value as compact JSON: no spaces, keys in their order, numbers as they were written, and
// strings with only the escapes that JSON requires.
void AppendCompactJson(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out);

// As AppendCompactJson, but every JSON reader accepts the result: NaN and infinities, which only Python's
// `json` reads, become null.
void AppendStandardJson(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out);

// As AppendCompactJson, but with the keys of each object sorted by code point.
void AppendSortedJson(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out);

// Appends the text that scorers of texts compare: the text of a string, or the compact JSON of any other
// value.
void AppendValueText(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JSON_COMPACT_TEXT_H_
