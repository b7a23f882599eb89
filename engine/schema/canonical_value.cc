#include "engine/schema/canonical_value.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/schema/exact_decimal.h"

namespace leafscore::internal {
namespace {

// The length comes first, so that no text is read as the end of another.
void AppendCanonicalText(std::string_view text, std::string& out) {
  out += std::to_string(text.size());
  out += ':';
  out += text;
}

void AppendCanonicalObject(const LeafTable& table, const ShapeTable& shapes, NodeId object,
                           std::string& out) {
  std::vector<std::pair<std::string_view, NodeId>> members;
  NodeId value = object + 1;
  for (const std::string_view key : shapes.Keys(table.shape(object))) {
    members.emplace_back(key, value);
    value = table.end(value);
  }
  std::ranges::sort(members);
  out += '{';
  for (const auto& [key, member] : members) {
    AppendCanonicalText(key, out);
    AppendCanonicalValue(table, shapes, member, out);
  }
  out += '}';
}

}  // namespace

void AppendCanonicalValue(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out) {
  switch (table.kind(node)) {
    case ValueKind::kNull:
      out += 'n';
      return;
    case ValueKind::kFalse:
      out += 'f';
      return;
    case ValueKind::kTrue:
      out += 't';
      return;
    case ValueKind::kNumber:
      out += '#';
      if (const std::string_view token = table.leaf_token(node); IsNamedNumber(token)) {
        out += token;
      } else {
        AppendDecimal(ReadExactDecimal(token), out);
      }
      out += ';';
      return;
    case ValueKind::kString:
      out += 's';
      AppendCanonicalText(table.leaf_token(node), out);
      return;
    case ValueKind::kEscapedString: {
      std::string text;
      AppendStringText(table, node, text);
      out += 's';
      AppendCanonicalText(text, out);
      return;
    }
    case ValueKind::kArray:
      out += '[';
      for (NodeId child = node + 1; child != table.end(node); child = table.end(child)) {
        AppendCanonicalValue(table, shapes, child, out);
      }
      out += ']';
      return;
    case ValueKind::kObject:
      AppendCanonicalObject(table, shapes, node, out);
      return;
  }
}

}  // namespace leafscore::internal
