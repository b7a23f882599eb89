#include "engine/compact_text.h"

#include <string_view>
#include <vector>

#include "engine/json_scalar.h"
#include "engine/json_text.h"

namespace leafscore {

void AppendStringText(const LeafTable& table, NodeId node, std::string& out) {
  if (table.kind(node) == ValueKind::kString) {
    out += table.token(node);
  } else {
    AppendUnescaped(table.token(node), out);
  }
}

namespace {

bool IsNamedNumber(std::string_view token) { return token.ends_with('N') || token.ends_with('y'); }

void AppendJson(const LeafTable& table, const ShapeTable& shapes, NodeId node, bool standard,
                std::string& out) {
  struct OpenContainer {
    NodeId end;
    std::vector<std::string_view> keys;  // of an object
    std::size_t next_member = 0;
    bool is_object;
  };
  std::vector<OpenContainer> open;
  std::string text;
  const NodeId root_end = table.end(node);
  for (NodeId i = node; i != root_end;) {
    if (!open.empty()) {
      OpenContainer& container = open.back();
      if (container.next_member != 0) out += ',';
      if (container.is_object) {
        AppendJsonString(out, container.keys[container.next_member]);
        out += ':';
      }
      ++container.next_member;
    }
    const ValueKind kind = table.kind(i);
    if (IsContainer(kind)) {
      const bool is_object = kind == ValueKind::kObject;
      out += is_object ? '{' : '[';
      open.push_back({table.end(i), {}, 0, is_object});
      if (is_object) open.back().keys = shapes.Keys(table.shape(i));
    } else if (kind == ValueKind::kEscapedString) {
      text.clear();
      AppendUnescaped(table.token(i), text);
      AppendJsonString(out, text);
    } else if (kind == ValueKind::kString) {
      AppendJsonString(out, table.token(i));
    } else if (standard && kind == ValueKind::kNumber && IsNamedNumber(table.token(i))) {
      out += "null";
    } else {
      out += table.token(i);
    }
    ++i;
    while (!open.empty() && open.back().end == i) {
      out += open.back().is_object ? '}' : ']';
      open.pop_back();
    }
  }
}

}  // namespace

void AppendCompactJson(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out) {
  AppendJson(table, shapes, node, /*standard=*/false, out);
}

void AppendStandardJson(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out) {
  AppendJson(table, shapes, node, /*standard=*/true, out);
}

void AppendValueText(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out) {
  if (IsString(table.kind(node))) {
    AppendStringText(table, node, out);
  } else {
    AppendCompactJson(table, shapes, node, out);
  }
}

}  // namespace leafscore
