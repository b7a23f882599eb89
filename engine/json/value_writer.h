// engine/json/value_writer.h: walks a value of a leaf table and writes it with a JsonWriter. The caller
// decides how keys and leaves are written. Stateless; it does not recurse.
#ifndef LEAFSCORE_ENGINE_JSON_VALUE_WRITER_H_
#define LEAFSCORE_ENGINE_JSON_VALUE_WRITER_H_

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/json/json_writer.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"

namespace leafscore::internal {

enum class KeyOrder { kAsWritten, kByCodePoint };

// Writes the value at `root`. Calls write_key(key) for the key of each member, before its value, and
// write_leaf(node) for each value that is not a container; both write to `json`.
template <class WriteKey, class WriteLeaf>
void WriteValue(const LeafTable& table, const ShapeTable& shapes, NodeId root, KeyOrder order,
                JsonWriter& json, WriteKey write_key, WriteLeaf write_leaf) {
  struct Member {
    std::string_view key;
    NodeId value;
  };
  struct OpenContainer {
    NodeId next;  // array: the next element
    NodeId end;
    std::vector<Member> members;  // object
    std::size_t next_member = 0;
    bool is_object;
  };
  std::vector<OpenContainer> open;
  for (NodeId i = root;;) {
    if (IsContainer(table.kind(i))) {
      const bool is_object = table.kind(i) == ValueKind::kObject;
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
        if (order == KeyOrder::kByCodePoint) std::ranges::sort(container.members, {}, &Member::key);
      }
    } else {
      write_leaf(i);
    }
    // Continue with the next value of the innermost container that has one.
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
      write_key(member.key);
      i = member.value;
    } else {
      i = container.next;
      container.next = table.end(i);
    }
  }
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JSON_VALUE_WRITER_H_
