// engine/scorers/json_similarity/compared_text.h: the text of a string value as json_similarity compares it.
#ifndef LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_COMPARED_TEXT_H_
#define LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_COMPARED_TEXT_H_

#include <string>
#include <string_view>

#include "engine/json/compact_text.h"
#include "engine/json/leaf_table.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {

// Returns a view into the input or into `buffer`. REQUIRES: IsString(table.kind(node)).
inline std::string_view ComparedText(const LeafTable& table, NodeId node, bool case_sensitive,
                                     std::string& buffer) {
  if (case_sensitive && table.kind(node) == ValueKind::kString) return table.leaf_token(node);
  buffer.clear();
  AppendStringText(table, node, buffer);
  if (!case_sensitive) ToLowerCase(buffer);
  return buffer;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_COMPARED_TEXT_H_
