#include "engine/lint/value_edits.h"

#include <algorithm>
#include <cctype>

#include "engine/json/compact_text.h"
#include "engine/json/json_text.h"
#include "engine/json/json_writer.h"
#include "engine/json/value_writer.h"

namespace leafscore::internal {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool AppendWithNulls(const LeafTable& table, const ShapeTable& shapes, NodeId root, std::string& json) {
  bool differs = false;
  JsonWriter writer(json, JsonLayout::kCompact);
  WriteValue(
      table, shapes, root, KeyOrder::kAsWritten, writer, [&](std::string_view key) { writer.Key(key); },
      [&](NodeId leaf) {
        differs |= table.kind(leaf) != ValueKind::kNull;
        writer.Null();
      });
  return differs;
}

bool AppendKeptLeaves(const LeafTable& table, const ShapeTable& shapes, NodeId root, std::vector<bool>& keep,
                      std::string& json) {
  bool differs = false;
  // A container is kept if anything in it is.
  for (NodeId node = table.end(root); node-- != root;) {
    if (IsContainer(table.kind(node))) {
      bool any = false;
      for (NodeId child = node + 1; !any && child != table.end(node); child = table.end(child)) {
        any = keep[child - root];
      }
      keep[node - root] = any;
    } else {
      differs |= !keep[node - root];
    }
  }
  struct OpenContainer {
    NodeId next;
    NodeId end;
    bool is_object;
    std::vector<std::string_view> keys;
    std::size_t next_key = 0;
  };
  JsonWriter writer(json, JsonLayout::kCompact);
  std::vector<OpenContainer> open;
  for (NodeId node = root;;) {
    const bool is_kept = keep[node - root] || node == root;
    if (!is_kept) {
      writer.Null();
    } else if (!IsContainer(table.kind(node))) {
      if (keep[node - root]) {
        AppendCompactJson(table, shapes, node, writer.RawValue());
      } else {
        writer.Null();
      }
    } else if (table.kind(node) == ValueKind::kObject) {
      writer.StartObject();
      open.push_back({node + 1, table.end(node), true, shapes.Keys(table.shape(node))});
    } else {
      writer.StartArray();
      open.push_back({node + 1, table.end(node), false, {}});
    }
    // On to the next value to write.
    for (;;) {
      if (open.empty()) return differs;
      OpenContainer& container = open.back();
      while (container.is_object && container.next != container.end && !keep[container.next - root]) {
        differs = true;  // an empty container may be left out
        container.next = table.end(container.next);
        ++container.next_key;
      }
      if (container.next != container.end) break;
      if (container.is_object) {
        writer.EndObject();
      } else {
        writer.EndArray();
      }
      open.pop_back();
    }
    OpenContainer& container = open.back();
    if (container.is_object) writer.Key(container.keys[container.next_key++]);
    node = container.next;
    container.next = table.end(node);
  }
}

void AppendWithMore(std::string_view compact, std::string_view key, AddTo where, std::string& json) {
  bool in_text = false;
  for (std::size_t at = 0; at < compact.size(); ++at) {
    const char c = compact[at];
    if (in_text && c == '\\') {
      json += c;
      json += compact[++at];
      continue;
    }
    if (c == '"') in_text = !in_text;
    const bool is_end = !in_text && (c == '}' || c == ']');
    if (is_end && (where == AddTo::kAll || at + 1 == compact.size())) {
      const char before = compact[at - 1];
      if (before != '{' && before != '[') json += ',';
      if (c == '}') {
        AppendJsonString(json, key);
        json += ':';
      }
      json += c == ']' && IsDigit(before) ? "987654321" : "\"invented\"";
    }
    json += c;
  }
}

std::string_view OnlyNumber(std::string_view text) {
  const auto begin = std::ranges::find_if(text, IsDigit);
  if (begin == text.end()) return {};
  auto end = std::find_if_not(begin, text.end(), IsDigit);
  if (end != text.end() && *end == '.' && end + 1 != text.end() && IsDigit(end[1])) {
    end = std::find_if_not(end + 1, text.end(), IsDigit);
  }
  if (std::any_of(end, text.end(), IsDigit)) return {};
  return {begin, end};
}

}  // namespace leafscore::internal
