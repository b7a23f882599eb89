#include "engine/json/compact_text.h"

#include <string_view>

#include "engine/json/json_scalar.h"
#include "engine/json/json_text.h"
#include "engine/json/json_writer.h"
#include "engine/json/value_writer.h"

namespace leafscore::internal {

void AppendStringText(const LeafTable& table, NodeId node, std::string& out) {
  if (table.kind(node) == ValueKind::kString) {
    out += table.token(node);
  } else {
    AppendUnescaped(table.token(node), out);
  }
}

namespace {

struct JsonStyle {
  bool standard = false;  // NaN and infinities become null
  KeyOrder order = KeyOrder::kAsWritten;
};

void AppendLeaf(const LeafTable& table, NodeId leaf, JsonStyle style, std::string& out) {
  const std::string_view token = table.leaf_token(leaf);
  switch (table.kind(leaf)) {
    case ValueKind::kEscapedString: {
      std::string text;
      AppendUnescaped(token, text);
      AppendJsonString(out, text);
      break;
    }
    case ValueKind::kString:
      AppendJsonString(out, token);
      break;
    case ValueKind::kNumber:
      if (style.standard && IsNamedNumber(token)) {
        out += "null";
        break;
      }
      [[fallthrough]];
    default:
      out += token;
  }
}

void AppendJson(const LeafTable& table, const ShapeTable& shapes, NodeId node, JsonStyle style,
                std::string& out) {
  if (!IsContainer(table.kind(node))) return AppendLeaf(table, node, style, out);
  JsonWriter json(out, JsonLayout::kCompact);
  WriteValue(
      table, shapes, node, style.order, json, [&](std::string_view key) { json.Key(key); },
      [&](NodeId leaf) { AppendLeaf(table, leaf, style, json.RawValue()); });
}

}  // namespace

void AppendCompactJson(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out) {
  AppendJson(table, shapes, node, {}, out);
}

void AppendStandardJson(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out) {
  AppendJson(table, shapes, node, {.standard = true}, out);
}

void AppendSortedJson(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out) {
  AppendJson(table, shapes, node, {.order = KeyOrder::kByCodePoint}, out);
}

void AppendValueText(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out) {
  if (IsString(table.kind(node))) {
    AppendStringText(table, node, out);
  } else {
    AppendCompactJson(table, shapes, node, out);
  }
}

}  // namespace leafscore::internal
