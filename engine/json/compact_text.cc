#include "engine/json/compact_text.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "engine/json/json_scalar.h"
#include "engine/json/json_writer.h"

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
  bool standard = false;     // no names of numbers
  bool sorted_keys = false;  // by code point
};

void AppendJson(const LeafTable& table, const ShapeTable& shapes, NodeId node, JsonStyle style,
                std::string& out) {
  struct Member {
    std::string_view key;
    NodeId value;
  };
  struct OpenContainer {
    NodeId next;  // element, of an array
    NodeId end;
    std::vector<Member> members;  // of an object
    std::size_t next_member = 0;
    bool is_object;
  };
  std::vector<OpenContainer> open;
  std::string text;
  JsonWriter json(out, JsonLayout::kCompact);
  for (NodeId i = node;;) {
    const ValueKind kind = table.kind(i);
    if (IsContainer(kind)) {
      const bool is_object = kind == ValueKind::kObject;
      OpenContainer& container = open.emplace_back(OpenContainer{i + 1, table.end(i), {}, 0, is_object});
      if (!is_object) {
        json.StartArray();
      } else {
        json.StartObject();
        NodeId value = i + 1;
        for (const std::string_view key : shapes.Keys(table.shape(i))) {
          container.members.push_back({key, value});
          value = table.end(value);
        }
        if (style.sorted_keys) std::ranges::sort(container.members, {}, &Member::key);
      }
    } else if (kind == ValueKind::kEscapedString) {
      text.clear();
      AppendUnescaped(table.token(i), text);
      json.String(text);
    } else if (kind == ValueKind::kString) {
      json.String(table.token(i));
    } else if (style.standard && kind == ValueKind::kNumber && IsNamedNumber(table.token(i))) {
      json.Null();
    } else {
      json.Raw(table.token(i));
    }
    // On to the next value of the innermost container that has one.
    for (;;) {
      if (open.empty()) return;
      OpenContainer& container = open.back();
      const bool has_next = container.is_object ? container.next_member != container.members.size()
                                                : container.next != container.end;
      if (has_next) break;
      if (container.is_object) {
        json.EndObject();
      } else {
        json.EndArray();
      }
      open.pop_back();
    }
    OpenContainer& container = open.back();
    if (container.is_object) {
      const Member& member = container.members[container.next_member++];
      json.Key(member.key);
      i = member.value;
    } else {
      i = container.next;
      container.next = table.end(i);
    }
  }
}

}  // namespace

void AppendCompactJson(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out) {
  AppendJson(table, shapes, node, {}, out);
}

void AppendStandardJson(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out) {
  AppendJson(table, shapes, node, {.standard = true}, out);
}

void AppendSortedJson(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out) {
  AppendJson(table, shapes, node, {.sorted_keys = true}, out);
}

void AppendValueText(const LeafTable& table, const ShapeTable& shapes, NodeId node, std::string& out) {
  if (IsString(table.kind(node))) {
    AppendStringText(table, node, out);
  } else {
    AppendCompactJson(table, shapes, node, out);
  }
}

}  // namespace leafscore::internal
