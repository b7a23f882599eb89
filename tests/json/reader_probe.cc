#include "json/reader_probe.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "engine/json/compact_text.h"
#include "kernels/string_column.h"

namespace leafscore::internal {
namespace {

using reference::Value;

void Check(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

Value::Kind KindOf(ValueKind kind) {
  switch (kind) {
    case ValueKind::kNull:
      return Value::Kind::kNull;
    case ValueKind::kFalse:
      return Value::Kind::kFalse;
    case ValueKind::kTrue:
      return Value::Kind::kTrue;
    case ValueKind::kNumber:
      return Value::Kind::kNumber;
    case ValueKind::kArray:
      return Value::Kind::kArray;
    case ValueKind::kObject:
      return Value::Kind::kObject;
    default:
      return Value::Kind::kString;
  }
}

}  // namespace

Value TreeOf(const LeafTable& table, const ShapeTable& shapes, NodeId node) {
  Value value;
  const ValueKind kind = table.kind(node);
  const std::string_view token = table.token(node);
  value.kind = KindOf(kind);
  if (IsContainer(kind)) {
    const bool is_object = kind == ValueKind::kObject;
    Check(token.size() >= 2 && token.front() == (is_object ? '{' : '[') &&
              token.back() == (is_object ? '}' : ']'),
          "a container's token is its text");
    std::uint32_t leaves = 0;
    NodeId child = node + 1;
    for (; child < table.end(node); child = table.end(child)) {
      Check(table.token_begin(child) > table.token_begin(node) &&
                table.token_end(child) < table.token_end(node),
            "a child's token is within its container's");
      value.items.push_back(TreeOf(table, shapes, child));
      leaves += table.leaf_count(child);
    }
    Check(child == table.end(node), "the last child ends where its container ends");
    Check(leaves == table.leaf_count(node), "a container has its children's leaves");
    if (is_object) {
      for (const std::string_view key : shapes.Keys(table.shape(node))) value.keys.emplace_back(key);
      Check(value.keys.size() == value.items.size(), "a shape has a key for each member");
    }
    return value;
  }
  Check(table.end(node) == node + 1 && table.leaf_count(node) == 1, "a leaf is one node and one leaf");
  if (IsString(kind)) {
    Check((kind == ValueKind::kEscapedString) == (token.find('\\') != token.npos),
          "only escaped strings hold escapes");
    AppendStringText(table, node, value.text);
  } else if (kind == ValueKind::kNumber) {
    value.text = token;
  }
  return value;
}

void ReaderProbe::Begin(std::string_view text, bool lines) {
  text_ = text;
  reader_.Begin(text, lines, &table_);
}

Reading ReaderProbe::ReadRange(std::size_t begin, std::size_t end) {
  const NodeId nodes_before = table_.size();
  Reading reading{text_.substr(begin, end - begin),
                  reader_.Read(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)),
                  std::nullopt};
  if (reading.result.root != kNoNode) {
    reading.tree = TreeOf(table_, shapes_, reading.result.root);
    Check(table_.end(reading.result.root) == table_.size(), "nothing stands behind the value");
  } else {
    Check(table_.size() == nodes_before, "nothing is left of a rejected value");
    Check(reading.result.offset >= begin && reading.result.offset <= end, "the fault is in the text");
    Check(reading.result.message[0] != '\0', "a fault is explained");
    reading.result.offset -= static_cast<std::uint32_t>(begin);
  }
  return reading;
}

Reading ReaderProbe::Read(std::string_view text) {
  Begin(text, /*lines=*/false);
  return ReadRange(0, text.size());
}

std::vector<Reading> ReaderProbe::ReadLines(std::string_view text, bool shared_index) {
  if (shared_index) {
    padded_text_ = text;
    padded_text_.append(kStringPadding, '\0');
    text = std::string_view(padded_text_).substr(0, text.size());
  }
  Begin(text, shared_index);
  std::vector<Reading> readings;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    readings.push_back(ReadRange(begin, end));
    begin = end + 1;
  }
  return readings;
}

std::string Disagreement(const Reading& reading, bool strict) {
  const JsonResult& result = reading.result;
  const std::optional<reference::Parsed> wanted = reference::Parse(reading.text);
  const std::string found = reading.tree ? reference::Show(*reading.tree)
                                         : std::string(RejectReasonName(result.reason)) + " at " +
                                               std::to_string(result.offset) + ", " + result.message;
  if (wanted && !(strict && wanted->nonstandard)) {
    if (!reading.tree || *reading.tree != wanted->value) {
      return "found " + found + "\nwanted " + reference::Show(wanted->value);
    }
    return result.nonstandard == wanted->nonstandard ? "" : "wrong about being standard: " + found;
  }
  if (reading.tree) return "found " + found + "\nwanted a rejection";
  const std::size_t valid_utf8 = reference::ValidUtf8Prefix(reading.text);
  if ((result.reason == RejectReason::kInvalidUtf8) != (valid_utf8 != reading.text.size())) {
    return "wrong about UTF-8: " + found;
  }
  if (result.reason == RejectReason::kInvalidUtf8 && result.offset != valid_utf8) {
    return "wrong offset of invalid UTF-8: " + found;
  }
  if (wanted && result.reason != RejectReason::kNonstandardJson) return "wrong reason: " + found;
  return "";
}

}  // namespace leafscore::internal
