// engine/lint/value_edits.h: answers that are made from an expected value, and know less than it or say more.
// THREADS: as the values.
#ifndef LEAFSCORE_ENGINE_LINT_VALUE_EDITS_H_
#define LEAFSCORE_ENGINE_LINT_VALUE_EDITS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"

namespace leafscore::internal {

// Appends the value as JSON with null in place of each leaf. RETURNS: whether that is another value.
bool AppendWithNulls(const LeafTable& table, const ShapeTable& shapes, NodeId root, std::string& json);

// Appends the value as JSON with only those leaves for which keep[leaf - root]: members without any are left
// out, and elements without any are null. RETURNS: whether that is another value.
// REQUIRES: `keep` has a place for each node; it is overwritten.
bool AppendKeptLeaves(const LeafTable& table, const ShapeTable& shapes, NodeId root, std::vector<bool>& keep,
                      std::string& json);

// Where values are added to an expected value.
enum class AddTo : std::uint8_t { kOutermost, kAll };

// Appends the object or array, compact JSON, with one more member of this key in its objects, and one more
// element in its arrays: a text, or a number behind a number.
void AppendWithMore(std::string_view compact, std::string_view key, AddTo where, std::string& json);

// Returns the only number in a text that is a number or has one run of digits; empty for any other text.
std::string_view OnlyNumber(std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_VALUE_EDITS_H_
